// Where each number comes from: its formula, and the line of Python that gives it.
const MODULES = `import deadheat as dh
from math import sqrt
from scipy.stats import binomtest, norm
from deadheat.stats.paired.paired_intervals import tango
from deadheat.stats.paired.unpaired import newcombe_unpaired
from deadheat.stats.power.power_paired import items_to_run, paired_effect, paired_effect_exact, paired_items
from deadheat.stats.power.power_unpaired import unpaired_effect, unpaired_items
from deadheat.stats.score import exact_coverage as exact`;
const WILSON = "(p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) / (1 + z²/n)";
const SUM = "Σₖ C(n, k)·rᵏ·(1 − r)ⁿ⁻ᵏ over the counts k whose interval holds r";

// Rows of [what it is, its value, formula, Python].
const MADE = {
  rerun(answer, asked) {
    const [items, level] = [asked.get("items") ?? 200, answer.level];
    const rows = [];
    if (answer.method === "wilson") {
      const right = Math.round(answer.score[0] * items);
      rows.push(["Interval of the first run", [answer.low[0], answer.high[0]], WILSON, `dh.wilson(${right}, ${items}, ${level})`]);
    }
    rows.push(["What 30 runs tell of the share", [answer.running.low.at(-1), answer.running.high.at(-1)], WILSON, `dh.wilson(${answer.running.count.at(-1)}, 30)`]);
    if (answer.promise.coverage !== null && answer.promise.error === null) {
      const name = answer.method === "percentile" ? "bootstrap" : answer.method;
      const ends = `exact.interval_ends(exact.COVERAGE_METHODS["${name}"], ${items}, ${level})`;
      rows.push(["What the share tends to", answer.promise.coverage, SUM, `exact.coverage(${ends}, ${asked.get("rate") ?? 0.6})`]);
    }
    return rows;
  },
  coverage(answer) {
    return answer.curves.flatMap((each) => {
      const call = `dh.coverage("${each.method}", ${answer.items}, level=${answer.level})`;
      return [
        [`${each.label}: lowest coverage`, each.infimum.coverage, `infimum over r of ${SUM}`, `${call}.infimum["coverage"]`],
        [`${each.label}: on average`, each.mean, "the same sum, integrated over r from 0 to 1", `${call}.mean`],
      ];
    });
  },
  tie(answer) {
    const { n, cells: { both, a_only: b, b_only: c, neither }, paired, unpaired } = answer;
    const [x, y, apart] = [answer.a.right, answer.b.right, `${b + c} / ${n}`];
    const rows = [
      ["Interval of A", [answer.a.low, answer.a.high], WILSON, `dh.wilson(${x}, ${n})`],
      ["Interval of B", [answer.b.low, answer.b.high], WILSON, `dh.wilson(${y}, ${n})`],
      ["p on the same items", paired.p, "2·P(X ≤ min(b, c)) for X from b + c tosses of a fair coin, at most 1; b, c: items right for A only, B only", b + c ? `binomtest(${b}, ${b + c}).pvalue` : "1.0"],
      ["Interval on the same items", [paired.low, paired.high], "the δ with |b − c − nδ| ≤ z·√(n(2q + δ(1 − δ))), q: its maximum likelihood under δ (Tango)", `tango(${both}, ${b}, ${c}, ${neither})`],
      ["p on separate items", unpaired.p, "2·P(Z ≥ |z|)", unpaired.z === null ? "1.0" : `2 * norm.sf(abs(${zLine(x, y, n)}))`],
      ["Interval on separate items", [unpaired.low, unpaired.high], "A − B ∓ √ of the sum of squared distances to the Wilson ends (Newcombe)", `newcombe_unpaired(${x}, ${n}, ${y}, ${n})`],
    ];
    if (unpaired.z !== null) rows.push(["z on separate items", unpaired.z, "(A − B) / √(2·p(1 − p)/n), p: rate of both together", zLine(x, y, n)]);
    const exactly = paired.power_by.startsWith("exact");
    const by = exactly ? "P(p < α), summed over all counts b and c" : "Connor’s formula";
    if (paired.smallest !== null) rows.push(["Smallest difference, same items", paired.smallest, `the least δ with 80 % power: ${by}`, `${exactly ? "paired_effect_exact" : "paired_effect"}(${apart}, ${n}, 0.8, 0.05)`]);
    if (unpaired.smallest !== null) rows.push(["Smallest difference, separate items", unpaired.smallest, "the least δ with 80 % power: Fleiss’ formula", `unpaired_effect(${x + y} / ${2 * n}, ${n}, 0.8, 0.05)`]);
    if (paired.items !== null) rows.push(["Items, same items", paired.items, `the fewest n with 80 % power: ${by}`, `${exactly ? "items_to_run" : "paired_items"}(${Math.abs(x - y)} / ${n}, ${apart}, 0.8, 0.05)`]);
    if (unpaired.items !== null) rows.push(["Items, separate items", unpaired.items, "the fewest n with 80 % power: Fleiss’ formula", `unpaired_items(${x} / ${n}, ${y} / ${n}, 0.8, 0.05)`]);
    return rows;
  },
  plan(answer, asked) {
    const what = {
      margin: "the fewest n at which half of the interval’s width is at most the half-width",
      items: "the fewest n with P(p < α) ≥ power",
      power: "P(p < α): summed over all counts where the test is exact, else by the formula named above",
      mde: "the least δ with P(p < α) ≥ power",
      samples: "the number k that makes n(k)·(item + k·sample) least, or the power for the budget greatest",
      board: "P(every score is above the next one’s)",
    }[answer.plan.question];
    return [["The answer", answer.plan.answer, what, `${planLine(answer.plan.question, asked)}.answer`]];
  },
  board(answer, asked) {
    const named = ["level", "test", "interval", "adjust", "alpha", "anchor", "by"];
    const said = named.filter((name) => asked.get(name) && asked.get(name) !== "default").map((name) => `${name}=${python(asked.get(name))}`);
    const estimand = ["metric", "k", "cluster", "generalises_to", "weights", "failed", "absent"];
    const about = estimand.filter((name) => asked.get(name) && !(name === "k" && asked.get("metric") === "mean")).map((name) => `${name}=${python(asked.get(name))}`);
    return [["The board", null, "each method is named under the board", `dh.rank("results.csv", dh.Estimand(${about.join(", ")})${said.map((each) => `, ${each}`).join("")})`]];
  },
};

