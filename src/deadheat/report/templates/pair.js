// One pair in a dialog: the plain sentence, the table of four cells, the items on which the two differ.
function openPair(view, i, j) {
  const dialog = document.getElementById("pair");
  const found = view.pair(i, j);
  const [a, b] = [view.names[i], view.names[j]];
  const close = element("button", { type: "button", class: "chip close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const title = element("h2", { id: "pair-title" }, element("bdi", {}, a), " against ", element("bdi", {}, b));
  dialog.replaceChildren(close, title, element("p", {}, sentence(view, found, a, b)));
  if (found.only) dialog.append(...fourCells(view, found, i, j));
  dialog.showModal();
}

function sentence(view, found, a, b) {
  const { digits, points, level } = view.scale;
  if (found.difference === null) return `${a} and ${b} share ${plural(found.items, "item")}: nothing can be said of their difference.`;
  const unit = points ? ` ${points}` : "";
  const ends = found.ends ? ` (${level ? `${level} interval ` : ""}${range(found.ends, digits)})` : "";
  const adjusted = found.adjusted === null ? "" : `, adjusted ${found.adjusted}`;
  const facts = `${signed(found.difference, digits)}${unit}${ends} on ${plural(found.items, "shared item")}, ${pWords(found.p)}${adjusted}`;
  if (found.separated === null) return `${a} against ${b}: ${facts}.`;
  if (!found.separated) return `${a} and ${b} are not separated: ${facts}.`;
  return `${found.ahead ? a : b} is ahead of ${found.ahead ? b : a}: ${facts}.`;
}

function fourCells(view, found, i, j) {
  const [a, b] = [view.names[i], view.names[j]];
  const lists = view.outcomes ? sortItems(view.outcomes, i, j) : null;
  const cell = (key, n) => element("td", { class: "num" }, lists ? String(lists[key].length) : n === null ? "—" : String(n));
  const name = (text) => element("bdi", {}, text);
  const table = element("table", { class: "plain" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, element("span", { class: "vh" }, "Outcome")),
      element("th", { scope: "col", class: "num" }, name(b), " right"), element("th", { scope: "col", class: "num" }, name(b), " wrong"))),
    element("tbody", {},
      element("tr", {}, element("th", { scope: "row" }, name(a), " right"), cell("11", null), cell("10", found.only[0])),
      element("tr", {}, element("th", { scope: "row" }, name(a), " wrong"), cell("01", found.only[1]), cell("00", null))));
  const parts = [table];
  for (const [key, who] of [["10", a], ["01", b]]) {
    if (!lists || !lists[key].length) continue;
    const list = element("ul", {}, ...lists[key].map((item) => element("li", {}, element("bdi", {}, item))));
    parts.push(element("details", {}, element("summary", {}, `Only `, name(who), ` right: ${plural(lists[key].length, "item")}`), list));
  }
  return parts;
}

// Put the items that both have into four lists by their outcomes.
function sortItems(outcomes, i, j) {
  const lists = { "11": [], "10": [], "01": [], "00": [] };
  const [one, two] = [outcomes.marks[i], outcomes.marks[j]];
  outcomes.items.forEach((item, k) => lists[one[k] + two[k]]?.push(item));
  return lists;
}
