// Start: everything that needs no payload at once, the rest when it is unpacked.
const address = new Address();
const changed = () => address.write();
theme();
tips();
tabs(address);
printing();
const unpacked = await unpack();
const unpackedColumns = (found) => Object.fromEntries(Object.entries(found ?? {}).map(([key, where]) => [key, unpacked.column(where)]));
const boards = [...document.querySelectorAll("section.board")].map((section) => new Rows(section, changed, unpackedColumns(unpacked?.head.boards[section.id].sorts)));
for (const each of document.querySelectorAll(".js")) each.hidden = each.matches(".downloads") && !unpacked;
if (unpacked) downloads(unpacked.head.downloads);
boards.forEach((rows, k) => {
  const { section } = rows;
  const data = unpacked?.head.boards[section.id];
  const view = data?.pairs ? new BoardView(rows, data, unpacked.column, openPair, changed) : null;
  if (!view) for (const each of section.querySelectorAll(".views, .with, .status")) each.hidden = true;
  address.add(k ? `${section.id}.` : "", ...addressOf(rows, view));
});
for (const figure of document.querySelectorAll("figure.map")) {
  const found = unpacked?.head.boards[figure.dataset.board]?.map;
  figure.hidden = !found;
  if (found) itemMap(figure, found);
}
address.read();
document.documentElement.dataset.ready = "true";
