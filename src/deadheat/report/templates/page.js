// What belongs to the whole page: theme, tabs, downloads, printing.
function theme() {
  const button = document.getElementById("theme");
  const order = ["auto", "light", "dark"];
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
  };
  button.addEventListener("click", () => {
    const next = order[(order.indexOf(document.documentElement.dataset.theme) + 1) % 3];
    set(next);
    try { localStorage.setItem("deadheat-theme", next); } catch { /* a page without storage forgets */ }
  });
  try { set(order.find((name) => name === localStorage.getItem("deadheat-theme")) ?? "auto"); } catch { set("auto"); }
}

function tabs(address) {
  for (const list of document.querySelectorAll("[role=tablist]")) {
    const all = [...list.querySelectorAll("[role=tab]")];
    let now = all[0];
    const choose = (chosen, focus) => {
      now = chosen;
      for (const tab of all) {
        document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
        tab.setAttribute("aria-selected", String(tab === chosen));
        tab.tabIndex = tab === chosen ? 0 : -1;
      }
      if (focus) chosen.focus();
      address.write();
    };
    list.addEventListener("click", (event) => all.includes(event.target) && choose(event.target, false));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) choose(all[(all.indexOf(document.activeElement) + step + all.length) % all.length], true);
    });
    const prefix = list.id === "tabs-b0" ? "" : `${list.id}.`;
    address.add(`${prefix}tab`, () => ({ "": now === all[0] ? "" : now.textContent }), (said) =>
      choose(all.find((tab) => tab.textContent === said("")) ?? all[0], false));
  }
}

function downloads(texts) {
  for (const button of document.querySelectorAll("[data-download]"))
    button.addEventListener("click", () => {
      const kind = button.dataset.download;
      const type = kind === "csv" ? "text/csv" : "application/json";
      const link = element("a", { download: `board.${kind}`, href: URL.createObjectURL(new Blob([texts[kind]], { type })) });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
}

function printing() {
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
}
