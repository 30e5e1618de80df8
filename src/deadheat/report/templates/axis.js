// Choose an axis for differences: it shows the rows near the anchor well, and clips the far ones.
const INSET = 3;
const BESIDE = 2.8;

function axisOf(spans) {
  if (!spans.length) spans = [[-1, 1]];
  const near = [...spans].sort((a, b) => distance(a) - distance(b)).slice(0, Math.max(8, Math.ceil(spans.length / 2)));
  let [low, high] = ends(near);
  const [least, most] = ends(spans);
  if (most - least <= 1.5 * (high - low)) [low, high] = [least, most];
  if (low === high) [low, high] = [low - 1, high + 1];
  const step = roundStep((high - low) / 5);
  const ticks = [];
  for (let n = Math.ceil(low / step); n * step <= high; n += 1) ticks.push(n * step);
  const place = (value) => INSET + ((value - low) / (high - low)) * (100 - 2 * INSET);
  return { low, high, ticks, place };
}

const ends = (spans) => [Math.min(0, ...spans.map((s) => s[0])), Math.max(0, ...spans.map((s) => s[1]))];

const distance = (span) => Math.abs(span[0] + span[1]);

function roundStep(raw) {
  const power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(1, power * [1, 2, 5, 10].find((lead) => raw <= power * lead * 1.000000001));
}
