// Write whole units of the last decimal as words, the way the rest of the page does.
function fixed(units, digits) {
  const size = Math.abs(units);
  const factor = 10 ** digits;
  const whole = String(Math.floor(size / factor));
  const part = digits ? `.${String(size % factor).padStart(digits, "0")}` : "";
  return (units < 0 ? "−" : "") + whole + part;
}

const signed = (units, digits) => (units > 0 ? "+" : "") + fixed(units, digits);

const range = (ends, digits) => `${signed(ends[0], digits)} to ${signed(ends[1], digits)}`;

const pWords = (p) => (p === null ? "p unknown" : "<>".includes(p[0]) ? `p ${p[0]} ${p.slice(1)}` : `p = ${p}`);

const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

const either = (ends) => (ends ? ends.map((n) => n.toLocaleString("en")).join(" / ") : "—");

// How a column writes a pair, and what it sorts by; a name for every form of report/columns.py.
const FORMS = {
  signed: (found, { digits }) => (found.difference === null ? ["—", null] : [signed(found.difference, digits), found.difference]),
  range: (found, { digits }) => (found.ends ? [range(found.ends, digits), found.ends[0]] : ["—", null]),
  count: (found) => [found.items.toLocaleString("en"), found.items],
  only: (found) => [either(found.only), found.only ? found.only[0] : null],
  p: (found) => [found.p ?? "—", found.places[0]],
  adjusted: (found) => [found.adjusted ?? "—", found.places[1]],
  verdict: (found, { digits }) => {
    if (found.separated === null) return ["not compared", null];
    if (!found.separated) return ["not separated", 0];
    return [`${fixed(Math.abs(found.difference), digits)} ${found.ahead ? "ahead" : "behind"}`, found.difference];
  },
};

// The same for the anchor itself.
const OWN = { signed: ["anchor", 0], verdict: ["anchor", 0] };

// Make an element; children that are texts stay texts.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Give a cell its words and the number that it sorts by.
function fill(cell, value, ...children) {
  cell.replaceChildren(...children);
  if (value === null) delete cell.dataset.v;
  else cell.dataset.v = value;
}

function drawing(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
