// Unpack what the page looks up: a JSON head, then columns of whole numbers laid out byte by byte.
const UNKNOWN = -(2 ** 31);

async function unpack() {
  const text = document.getElementById("payload").textContent.trim();
  if (!text || !("DecompressionStream" in window)) return null;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(raw.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(raw.subarray(4, 4 + length)));
  const body = raw.subarray(4 + length);
  const column = ({ at, length: n, bytes, base, list }) => (k) => {
    if (list) return list[k];
    let value = 0;
    for (let plane = bytes - 1; plane >= 0; plane -= 1) value = value * 256 + body[at + plane * n + k];
    return base + value;
  };
  return { head, column };
}

// The two counts of discordant items of pair k, entry i against entry j < i.
function countsOf(found, column) {
  const [row, right, rest] = [found.row, found.right, found.rest].map(column);
  return (k, i, j) => [row(k), row(k) + rest(k) - right(i) + right(j)];
}

// Where the columns hold a pair: at its place, or at the place of its counts.
function placesOf(found, column, items, only) {
  if (!found.keys) return (k) => k;
  const [n, b, c] = found.keys.map(column);
  const size = 2 ** 17;
  const key = (x, y, z) => (x * size + y) * size + z;
  const places = new Map();
  for (let at = 0; at < found.keys[0].length; at += 1) places.set(key(n(at), b(at), c(at)), at);
  return (k, i, j) => places.get(key(items(k), ...only(k, i, j)));
}

// Look pairs up: entry i against entry j, whichever way round the triangle holds them.
function pairsOf(found, column, sign) {
  const columns = Object.fromEntries(Object.entries(found.columns).map(([name, where]) => [name, column(where)]));
  const { difference, low, high, p, adjusted, visible } = columns;
  const items = typeof found.items === "number" ? () => found.items : column(found.items);
  const only = found.only && countsOf(found.only, column);
  const place = placesOf(found, column, items, only);
  const verdict = found.adjusted ?? found.p;
  return (i, j) => {
    const flipped = i < j;
    const [row, col] = flipped ? [j, i] : [i, j];
    const k = (row * (row - 1)) / 2 + col;
    const at = place(k, row, col);
    const gap = difference(at);
    const known = gap !== UNKNOWN;
    const ends = known && low(at) !== UNKNOWN ? [gap - low(at), gap + high(at)] : null;
    const decisive = (adjusted ?? p)(at);
    const counts = only && only(k, row, col);
    const separated = decisive < 0 ? null : decisive < verdict.below;
    return {
      items: items(k),
      difference: known ? (flipped ? -gap : gap) : null,
      ends: ends && flipped ? [-ends[1], -ends[0]] : ends,
      p: p(at) < 0 ? null : found.p.words[p(at)],
      adjusted: adjusted && adjusted(at) >= 0 ? found.adjusted.words[adjusted(at)] : null,
      places: [p(at) < 0 ? null : p(at), adjusted && adjusted(at) >= 0 ? adjusted(at) : null],
      separated,
      ahead: separated ? sign * (flipped ? -gap : gap) > 0 : null,
      visible: visible && visible(at) !== UNKNOWN ? visible(at) : null,
      only: counts && (flipped ? [counts[1], counts[0]] : counts),
    };
  };
}