const zLine = (x, y, n) => `(${x} - ${y}) / ${n} / sqrt(2 * ${x + y} / ${2 * n} * (1 - ${x + y} / ${2 * n}) / ${n})`;

const python = (text) => (text !== "" && Number.isFinite(Number(text)) ? text : JSON.stringify(text));

function planLine(question, asked) {
  const pair = (asked.get("rates") ?? "").split(/[\s,;]+/).filter(Boolean);
  const given = ["half_width", "rate", "items", "probability", "difference", "discordance", "correlation", "sd", "sd_difference", "claim", "margin", "item_cost", "sample_cost", "budget", "power", "alpha", "level"];
  const layout = ["samples", "noise", "cluster_size", "icc"].filter((name) => asked.get(name));
  const said = given.filter((name) => asked.get(name) && !(question === "board" && name === "items" && asked.get("probability"))).map((name) => `${name}=${python(asked.get(name))}`);
  if (pair.length) said.unshift(`rates=(${pair.join(", ")})`);
  if (asked.get("from") === "data") {
    const named = ["first", "second"].filter((name) => asked.get(name)).map((name) => `, ${JSON.stringify(asked.get(name))}`).join("");
    said.unshift(`observed=dh.plan.${question === "margin" ? "observe_score" : "observe"}(dh.read("results.csv")${named})`);
  }
  const arranged = layout.map((name) => `${name}=${asked.get(name)}`);
  if (question === "samples") {
    if (!asked.get("noise") && asked.get("from") !== "data") arranged.push("noise=0.3");
    said.push(...arranged);
  } else if (arranged.length) said.push(`layout=dh.plan.Layout(${arranged.join(", ")})`);
  return `dh.plan.${question}(${said.join(", ")})`;
}

// Put the rows under a view, folded.
function showMade(view, answer, query) {
  const place = byId(`made-${view}`);
  if (!place) return;
  const word = (value) => (value === null ? "" : typeof value === "object" && !Array.isArray(value) ? "" : [value].flat().map((each) => short(each).replace("-", "−")).join(" to "));
  const rows = MADE[view](answer, new URLSearchParams(query)).map(([name, value, formula, line]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, word(value)), element("td", {}, formula),
      element("td", {}, element("code", { "data-value": JSON.stringify(value) }, line))));
  const head = ["Number", "Value", "Formula", "Python"].map((text) => element("th", { scope: "col" }, text));
  place.replaceChildren(
    element("pre", {}, element("code", {}, MODULES)),
    element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": "Formulas and Python" },
      element("table", { class: "plain" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows))),
  );
}
