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
  const column = ({ at, length: n }) => (k) =>
    body[at + k] | (body[at + n + k] << 8) | (body[at + 2 * n + k] << 16) | (body[at + 3 * n + k] << 24);
  return { head, column };
}

// Look pairs up: entry i against entry j, whichever way round the triangle holds them.
function pairsOf(found, column) {
  const [difference, down, up, place] = [found.difference, found.low, found.high, found.p.at].map(column);
  const adjusted = found.adjusted && column(found.adjusted.at);
  const items = typeof found.items === "number" ? () => found.items : column(found.items);
  const only = found.only && found.only.map(column);
  const verdict = found.adjusted ?? found.p;
  return (i, j) => {
    const flipped = i < j;
    const k = flipped ? (j * (j - 1)) / 2 + i : (i * (i - 1)) / 2 + j;
    const gap = difference(k);
    const known = gap !== UNKNOWN;
    const ends = known && down(k) !== UNKNOWN ? [gap - down(k), gap + up(k)] : null;
    const at = (adjusted ?? place)(k);
    return {
      items: items(k),
      difference: known ? (flipped ? -gap : gap) : null,
      ends: ends && flipped ? [-ends[1], -ends[0]] : ends,
      p: place(k) < 0 ? null : found.p.words[place(k)],
      adjusted: adjusted && adjusted(k) >= 0 ? found.adjusted.words[adjusted(k)] : null,
      places: [place(k) < 0 ? null : place(k), adjusted && adjusted(k) >= 0 ? adjusted(k) : null],
      separated: at < 0 ? null : at < verdict.below,
      only: only && (flipped ? [only[1](k), only[0](k)] : [only[0](k), only[1](k)]),
    };
  };
}
