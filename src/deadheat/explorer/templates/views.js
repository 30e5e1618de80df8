// What each view makes of an answer.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const byId = (id) => document.getElementById(id);
const points = (value, digits = 1) => `${(100 * value).toFixed(digits).replace("-", "−")}`;

const player = {
  answer: null, shown: 30, timer: 0,
  take(answer) {
    this.pause();
    this.answer = answer;
    this.show(this.shown);
  },
  show(shown) {
    this.shown = Math.max(0, Math.min(30, shown));
    byId("scrub").value = this.shown;
    if (this.answer) drawRerun(this.answer, this.shown);
  },
  play() {
    if (still.matches) return this.show(30);
    if (this.shown === 30) this.show(0);
    byId("play").textContent = "Pause";
    this.timer = setInterval(() => (this.shown < 30 ? this.show(this.shown + 1) : this.pause()), 180);
  },
  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    byId("play").textContent = still.matches ? "Show all" : "Play";
  },
};

function drawRerun(answer, shown) {
  const low = Math.min(...answer.low, answer.truth), high = Math.max(...answer.high, answer.truth);
  const room = (high - low) * 0.05 || 0.05;
  const chart = new Chart(byId("rerun-chart"), [Math.max(0, low - room), Math.min(1, high + room)], [31, -1],
    { left: 30, yWord: (v) => (v % 5 || v > 30 || v < 1 ? "" : String(v)), xWord: percents });
  for (let i = 0; i < shown; i++) {
    const name = answer.covered[i] ? "hit" : "miss";
    if (answer.low[i] !== null) chart.line(answer.low[i], i + 1, answer.high[i], i + 1, name);
    chart.put(answer.covered[i] ? "circle" : "rect", answer.covered[i]
      ? { cx: chart.x(answer.score[i]), cy: chart.y(i + 1), r: 3.5, class: name }
      : { x: chart.x(answer.score[i]) - 4, y: chart.y(i + 1) - 4, width: 8, height: 8, class: name });
  }
  chart.line(answer.truth, 31, answer.truth, -1, "mark");
  chart.text(chart.x(answer.truth) + 5, chart.top + 5, `the truth: ${points(answer.truth, 2)} %`, { class: "name" });
  const { count, low: from, high: to } = answer.running;
  byId("count").textContent = shown ? `${count[shown - 1]} of ${shown} cover the truth (squares miss)` : "no rerun yet";
  const running = new Chart(byId("running-chart"), [1, 30], [0, 1], { xName: "reruns", yWord: percents });
  const runs = Array.from({ length: shown }, (_, i) => i + 1);
  if (shown > 1) {
    running.band(runs, from.slice(0, shown), to.slice(0, shown));
    running.curve(runs, runs.map((r) => count[r - 1] / r), "one");
  }
  const { coverage, error } = answer.promise;
  if (coverage !== null) {
    running.line(1, coverage, 30, coverage, "promise");
    running.text(running.right, running.y(coverage) + 40, `${error === null ? "exactly" : "about"} ${points(coverage, error === null ? 2 : 1)} %`, { "text-anchor": "end", class: "promise" });
  }
}

function showRerun(answer) {
  byId("truth").textContent = answer.truth_says;
  byId("rerun-says").textContent = answer.summary;
  player.take(answer);
}

