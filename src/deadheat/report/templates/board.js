// One board: choose an anchor, show own scores or differences to it.
class BoardView {
  constructor(section, scale, found, pair, openPair) {
    Object.assign(this, { section, scale, found, pair, openPair });
    this.table = section.querySelector("table.rows");
    this.rows = [...this.table.tBodies[0].rows].filter((row) => row.dataset.i !== undefined);
    this.names = this.rows.map((row) => row.querySelector(".name").textContent);
    this.anchor = this.rows.findIndex((row) => row.classList.contains("anchor"));
    this.grid = section.querySelector(".defs symbol");
    this.axis = this.table.querySelector("svg.axis");
    this.pictures = [...this.table.querySelectorAll("tbody svg.bar")];
    this.own = [this.grid, this.axis, ...this.pictures].map((each) => [...each.childNodes]);
    this.ownLine = this.rows.map((row) => row.querySelector("circle, line.ci"));
    this.rows.forEach((row, i) => row.querySelector("button.name").addEventListener("click", () => this.choose(i)));
    for (const button of section.querySelectorAll("[data-view]"))
      button.addEventListener("click", () => this.show(button.dataset.view));
    if (this.anchor >= 0) this.compare();
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
    const { digits } = this.scale;
    let tied = 0;
    let known = 0;
    this.against = this.rows.map((row, i) => (i === this.anchor ? null : this.pair(i, this.anchor)));
    this.rows.forEach((row, i) => {
      const found = this.against[i];
      const isAnchor = i === this.anchor;
      row.classList.toggle("anchor", isAnchor);
      row.classList.toggle("tied", isAnchor || found.separated === false);
      row.classList.toggle("apart", !isAnchor && found.separated !== false);
      row.querySelector("button.name").setAttribute("aria-pressed", String(isAnchor));
      if (found && found.separated !== null) known += 1;
      if (found && found.separated === false) tied += 1;
      const cell = row.querySelector(".c-difference");
      const p = row.querySelector(".c-p");
      for (const each of [cell, p]) {
        each.replaceChildren();
        delete each.dataset.v;
      }
      if (isAnchor) {
        cell.append(element("span", { class: "d" }, "anchor"), " ", element("span", { class: "bounds" }));
        cell.dataset.v = 0;
        p.append("—");
        return;
      }
      const gap = found.difference === null ? "—" : signed(found.difference, digits);
      const button = element("button", { type: "button", class: "d" }, gap);
      button.setAttribute("aria-label", `${gap}: ${this.names[i]} against ${this.names[this.anchor]}, show the items`);
      button.addEventListener("click", () => this.openPair(this, i, this.anchor));
      const ends = element("span", { class: "bounds" }, found.ends ? range(found.ends, digits) : "");
      cell.append(button, " ", ends);
      p.append(found.p ?? "—");
      if (found.difference !== null) cell.dataset.v = found.difference;
      if (found.order !== null) p.dataset.v = found.order;
    });
    this.section.querySelector(".status bdi").textContent = this.names[this.anchor];
    const alpha = this.scale.alpha === null ? "" : ` at α = ${this.scale.alpha}`;
    this.section.querySelector(".says").textContent =
      `${tied} of ${plural(known, "other")} ${tied === 1 ? "is" : "are"} not separated from it${alpha}.`;
  }

  drawOwn() {
    [this.grid, this.axis, ...this.pictures].forEach((each, k) => each.replaceChildren(...this.own[k]));
    this.grid.querySelector(".dh-anchor")?.remove();
    const circle = this.rows[this.anchor]?.querySelector("circle.pt");
    if (circle) {
      const x = circle.getAttribute("cx");
      this.grid.append(drawing("line", { class: "dh-anchor", x1: x, x2: x, y1: 0, y2: "100%" }));
    }
  }

  drawDifferences() {
    const axis = axisOf(this.against.filter((found) => found?.ends).map((found) => found.ends));
    const line = (value, kind) => {
      const x = `${axis.place(value)}%`;
      return drawing("line", { class: kind, x1: x, x2: x, y1: 0, y2: "100%" });
    };
    this.grid.replaceChildren(...axis.ticks.map((tick) => line(tick, "dh-tick")), line(0, "dh-anchor"));
    const whole = axis.ticks.every((tick) => tick % 10 ** this.scale.digits === 0);
    const word = (tick) => (whole ? signed(tick / 10 ** this.scale.digits, 0) : signed(tick, this.scale.digits));
    this.axis.replaceChildren(
      ...axis.ticks.map((tick) => drawing("text", { x: `${axis.place(tick)}%`, y: 16, "text-anchor": "middle" }, word(tick))),
    );
    for (const picture of this.pictures) {
      const i = this.rows.indexOf(picture.closest("tr"));
      const use = drawing("use", { href: `#${this.grid.id}`, width: "100%", height: "100%" });
      picture.replaceChildren(use, ...(i < 0 ? [] : this.marks(axis, i)));
    }
  }

  marks(axis, i) {
    if (i === this.anchor) return [drawing("circle", { class: "pt", cx: `${axis.place(0)}%`, cy: "50%", r: 4.5 })];
    const found = this.against[i];
    if (found.difference === null) return [];
    const [low, high] = found.ends ?? [found.difference, found.difference];
    if (high < axis.low) return [drawing("text", { class: "off", x: "0.3%", y: 22 }, "◂")];
    if (low > axis.high) return [drawing("text", { class: "off", x: "99.7%", y: 22, "text-anchor": "end" }, "▸")];
    const cut = (value) => `${Math.min(100, Math.max(0, axis.place(value)))}%`;
    const bar = drawing("line", { class: "ci", x1: cut(low), x2: cut(high), y1: "50%", y2: "50%" });
    const inside = found.difference >= axis.low && found.difference <= axis.high;
    return inside ? [bar, drawing("circle", { class: "pt", cx: cut(found.difference), cy: "50%", r: 4.5 })] : [bar];
  }
}
