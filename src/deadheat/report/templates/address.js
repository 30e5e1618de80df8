// What is shown lives in the address, so that a comparison can be shared: #anchor=…&view=own&sort=-p&find=….
class Address {
  constructor() {
    this.parts = new Map();
    this.quiet = true;
    addEventListener("hashchange", () => this.read());
  }

  // A part of the page: what it says of itself, and how it takes what the address says.
  add(prefix, get, set) {
    this.parts.set(prefix, { get, set });
  }

  read() {
    this.quiet = true;
    const found = new URLSearchParams(location.hash.slice(1));
    for (const [prefix, { set }] of this.parts) set((key) => found.get(prefix + key));
    this.quiet = false;
  }

  write() {
    if (this.quiet) return;
    const said = new URLSearchParams();
    for (const [prefix, { get }] of this.parts)
      for (const [key, value] of Object.entries(get())) if (value) said.set(prefix + key, value);
    const text = said.toString();
    try { history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search); } catch { /* a page in a frame keeps its address */ }
  }
}

function addressOf(rows, view) {
  const get = () => ({
    anchor: view && view.anchor !== Math.max(view.leader, 0) ? view.names[view.anchor] : "",
    view: view && view.view !== "difference" ? view.view : "",
    sort: rows.sorted,
    find: rows.search.value.trim(),
  });
  const set = (said) => {
    if (view) {
      const i = view.names.indexOf(said("anchor"));
      const anchor = i < 0 ? Math.max(view.leader, 0) : i;
      const wanted = ["own", "pairs"].includes(said("view")) ? said("view") : "difference";
      if (anchor !== view.anchor) view.choose(anchor);
      if (wanted !== view.view) view.show(wanted);
    }
    rows.sort(said("sort") ?? "");
    rows.find(said("find") ?? "");
  };
  return [get, set];
}
