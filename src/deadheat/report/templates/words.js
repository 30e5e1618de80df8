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