function showCoverage(answer) {
  const keys = [...document.querySelectorAll("input[name=methods]")].map((box) => box.value);
  const lowest = Math.min(...answer.curves.map((each) => Math.min(...each.coverage)));
  const floor = Math.max(0, Math.min(answer.level - 0.02, Math.floor(Math.max(lowest, 0.6) * 50) / 50 - 0.02));
  const chart = new Chart(byId("coverage-chart"), [answer.start, answer.stop], [floor, 1], { xName: "true rate", xWord: short, yWord: percents });
  chart.line(answer.start, answer.level, answer.stop, answer.level, "promise");
  const inside = (p) => p >= answer.start && p <= answer.stop;
  for (const each of answer.curves) chart.curve(answer.p, each.coverage, `k${keys.indexOf(each.method)}`);
  for (const each of answer.curves) {
    const name = `k${keys.indexOf(each.method)}`;
    if (inside(each.minimum.p)) chart.dot(each.minimum.p, each.minimum.coverage, name);
    chart.dot(each.infimum_here.p, each.infimum_here.coverage, name, true);
  }
  chart.readOff(answer.p, (k) => {
    const told = answer.curves.map((each) => `${each.label} ${points(each.coverage[k], 2)} %`);
    byId("coverage-reading").textContent = `True rate ${answer.p[k].toFixed(4)}: ${told.join(", ")}`;
  });
  const cut = lowest < floor ? [element("li", {}, `The picture starts at ${percents(floor)}; ▾ marks where a curve goes below it.`)] : [];
  byId("coverage-says").replaceChildren(...answer.curves.map((each) => element("li", {}, each.says)), ...cut);
}

function showTie(answer) {
  byId("tie-verdict").textContent = answer.verdict;
  byId("tie-reasons").replaceChildren(...answer.reasons.map((reason) => element("li", {}, reason)));
  bars("tie-scores", [["A", answer.a.rate, answer.a], ["B", answer.b.rate, answer.b]], percents);
  bars("tie-chart", [["same items", answer.difference, answer.paired], ["separate", answer.difference, answer.unpaired]], (v) => points(v), 0);
  const { both, a_only: a, b_only: b, neither } = answer.cells;
  const seen = (of) => (of.smallest === null ? "none" : `${points(of.smallest, 2)} points`);
  const needed = (of) => (of.items === null ? "no number" : of.items.toLocaleString("en"));
  const ends = (of) => `${points(of.low, 2)} to ${points(of.high, 2)} points`;
  table("tie-table", ["", "On the same items", "On separate items"], [
    ["Test", `exact McNemar: ${answer.paired.p_says}`, `two proportions: ${answer.unpaired.z === null ? "" : `z = ${answer.unpaired.z.toFixed(2).replace("-", "−")}, `}${answer.unpaired.p_says}`],
    ["95 % interval of A − B", ends(answer.paired), ends(answer.unpaired)],
    ["Smallest difference seen with 80 % power", seen(answer.paired), seen(answer.unpaired)],
    ["Items to tell them apart with 80 % power", needed(answer.paired), needed(answer.unpaired)],
    ["Items right", `both ${both}, only A ${a}, only B ${b}, neither ${neither}`, "not used"],
  ]);
  const { agree, low, high } = answer.along;
  const chart = new Chart(byId("along-chart"), [0, 1], [Math.min(...low, 0), Math.max(...high, 0)], { xName: "how much the two agree", xWord: short, yWord: (v) => points(v) });
  chart.band(agree, low, high);
  chart.line(0, 0, 1, 0, "mark");
  const at = Number(document.querySelector("input[name=agree]").value);
  chart.line(at, chart.ys[0], at, chart.ys[1], "promise");
}

function bars(id, rows, word, mark = null) {
  const all = rows.flatMap(([, value, of]) => [value, of.low, of.high]).concat(mark === null ? [] : [mark]);
  const low = Math.min(...all), high = Math.max(...all), room = (high - low) * 0.06 || 0.05;
  const chart = new Chart(byId(id), [low - room, high + room], [rows.length, 0], { left: 84, bottom: 24, yWord: () => "", xWord: word });
  if (mark !== null) chart.line(mark, rows.length, mark, 0, "mark");
  rows.forEach(([name, value, of], i) => {
    chart.line(of.low, i + 0.5, of.high, i + 0.5, "hit");
    chart.dot(value, i + 0.5, "hit");
    chart.text(0, chart.y(i + 0.5) + 4, name, { class: "name" });
  });
}

function table(id, head, rows) {
  const cells = ([first, ...rest]) => element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((text) => element("td", {}, text)));
  byId(id).replaceChildren(
    ...(head ? [element("thead", {}, element("tr", {}, ...head.map((text) => (text ? element("th", { scope: "col" }, text) : element("td", {})))))] : []),
    element("tbody", {}, ...rows.map(cells)),
  );
}

