// The outcomes of all items as a picture: a column per item, hardest first, a row per entry, best first.
function itemMap(figure, { items, entries, marks }) {
  const canvas = figure.querySelector("canvas");
  const told = figure.querySelector("output");
  const picture = canvas.getContext("2d");
  let chosen = 0;
  canvas.width = items.length;
  canvas.height = entries.length;

  function draw() {
    const rgb = (key) => {
      const [r, g, b] = getComputedStyle(figure.querySelector(`i.${key}`)).backgroundColor.match(/[\d.]+/g).map(Number);
      return [r, g, b, 255];
    };
    const colours = { 1: rgb("right"), 0: rgb("wrong"), "-": rgb("gone") };
    const image = picture.createImageData(items.length, entries.length);
    marks.forEach((row, y) => {
      for (let x = 0; x < row.length; x += 1) image.data.set(colours[row[x]], 4 * (y * row.length + x));
    });
    picture.putImageData(image, 0, 0);
  }

  function choose(at) {
    chosen = Math.max(0, Math.min(items.length - 1, at));
    const right = entries.filter((_, row) => marks[row][chosen] === "1");
    const ran = marks.filter((row) => row[chosen] !== "-").length;
    told.textContent = `${items[chosen]}: right for ${right.length} of ${ran} entries${right.length ? `: ${right.join(", ")}` : ""}`;
  }

  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    choose(Math.floor(((event.clientX - box.left) / box.width) * items.length));
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(chosen + step);
  });
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
  choose(0);
}
