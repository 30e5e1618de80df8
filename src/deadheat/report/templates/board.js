// One board: choose whom to compare with; show differences to it, own scores, or all pairs.
class BoardView {
  constructor(rows, data, column, openPair, changed) {
    Object.assign(this, { rows, openPair, changed, section: rows.section, table: rows.table });
    Object.assign(this, { scale: data.scale, columns: data.columns, names: data.names, outcomes: data.outcomes });
    this.pair = pairsOf(data.pairs, column, data.scale.sign);
    this.own = data.own && { ticks: data.own.ticks, marks: Object.fromEntries(Object.entries(data.own.marks).map(([key, where]) => [key, column(where)])) };
    this.lines = rows.lines.filter((row) => !row.classList.contains("withheld"));
    this.index = new Map(this.lines.map((row, i) => [row, i]));
    this.leader = this.lines.findIndex((row) => row.classList.contains("anchor"));
    this.axis = this.table.querySelector("svg.axis");
    this.select = this.section.querySelector("select.anchor");
    this.status = this.section.querySelector(".status");
    this.lines.forEach((row) => this.nameButton(row));
    this.select.append(...this.names.map((name, i) => element("option", { value: i }, i === this.leader ? `${name} (default)` : name)));
    this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
    this.table.tBodies[0].addEventListener("click", (event) => {
      const button = event.target.closest("button");
      const i = button ? this.index.get(button.closest("tr")) : undefined;
      if (button?.matches(".name")) this.choose(i);
      if (button?.matches(".d")) this.openPair(this, i, this.anchor);
    });
    for (const button of this.section.querySelectorAll("[data-view]"))
      button.addEventListener("click", () => { this.show(button.dataset.view); this.changed(); });
    this.set(Math.max(this.leader, 0));
    this.view = "difference";
    this.drawn = { anchor: Math.max(this.leader, 0), view: "difference", away: false };
    rows.shown = () => this.draw();
    if (this.leader < 0) this.show("difference");
  }

  // What can be clicked is a button only where scripts run.
  nameButton(row) {
    const name = row.cells[0].firstElementChild;
    const button = element("button", { type: "button", class: "name", "data-tip": name.dataset.tip, "aria-pressed": "false" }, ...name.childNodes);
    name.replaceWith(button);
  }

  choose(i) {
    this.set(i);
    if (this.lines[i].classList.contains("fold")) this.rows.open(true);
    this.show(this.view === "pairs" ? "difference" : this.view);
    this.changed();
  }

  set(i) {
    this.anchor = i;
    this.select.value = String(i);
    this.against = this.lines.map((row, j) => (j === i ? null : this.pair(j, i)));
    this.compare();
  }

  show(view) {
    this.view = view;
    for (const button of this.section.querySelectorAll("[data-view]"))
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
    const pairs = view === "pairs";
    this.section.querySelector(".matrix").hidden = !pairs;
    for (const part of this.section.querySelectorAll(".wide, .search, .more, .with, .status, .legend, .unfold")) part.hidden = pairs;
    if (pairs) return drawMatrix(this);
    this.rows.settle();
    this.draw();
    this.section.querySelector(".what").textContent = view === "difference" ? "difference on the same items" : "score";
    const shade = this.section.querySelector(".shade");
    if (shade) shade.hidden = view !== "difference";
  }

  // Draw what is in sight, unless it is drawn already.
  draw() {
    const away = this.lines.some((row) => this.rows.away(row));
    const { anchor, view } = this.drawn;
    if (this.view === "pairs" || (anchor === this.anchor && view === this.view && (away || !this.drawn.away))) return;
    this.drawn = { anchor: this.anchor, view: this.view, away };
    if (this.view === "difference") this.drawDifferences();
    else this.drawOwn();
  }

  // Put the looked-up numbers of every row against the anchor into words.
  compare() {
    this.lines.forEach((row, i) => {
      const found = this.against[i];
      row.classList.toggle("anchor", !found);
      row.classList.toggle("tied", !found || found.separated === false);
      row.cells[0].firstElementChild.setAttribute("aria-pressed", String(!found));
      for (const { key, form } of this.columns) {
        const [word, sort] = found ? FORMS[form](found, this.scale) : OWN[form] ?? ["—", null];
        const shown = word === "—" ? element("span", { class: "dash" }, word) : key === "verdict" && found ? this.button(word, i) : word;
        fill(row.cells[this.rows.at[key]], sort, shown);
      }
    });
    const verdicts = this.against.filter((found) => found && found.separated !== null);
    this.status.textContent = this.says(verdicts);
  }

  button(word, i) {
    const label = `${word}: ${this.names[i]} against ${this.names[this.anchor]}, show the items`;
    return element("button", { type: "button", class: "d", "aria-label": label }, word);
  }