function showPlan(answer, query) {
  byId("plan-says").textContent = answer.summary;
  const words = (value) => (value === null ? "—" : typeof value === "number" ? (Number.isInteger(value) ? value.toLocaleString("en") : short(value)) : Array.isArray(value) ? value.map(words).join(", ") : String(value));
  const rows = (of) => Object.entries(of).map(([key, value]) => [key.replaceAll("_", " "), words(value)]);
  table("plan-table", null, rows(answer.plan.answer));
  table("plan-supposed", null, rows(answer.plan.assumptions));
  byId("plan-notes").replaceChildren(...answer.plan.notes.map((note) => element("li", {}, note.text)));
  const figures = answer.curves.filter((curve) => curve.points.length > 1).map((curve) => {
    const svg = drawing("svg", { class: "chart", role: "img", "aria-labelledby": "plan-says" });
    const figure = element("figure", {}, element("figcaption", {}, `${curve.y[0].toUpperCase()}${curve.y.slice(1)} against ${curve.x}`), svg);
    return [figure, svg, curve];
  });
  byId("plan-charts").replaceChildren(...figures.map(([figure]) => figure));
  const scores = /(^|&)(sd|sd_difference|from=data)/.test(query ?? "");
  const { answer: found, assumptions: given } = answer.plan;
  const at = { items: found.items ?? given.items, "samples of each item": found.samples, "true difference": found.difference };
  for (const [, svg, curve] of figures) {
    const xs = curve.points.map(([x]) => x), ys = curve.points.map(([, y]) => y);
    const share = /^(power|probability)/.test(curve.y);
    const yWord = share || (curve.y === "half-width" && !scores) ? percents : (v) => v.toLocaleString("en");
    const xWord = curve.x.startsWith("true difference") && !scores ? (v) => points(v) : (v) => v.toLocaleString("en");
    const room = Math.max(...yLabels(ys, share).map((v) => yWord(v).length)) * 7 + 16;
    const chart = new Chart(svg, [Math.min(...xs, curve.x === "items" ? 0 : Infinity), Math.max(...xs)], [0, share ? 1 : Math.max(...ys) * 1.05], { left: room, xName: curve.x + (xWord(1) === "100.0" ? " (points)" : ""), xWord, yWord });
    chart.curve(xs, ys, "one");
    const here = at[Object.keys(at).find((name) => curve.x === name || curve.x.startsWith(`${name} on`))];
    if (here >= xs[0] && here <= xs.at(-1)) {
      chart.line(here, 0, here, chart.ys[1], "promise");
      const left = chart.x(here) > chart.width / 2;
      chart.text(chart.x(here) + (left ? -6 : 6), chart.top + 10, xWord(here), { class: "promise", "text-anchor": left ? "end" : "start" });
    }
    if (curve.y === "power" && given.power) chart.line(chart.xs[0], given.power, chart.xs[1], given.power, "promise");
  }
}

const yLabels = (ys, share) => (share ? [1] : [Math.max(...ys)]);

// Offer what the data hold, and keep what was chosen.
function offer(selector, values) {
  for (const choice of document.querySelectorAll(selector)) {
    const kept = choice.value, [first] = choice.options;
    choice.replaceChildren(first, ...values.map((name) => element("option", { value: name }, name)));
    choice.value = values.includes(kept) ? kept : "";
  }
}

function offerAll(answer) {
  offer("[data-entries]", answer.entries);
  offer("[data-columns]", answer.columns);
}

function showBoard(answer, query) {
  byId("board-says").textContent = answer.summary;
  offerAll(answer);
  const frame = byId("board");
  frame.hidden = false;
  frame.onload = () => {
    if (!frame.contentDocument) return; // from disk a page may not look into another
    const fit = () => { frame.style.height = `${frame.contentDocument.body.scrollHeight + 8}px`; };
    fit();
    new ResizeObserver(fit).observe(frame.contentDocument.body);
  };
  frame.src = source.board(query);
}
