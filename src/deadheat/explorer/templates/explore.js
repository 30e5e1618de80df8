// Which view is shown, what is asked of the server, and what of it stands in the address.
const SHOW = { rerun: showRerun, coverage: showCoverage, tie: showTie, plan: showPlan, board: showBoard };
const NAMES = { data: "board" };
const VIEWS = ["rerun", "coverage", "tie", "plan", "data"].filter((view) => document.getElementById(`view-${view}`));
const last = {};
let current = "rerun", waiting = 0, asking = null;

const form = (view) => document.querySelector(`form[data-view=${NAMES[view] ?? view}]`);
const saysOf = (view) => byId(view === "tie" ? "tie-verdict" : `${NAMES[view] ?? view}-says`);

function question(view) {
  const query = new URLSearchParams();
  for (const field of form(view).elements) {
    if (!field.name || field.disabled || field.value === "" || (field.type === "checkbox" && !field.checked)) continue;
    const before = field.name === "methods" ? query.get("methods") : null;
    query.set(field.name, before ? `${before},${field.value}` : field.value);
  }
  return query.toString();
}

function fillIn(view, query) {
  for (const field of form(view).elements) {
    if (!field.name || field.disabled || !query.has(field.name)) continue;
    const value = query.get(field.name);
    if (field.type === "checkbox") field.checked = value.split(",").includes(field.value);
    else {
      if (field.matches("[data-entries], [data-columns]")) field.append(element("option", { value }, value));
      field.value = value;
    }
  }
}

// A field that the question does not use is hidden and not sent.
function fit() {
  const plan = form("plan").elements, board = form("data")?.elements;
  const asked = { for: plan.question.value, ground: plan.from?.value ?? "assumed", metric: board?.metric?.value ?? "" };
  if (asked.for === "board") asked.ground = "assumed";
  for (const part of document.querySelectorAll("[data-for], [data-metric]")) {
    part.hidden = ["for", "ground", "metric"].some((name) => part.dataset[name] && !part.dataset[name].split(" ").includes(asked[name]));
    if ("claim" in part.dataset) part.hidden ||= plan.claim.value === "difference";
    for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
  }
}

async function ask(view = current) {
  const query = question(view), says = saysOf(view), kind = NAMES[view] ?? view;
  history.replaceState(null, "", `#${view}?${query}`);
  asking?.abort();
  asking = new AbortController();
  const slow = setTimeout(() => says.classList.add("waiting"), 250);
  try {
    const [ok, found] = await source.ask(kind, query, asking.signal);
    says.classList.toggle("refused", !ok);
    byId(`view-${view}`).classList.toggle("refusing", !ok);
    if (ok) show(kind, (last[view] = found), query);
    else refuse(says, found.error);
    document.documentElement.dataset.ready = `${view}?${query}`;
    const better = ok && (await source.refine(kind, query, found, asking.signal));
    if (better) show(kind, (last[view] = better), query);
    document.documentElement.dataset.refined = `${view}?${query}`;
  } catch (error) {
    if (error.name !== "AbortError") refuse(says, source.silent);
  } finally {
    clearTimeout(slow);
    says.classList.remove("waiting");
  }
}

function show(kind, answer, query) {
  SHOW[kind](answer, query);
  showMade(kind, answer, query);
}

function refuse(says, why) {
  says.classList.add("refused");
  says.replaceChildren(says.tagName === "UL" ? element("li", {}, why) : why);
}

// Whether a field holds something else than what the page came with.
const altered = (field) => (field.options ? field.selectedIndex > 0 && !field.selectedOptions[0].defaultSelected : field.value !== field.defaultValue);

function route() {
  const [view, query = ""] = location.hash.slice(1).split("?");
  player.pause();
  current = VIEWS.includes(view) ? view : "rerun";
  for (const each of document.querySelectorAll(".view")) each.hidden = each.id !== `view-${current}`;
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.hash === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const asked = new URLSearchParams(query);
  // Which fields there are depends on a few of them.
  for (const name of ["question", "from", "claim", "metric"]) {
    const field = form(current)?.elements[name];
    if (field && asked.has(name)) field.value = asked.get(name);
  }
  fit();
  fillIn(current, asked);
  if (current === "plan" && byId("board") && !source.offered) {
    source.offered = true;
    source.ask("board", "", new AbortController().signal).then(([ok, found]) => ok && offerAll(found), () => {});
  }
  for (const more of form(current)?.querySelectorAll("details") ?? []) more.open ||= [...more.querySelectorAll("input, select")].some(altered);
  return ask();
}

async function take(file) {
  if (!file) return;
  const says = saysOf("data");
  says.textContent = `reading ${file.name}`;
  const [ok, found] = await source.take(file);
  if (ok) {
    for (const name of ["anchor", "cluster", "by"]) form("data").elements[name].value = "";
    await ask("data");
  } else refuse(says, found.error.includes(file.name) ? found.error : `${file.name}: ${found.error}`);
}

theme();
addEventListener("hashchange", route);
for (const each of document.querySelectorAll("form")) {
  each.addEventListener("submit", (event) => event.preventDefault());
  each.addEventListener("input", () => {
    fit();
    clearTimeout(waiting);
    waiting = setTimeout(ask, 60);
  });
}
byId("play").addEventListener("click", () => (player.timer ? player.pause() : player.play()));
byId("step").addEventListener("click", () => { player.pause(); player.show(player.shown === 30 ? 1 : player.shown + 1); });
byId("scrub").addEventListener("input", (event) => { player.pause(); player.show(Number(event.target.value)); });
for (const button of document.querySelectorAll("[data-zoom]"))
  button.addEventListener("click", () => {
    [form("coverage").elements.start.value, form("coverage").elements.stop.value] = button.dataset.zoom.split(" ");
    ask();
  });
byId("file")?.addEventListener("change", (event) => take(event.target.files[0]));
const target = byId("drop");
target?.addEventListener("dragover", (event) => { event.preventDefault(); target.classList.add("over"); });
target?.addEventListener("dragleave", () => target.classList.remove("over"));
target?.addEventListener("drop", (event) => { event.preventDefault(); target.classList.remove("over"); take(event.dataTransfer.files[0]); });
addEventListener("resize", () => {
  if (current === "rerun") player.show(player.shown);
  else if (current !== "data" && last[current]) SHOW[current](last[current], question(current));
});
const opening = location.hash === "" && !still.matches;
await route();
if (opening) { player.show(0); player.play(); }
