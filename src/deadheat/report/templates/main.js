// Start: everything that needs no payload at once, the rest when it is unpacked.
const address = new Address();
const changed = () => address.write();
theme();
tips();
tabs(address);
printing();
const boards = [...document.querySelectorAll("section.board")].map((section) => new Rows(section, changed));
const unpacked = await unpack();
for (const each of document.querySelectorAll(".js")) each.hidden = each.matches(".downloads") && !unpacked;
if (unpacked) downloads(unpacked.head.downloads);
boards.forEach((rows, k) => {
  const { section } = rows;
  const data = unpacked?.head.boards[section.id];
  const view = data ? new BoardView(rows, data, unpacked.column, openPair, changed) : null;
  if (!view) for (const each of section.querySelectorAll(".views, .with, .status")) each.hidden = true;
  address.add(k ? `${section.id}.` : "", ...addressOf(rows, view));
});
address.read();
document.documentElement.dataset.ready = "true";
