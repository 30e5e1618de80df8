// One board: choose an anchor, show own scores or differences to it.
class BoardView {
  constructor(section, scale, columns, pair, openPair) {
    Object.assign(this, { section, scale, columns, pair, openPair });
    this.table = section.querySelector("table.rows");
    this.rows = [...this.table.tBodies[0].rows].filter((row) => row.dataset.i !== undefined);
    this.names = this.rows.map((row) => row.querySelector(".name").textContent);
    this.anchor = this.rows.findIndex((row) => row.classList.contains("anchor"));
    this.axis = this.table.querySelector("svg.axis");
    this.pictures = [...this.table.querySelectorAll("tbody svg.bar")];
    this.own = [this.axis, ...this.pictures].map((each) => [...each.childNodes]);
    this.ticks = this.axis.dataset.ticks ? this.axis.dataset.ticks.split(" ").map(Number) : [];
    this.table.tBodies[0].addEventListener("click", (event) => {
      const button = event.target.closest("button");
      const i = button ? this.rows.indexOf(button.closest("tr")) : -1;
      if (button?.matches(".name")) this.choose(i);
      if (button?.matches(".d")) this.openPair(this, i, this.anchor);
    });
    for (const button of section.querySelectorAll("[data-view]"))
      button.addEventListener("click", () => this.show(button.dataset.view));
  }

  choose(i) {
    this.anchor = i;
    this.compare();
    this.show("difference");
  }

  show(view) {
    this.view = view;
    for (const button of this.section.querySelectorAll("[data-view]"))
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
    this.table.hidden = view === "pairs";
    this.section.querySelector(".matrix").hidden = view !== "pairs";
    for (const part of this.section.querySelectorAll(".search, .status, .legend")) part.hidden = view === "pairs";
    this.section.querySelector(".what").textContent = view === "difference" ? "difference to the anchor" : "score";
    if (view === "pairs") drawMatrix(this);
    else if (view === "difference" && this.anchor >= 0) this.drawDifferences();
    else this.drawOwn();
  }

  // Put the looked-up numbers of every row against the anchor into words.
  compare() {
    this.against = this.rows.map((row, i) => (i === this.anchor ? null : this.pair(i, this.anchor)));
    this.rows.forEach((row, i) => {
      const found = this.against[i];
      row.classList.toggle("anchor", !found);
      row.classList.toggle("tied", !found || found.separated === false);
      row.classList.toggle("apart", Boolean(found) && found.separated !== false);
      row.querySelector("button.name").setAttribute("aria-pressed", String(!found));
      for (const { key, form } of this.columns) {
        const [word, sort] = found ? FORMS[form](found, this.scale) : OWN[form] ?? ["—", null];
        fill(row.querySelector(`.c-${key}`), sort, key === "difference" && found ? this.button(word, i) : word);
      }
    });
    const verdicts = this.against.filter((found) => found && found.separated !== null);
    const tied = verdicts.filter((found) => !found.separated).length;
    this.section.querySelector(".status bdi").textContent = this.names[this.anchor];
    this.section.querySelector(".says").textContent = this.says(tied, verdicts.length);
  }

  button(word, i) {
    const label = `${word}: ${this.names[i]} against ${this.names[this.anchor]}, show the items`;
    return element("button", { type: "button", class: "d", "aria-label": label }, word);
  }

  says(tied, known) {
    const at = this.scale.alpha === null ? "" : ` at α = ${this.scale.alpha}`;
    if (known === 1) return `the other entry is ${tied ? "not " : ""}separated from it${at}.`;
    return `${tied} of ${known.toLocaleString("en")} others ${tied === 1 ? "is" : "are"} not separated from it${at}.`;
  }

  drawOwn() {
    [this.axis, ...this.pictures].forEach((each, k) => each.replaceChildren(...this.own[k]));
    const circle = this.rows[this.anchor]?.querySelector("circle.pt");
    this.drawGrid(this.ticks, circle ? parseFloat(circle.getAttribute("cx")) : null);
  }

  // Ticks and the anchor's line are the background of every picture.
  drawGrid(ticks, line) {
    const images = [...(line === null ? [] : ["var(--dh-anchor)"]), ...ticks.map(() => "var(--dh-tick)")];
    const places = [...(line === null ? [] : [line]), ...ticks].map((x) => `${x}% 0`);
    this.table.style.setProperty("--dh-images", images.join());
    this.table.style.setProperty("--dh-places", places.join());
  }

  drawDifferences() {
    if (!this.against) this.compare();
    const { digits } = this.scale;
    const axis = axisOf(this.against.filter((found) => found?.ends).map((found) => found.ends));
    this.drawGrid(axis.ticks.map(axis.place), axis.place(0));
    const whole = axis.ticks.every((tick) => tick % 10 ** digits === 0);
    const word = (tick) => (whole ? signed(tick / 10 ** digits, 0) : signed(tick, digits));
    const label = (tick) => drawing("text", { x: `${axis.place(tick)}%`, y: 16, "text-anchor": "middle" }, word(tick));
    this.axis.replaceChildren(...axis.ticks.map(label));
    const row = new Map(this.rows.map((each, i) => [each, i]));
    for (const picture of this.pictures) {
      const i = row.get(picture.closest("tr"));
      picture.replaceChildren(...(i === undefined ? [] : this.marks(axis, i)));
    }
  }

  marks(axis, i) {
    if (i === this.anchor) return [drawing("circle", { class: "pt", cx: `${axis.place(0)}%`, cy: "50%", r: 4.5 })];
    const found = this.against[i];
    if (found.difference === null) return [];
    const [low, high] = found.ends ?? [found.difference, found.difference];
    const beyond = found.difference < axis.low ? "low" : found.difference > axis.high ? "high" : "";
    const sign = {
      low: () => drawing("text", { class: "off", x: "0.3%", y: "50%", dy: 4 }, "◂"),
      high: () => drawing("text", { class: "off", x: "99.7%", y: "50%", dy: 4, "text-anchor": "end" }, "▸"),
    };
    const first = beyond === "low" ? BESIDE : 0;
    const last = beyond === "high" ? 100 - BESIDE : 100;
    const [x1, x2] = [Math.max(first, axis.place(low)), Math.min(last, axis.place(high))];
    const marks = x1 <= x2 ? [drawing("line", { class: "ci", x1: `${x1}%`, x2: `${x2}%`, y1: "50%", y2: "50%" })] : [];
    if (beyond) return [sign[beyond](), ...marks];
    return [...marks, drawing("circle", { class: "pt", cx: `${axis.place(found.difference)}%`, cy: "50%", r: 4.5 })];
  }
}