  says(verdicts) {
    const near = verdicts.filter((found) => !found.separated).length;
    const above = verdicts.filter((found) => found.ahead).length;
    const below = verdicts.length - near - above;
    const p = this.scale.alpha === null ? "" : ` (p < ${String(this.scale.alpha).replace("0.", ".")})`;
    const told = [`${near.toLocaleString("en")} not separated from it`];
    if (above) told.push(`${above.toLocaleString("en")} ahead`);
    if (below) told.push(`${below.toLocaleString("en")} behind`);
    const name = this.lines[this.anchor].querySelector("bdi").textContent;
    return `Of ${verdicts.length.toLocaleString("en")} compared with ${name}: ${told.join(", ")}${p}.`;
  }

  drawOwn() {
    if (!this.own) return this.drawGrid([], null);
    const { low, high, point, beyond } = this.own.marks;
    const at = (places, k) => (places(k) < 0 ? null : places(k) / 100);
    this.drawTicks(this.own.ticks);
    this.drawGrid(this.own.ticks.map(([x]) => x), at(point, this.rows.lines.indexOf(this.lines[this.anchor])));
    this.rows.lines.forEach((row, k) => {
      if (this.rows.away(row)) return;
      const side = ["", "low", "high"][beyond(k)];
      row.cells[2].firstElementChild.replaceChildren(...this.marks(at(low, k), at(high, k), at(point, k), side, null, at(low, k) === null));
    });
  }

  // Ticks and the anchor's line are the background of every picture.
  drawGrid(ticks, line) {
    const images = [...(line === null ? [] : ["var(--dh-anchor)"]), ...ticks.map(() => "var(--dh-tick)")];
    const places = [...(line === null ? [] : [line]), ...ticks].map((x) => `${x}% 0`);
    this.table.style.setProperty("--dh-images", images.join() || "none");
    this.table.style.setProperty("--dh-places", places.join() || "0 0");
  }

  drawTicks(ticks) {
    this.axis.replaceChildren(...ticks.map(([x, word]) => drawing("text", { x: `${x}%`, y: 16, "text-anchor": "middle" }, word)));
  }

  drawDifferences() {
    const { digits } = this.scale;
    const known = this.against.filter((found) => found && found.difference !== null);
    const axis = axisOf(known.map((found) => found.ends ?? [found.difference, found.difference]));
    const whole = axis.ticks.every((tick) => tick % 10 ** digits === 0);
    const word = (tick) => (whole ? signed(tick / 10 ** digits, 0) : signed(tick, digits));
    this.drawGrid(axis.ticks.map(axis.place), axis.place(0));
    this.drawTicks(axis.ticks.map((tick) => [axis.place(tick), word(tick)]));
    this.lines.forEach((row, i) => this.rows.away(row) || row.cells[2].firstElementChild.replaceChildren(...this.difference(axis, i)));
    for (const row of this.rows.lines) if (row.classList.contains("withheld")) row.cells[2].firstElementChild.replaceChildren();
  }

  difference(axis, i) {
    const found = this.against[i];
    if (!found) return this.marks(null, null, axis.place(0), "", null);
    if (found.difference === null) return [];
    const beyond = found.difference < axis.low ? "low" : found.difference > axis.high ? "high" : "";
    const [low, high] = (found.ends ?? [found.difference, found.difference]).map(axis.place);
    const first = beyond === "low" ? BESIDE : 0;
    const last = beyond === "high" ? 100 - BESIDE : 100;
    const [x1, x2] = [Math.max(first, low), Math.min(last, high)];
    const zone = found.visible === null ? null : [Math.max(axis.place(-found.visible), 0), Math.min(axis.place(found.visible), 100)];
    const inside = found.ends && x1 <= x2;
    return this.marks(inside ? x1 : null, inside ? x2 : null, beyond ? null : axis.place(found.difference), beyond, zone, !found.ends);
  }

  marks(low, high, point, beyond, zone, hollow = false) {
    const made = [];
    if (zone) made.push(drawing("rect", { x: `${zone[0]}%`, width: `${zone[1] - zone[0]}%`, height: "100%" }));
    if (beyond) made.push(drawing("text", { class: "off", x: beyond === "low" ? "0.3%" : "99.7%", y: "50%", dy: 4, ...(beyond === "high" && { "text-anchor": "end" }) }, beyond === "low" ? "◂" : "▸"));
    if (low !== null) made.push(drawing("line", { class: "ci", x1: `${low}%`, x2: `${high}%`, y1: "50%", y2: "50%" }));
    if (point !== null) made.push(drawing("circle", { class: hollow ? "pt hollow" : "pt", cx: `${point}%`, cy: "50%", r: 4.5 }));
    return made;
  }
}
