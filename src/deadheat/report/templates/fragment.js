// Sort a table by its headings. A cell without a number (data-value="") comes last whichever way the arrow points.
(() => {
  const value = (row, column) => {
    const text = row.cells[column].dataset.value;
    return text === "" ? null : text;
  };
  const nullLast = (column, sign, numeric) => (one, other) => {
    const a = value(one, column);
    const b = value(other, column);
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (numeric ? Number(a) - Number(b) : a.localeCompare(b));
  };
  for (const table of document.querySelectorAll("table.dh-board")) {
    const rows = [...table.tBodies[0].rows];
    table.tHead.addEventListener("click", (event) => {
      const head = event.target.closest("th");
      if (!event.target.closest("button")) return;
      const now = head.getAttribute("aria-sort");
      const up = now ? now === "descending" : head.dataset.first === "ascending";
      for (const each of table.tHead.querySelectorAll("[aria-sort]")) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const order = nullLast(head.cellIndex, up ? 1 : -1, !head.classList.contains("dh-text"));
      table.tBodies[0].append(...[...rows].sort(order));
    });
  }
})();
