// All pairs as a matrix: differences or p-values, row entry against column entry.
const FIRST_ENTRIES = 20;

function drawMatrix(view) {
  const place = view.section.querySelector(".matrix");
  place.most ??= Math.min(FIRST_ENTRIES, view.lines.length);
  place.kind ??= "difference";
  const n = place.most;
  const head = element("tr", {}, element("th", { scope: "col" }, "Row against column"));
  for (let j = 0; j < n; j += 1) head.append(element("th", { scope: "col", title: view.names[j] }, String(j + 1)));
  const body = element("tbody");
  for (let i = 0; i < n; i += 1) {
    const row = element("tr", {}, element("th", { scope: "row", title: view.names[i] }, `${i + 1} `, element("bdi", {}, view.names[i])));
    for (let j = 0; j < n; j += 1) row.append(matrixCell(view, place.kind, i, j));
    body.append(row);
  }
  const table = element("table", { "aria-label": "All pairs: row entry against column entry" }, element("thead", {}, head), body);
  table.addEventListener("keydown", (event) => moveInMatrix(event, table));
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) view.openPair(view, Number(button.dataset.i), Number(button.dataset.j));
  });
  table.querySelector("button")?.setAttribute("tabindex", "0");
  place.replaceChildren(matrixControls(view, place), table);
}

function matrixCell(view, kind, i, j) {
  if (i === j) return element("td", { class: "self" }, "·");
  const found = view.pair(i, j);
  const gap = found.difference === null ? "—" : signed(found.difference, view.scale.digits);
  const p = found.p ?? "—";
  const side = found.separated ? (found.ahead ? "better" : "worse") : "";
  const button = element("button", { type: "button", tabindex: "-1", "data-i": i, "data-j": j }, kind === "p" ? p : gap);
  const verdict = found.separated === null ? "not known" : found.separated ? "separated" : "not separated";
  button.setAttribute("aria-label", `${view.names[i]} against ${view.names[j]}: ${gap}, ${pWords(found.p)}, ${verdict}`);
  return element("td", { class: side }, button);
}

function matrixControls(view, place) {
  const box = element("div", { class: "matrix-controls" });
  const option = (text, pressed, act) => {
    const button = element("button", { type: "button", class: "chip", "aria-pressed": String(pressed) }, text);
    button.addEventListener("click", () => {
      act();
      drawMatrix(view);
      [...place.querySelectorAll(".chip")].find((each) => each.textContent === text)?.focus();
    });
    return button;
  };
  const kinds = element("span", { class: "views", role: "group", "aria-label": "Write" });
  for (const [kind, text] of [["difference", "Difference"], ["p", "p-value"]])
    kinds.append(option(text, place.kind === kind, () => { place.kind = kind; }));
  const sizes = element("span", { class: "views", role: "group", "aria-label": "How many" });
  const all = view.lines.length;
  for (const size of [...new Set([Math.min(FIRST_ENTRIES, all), Math.min(60, all), all])].filter((size) => size <= 200))
    sizes.append(option(size === all ? `All ${all}` : `First ${size}`, place.most === size, () => { place.most = size; }));
  const key = element("span", {});
  key.append(element("i", { class: "key better" }), " row entry ahead   ", element("i", { class: "key worse" }), " column entry ahead   ",
    element("i", { class: "key" }), " not separated");
  box.append(kinds, sizes, key);
  return box;
}

// Arrow keys walk the cells; only one of them is in the tab order.
function moveInMatrix(event, table) {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  const from = event.target.closest("td");
  if (!step || !from) return;
  event.preventDefault();
  let [row, cell] = [from.parentElement.sectionRowIndex, from.cellIndex];
  let next = null;
  do {
    [row, cell] = [row + step[0], cell + step[1]];
    const found = table.tBodies[0].rows[row]?.cells[cell];
    if (!found || cell < 1) return;
    next = found.querySelector("button");
  } while (!next);
  event.target.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}
