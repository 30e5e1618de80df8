// Axes and shapes of a chart; where things are drawn, never what they are.
class Chart {
  constructor(svg, x, y, { left = 52, right = 14, top = 8, bottom = 36, xName = "", xWord = String, yWord = String } = {}) {
    this.svg = svg;
    const { width, height } = svg.getBoundingClientRect();
    Object.assign(this, { width, height, left, top, right: width - right, bottom: height - bottom, xs: x, ys: y });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    for (const value of ticks(y, Math.max(2, this.height / 60))) {
      this.line(x[0], value, x[1], value, "grid");
      this.text(left - 6, this.y(value) + 4, yWord(value), { "text-anchor": "end" });
    }
    for (const value of ticks(x, Math.max(2, (this.right - left) / 90))) {
      this.line(value, y[0], value, y[1], "grid");
      this.text(this.x(value), this.bottom + 16, xWord(value), { "text-anchor": "middle" });
    }
    if (xName) this.text((left + this.right) / 2, this.bottom + 32, xName, { "text-anchor": "middle" });
  }

  x(value) { return this.left + ((value - this.xs[0]) / (this.xs[1] - this.xs[0])) * (this.right - this.left); }

  y(value) { return this.bottom - ((value - this.ys[0]) / (this.ys[1] - this.ys[0])) * (this.bottom - this.top); }

  put(name, attributes, text) {
    const made = drawing(name, attributes, text);
    this.svg.append(made);
    return made;
  }

  line(x1, y1, x2, y2, name) {
    return this.put("line", { x1: this.x(x1), y1: this.y(y1), x2: this.x(x2), y2: this.y(y2), class: name });
  }

  text(x, y, words, attributes = {}) { return this.put("text", { x, y, ...attributes }, words); }

  // A curve stops where it leaves the picture at the bottom, and a sign says so: no false plateau.
  curve(xs, ys, name) {
    const low = Math.min(...this.ys);
    let d = "";
    xs.forEach((x, i) => {
      if (ys[i] < low) {
        if (i && ys[i - 1] >= low) this.text(this.x(x), this.bottom - 2, "▾", { class: `off ${name}`, "text-anchor": "middle" });
        return;
      }
      d += `${i && ys[i - 1] >= low ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(ys[i]).toFixed(1)}`;
    });
    return this.put("path", { d: d || "M0 0", class: `line ${name}` });
  }

  // Read values off: the pointer, or arrow keys from the middle, choose a place; `say` puts it into words.
  readOff(xs, say) {
    let line = null, at = Math.floor(xs.length / 2);
    const show = (k) => {
      at = Math.max(0, Math.min(xs.length - 1, k));
      line?.remove();
      line = this.line(xs[at], this.ys[0], xs[at], this.ys[1], "reading");
      say(at);
    };
    const nearest = (px) => {
      const value = this.xs[0] + ((px - this.left) / (this.right - this.left)) * (this.xs[1] - this.xs[0]);
      return xs.reduce((best, x, k) => (Math.abs(x - value) < Math.abs(xs[best] - value) ? k : best), 0);
    };
    this.svg.tabIndex = 0;
    this.svg.onpointermove = (event) => show(nearest(event.clientX - this.svg.getBoundingClientRect().left));
    this.svg.onfocus = () => show(at);
    this.svg.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: 40, PageDown: -40 }[event.key];
      if (step) { event.preventDefault(); show(at + step); }
    };
  }

  band(xs, low, high, name = "band") {
    const at = (i, ends) => `${this.x(xs[i]).toFixed(1)} ${this.y(ends[i]).toFixed(1)}`;
    const all = [...xs.keys()];
    const d = `M${all.map((i) => at(i, high)).join("L")}L${all.reverse().map((i) => at(i, low)).join("L")}Z`;
    return this.put("path", { d, class: name });
  }

  dot(x, y, name, diamond = false) {
    const [a, b] = [this.x(x), this.y(Math.max(y, Math.min(...this.ys)))];
    if (diamond) return this.put("path", { d: `M${a} ${b - 7}L${a + 6} ${b}L${a} ${b + 7}L${a - 6} ${b}Z`, class: `at ${name}` });
    return this.put("circle", { cx: a, cy: b, r: 5, class: name });
  }
}

// Round places between two ends, about so many.
function ticks([low, high], many) {
  const rough = (high - low) / many;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((size) => size * unit).find((size) => size >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const found = [];
  for (let i = first; i * step <= high + step * 1e-9; i++) found.push(i * step + 0); // never -0
  return found;
}

const short = (value) => String(Number(value.toPrecision(6)));
const percents = (value) => `${short(100 * value)} %`;
