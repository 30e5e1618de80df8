// Sort by a heading, what is not known last either way; find entries by name. Works without any payload.
function sortable(section) {
  const table = section.querySelector("table.rows");
  const body = table.tBodies[0];
  const original = [...body.rows];
  const search = section.querySelector(".search");
  const texts = new Set(["entry"]);
  const rising = new Set(["entry", "rank", "group", "p"]);

  function settle() {
    const untouched = [...body.rows].every((row, k) => row === original[k] && !row.hidden);
    table.classList.toggle("by-score", untouched);
  }

  table.tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button.sort");
    if (!button) return;
    const { key } = button.dataset;
    const head = button.closest("th");
    const now = head.getAttribute("aria-sort");
    const up = now ? now === "descending" : rising.has(key);
    for (const each of table.tHead.querySelectorAll("[aria-sort]")) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => {
      const found = row.querySelector(`.c-${key}`)?.dataset.v;
      return found === undefined ? null : texts.has(key) ? found : Number(found);
    };
    const keyed = original.map((row, k) => ({ row, k, value: value(row) }));
    keyed.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.k - b.k;
      const order = texts.has(key) ? a.value.localeCompare(b.value) : a.value - b.value;
      return (up ? order : -order) || a.k - b.k;
    });
    body.append(...keyed.map((each) => each.row));
    settle();
  });

  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of original) row.hidden = !row.querySelector(".name").textContent.toLowerCase().includes(wanted);
    settle();
  });
}
