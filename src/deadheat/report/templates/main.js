// Start: everything that needs no payload at once, the rest when it is unpacked.
theme();
tips();
tabs();
printing();
const sections = [...document.querySelectorAll("section.board")];
sections.forEach(sortable);
const unpacked = await unpack();
for (const each of document.querySelectorAll(".js")) each.hidden = each.matches(".downloads") && !unpacked;
if (unpacked) {
  const { head, column } = unpacked;
  downloads(head.downloads);
  for (const section of sections) {
    const found = head.boards[section.id];
    if (!found) continue;
    const view = new BoardView(section, found.scale, found.columns, pairsOf(found.pairs, column), openPair);
    view.outcomes = found.outcomes;
  }
} else {
  for (const each of document.querySelectorAll(".views")) each.hidden = true;
}
document.documentElement.dataset.ready = "true";
