// Which view is shown, what is asked of the server, and what of it stands in the address.
const SHOW = { rerun: showRerun, coverage: showCoverage, tie: showTie, plan: showPlan, board: showBoard };
const NAMES = { data: "board" };
const VIEWS = ["rerun", "coverage", "tie", "plan", "data"].filter((view) => document.getElementById(`view-${view}`));
const last = {};
let current = "rerun", waiting = 0, asking = null;

const form = (view) => document.querySelector(`form[data-view=${NAMES[view] ?? view}]`);
const saysOf = (view) => byId(`${NAMES[view] ?? view}-says`);

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
    if (!field.name || !query.has(field.name)) continue;
    const value = query.get(field.name);
    if (field.type === "checkbox") field.checked = value.split(",").includes(field.value);
    else {
      if (field.matches("[data-entries]")) field.append(element("option", { value }, value));
      field.value = value;
    }
  }
}

function fitPlan() {
  const chosen = form("plan").elements.question.value;
  for (const part of document.querySelectorAll("[data-for]")) {
    part.hidden = !part.dataset.for.split(" ").includes(chosen);
    for (const field of part.querySelectorAll("input")) field.disabled = part.hidden;
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
    if (ok) SHOW[kind]((last[view] = found), query);
    else refuse(says, found.error);
    document.documentElement.dataset.ready = `${view}?${query}`;
  } catch (error) {
    if (error.name !== "AbortError") refuse(says, source.silent);
  } finally {
    clearTimeout(slow);
    says.classList.remove("waiting");
  }
}

function refuse(says, why) {
  says.classList.add("refused");
  says.replaceChildren(says.tagName === "UL" ? element("li", {}, why) : why);
}

function route() {
  const [view, query = ""] = location.hash.slice(1).split("?");
  player.pause();
  current = VIEWS.includes(view) ? view : "rerun";
  for (const each of document.querySelectorAll(".view")) each.hidden = each.id !== `view-${current}`;
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.hash === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  fillIn(current, new URLSearchParams(query));
  fitPlan();
  return ask();
}

async function take(file) {
  if (!file) return;
  const says = saysOf("data");
  says.textContent = `reading ${file.name}`;
  const [ok, found] = await source.take(file);
  if (ok) {
    form("data").elements.anchor.value = "";
    await ask("data");
  } else refuse(says, found.error);
}

theme();
addEventListener("hashchange", route);
for (const each of document.querySelectorAll("form")) {
  each.addEventListener("submit", (event) => event.preventDefault());
  each.addEventListener("input", () => {
    fitPlan();
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
  else if (current !== "data" && last[current]) SHOW[current](last[current]);
});
const opening = location.hash === "" && !still.matches;
await route();
if (opening) { player.show(0); player.play(); }
