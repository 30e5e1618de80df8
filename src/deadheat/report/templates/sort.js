// Sort by a heading, what is not known last either way; find entries by name; fold a long board.
class Rows {
  constructor(section, changed, sorts) {
    this.section = section;
    this.changed = changed;
    this.table = section.querySelector("table.rows");
    this.body = this.table.tBodies[0];
    this.original = [...this.body.rows];
    this.lines = this.original.filter((row) => !row.classList.contains("cut"));
    this.heads = [...this.table.tHead.rows[0].cells];
    this.at = Object.fromEntries(this.heads.map((head, k) => [[...head.classList].find((name) => name.startsWith("c-")).slice(2), k]));
    for (const [key, place] of Object.entries(sorts))
      this.lines.forEach((row, k) => { if (place(k) >= 0) row.cells[this.at[key]].dataset.v = place(k); });
    const folded = this.original.indexOf(this.lines[Number(this.table.dataset.open)]);
    if (folded >= 0) this.original.slice(folded).forEach((row) => row.classList.add("fold"));
    this.search = section.querySelector(".search");
    this.unfold = section.querySelector(".unfold");
    this.more = section.querySelector(".more");
    this.sorted = "";
    for (const row of this.lines) if (row.classList.contains("withheld")) row.cells[0].firstElementChild.tabIndex = 0;
    this.table.tHead.addEventListener("click", (event) => {
      const button = event.target.closest("button.sort");
      if (button) this.toggle(button.dataset.key);
    });
    this.search.addEventListener("input", () => this.find(this.search.value));
    this.unfold?.addEventListener("click", () => this.open(this.table.classList.contains("folded")));
    this.more.addEventListener("click", () => {
      const all = section.classList.toggle("all");
      this.more.setAttribute("aria-pressed", String(all));
    });
    this.open(!this.unfold);
  }

  open(all) {
    this.table.classList.toggle("folded", !all);
    this.shown?.();
    if (!this.unfold) return;
    this.unfold.setAttribute("aria-expanded", String(all));
    this.folds ??= this.unfold.textContent;
    this.unfold.textContent = all ? this.unfold.dataset.less : this.folds;
  }

  toggle(key) {
    const rising = ["entry", "a", "rank", "group", "p", "p_adjusted"].includes(key);
    const now = this.sorted || "-value";
    const up = now.replace("-", "") === key ? now.startsWith("-") : rising;
    this.sort(`${up ? "" : "-"}${key}`);
    this.changed();
  }

  sort(how) {
    const up = how !== "" && !how.startsWith("-");
    const k = this.at[how.replace("-", "") || "value"];
    if (how && k === undefined) return;
    this.sorted = how;
    for (const head of this.heads) head.removeAttribute("aria-sort");
    this.heads[k]?.setAttribute("aria-sort", up ? "ascending" : "descending");
    if (!how) return this.settle(this.original);
    const value = (row) => (row.cells[k].dataset.v === undefined ? null : Number(row.cells[k].dataset.v));
    const keyed = this.lines.map((row, place) => ({ row, place, value: value(row) }));
    keyed.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.place - b.place;
      return (up ? a.value - b.value : b.value - a.value) || a.place - b.place;
    });
    const sorted = keyed.map((each) => each.row);
    this.settle(sorted.every((row, k) => row === this.lines[k]) ? this.original : [...sorted, ...this.original.filter((row) => row.classList.contains("cut"))]);
  }

  find(text) {
    if (this.search.value !== text) this.search.value = text;
    const wanted = text.trim().toLowerCase();
    for (const row of this.lines) row.hidden = !nameOf(row).toLowerCase().includes(wanted);
    this.settle();
    this.changed();
  }

  // Whether a row is out of sight within the fold; its picture can wait.
  away(row) {
    return row.classList.contains("fold") && this.table.classList.contains("folded") && this.table.classList.contains("by-score");
  }

  // Rules, tie lines and the fold belong to the order of the board.
  settle(order) {
    if (order) this.body.append(...order);
    const plain = [...this.body.rows].filter((row) => !row.classList.contains("cut")).every((row, k) => row === this.lines[k] && !row.hidden);
    this.table.classList.toggle("by-score", plain);
    if (this.unfold) this.unfold.hidden = !plain;
    this.shown?.();
  }
}

// The whole name of a row's entry: what is shown of it may be shortened.
const nameOf = (row) => row.cells[0].querySelector(".name").dataset.tip.split("\n")[0];
