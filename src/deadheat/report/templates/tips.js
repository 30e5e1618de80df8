// Tooltips for pointer and keyboard; Escape and scrolling put them away.
function tips() {
  const tip = document.getElementById("tip");
  let owner = null;
  function hide() {
    tip.hidden = true;
    owner?.removeAttribute("aria-describedby");
    owner = null;
  }
  function show(target) {
    hide();
    owner = target;
    tip.textContent = target.dataset.tip;
    tip.hidden = false;
    target.setAttribute("aria-describedby", "tip");
    const box = target.getBoundingClientRect();
    const left = Math.min(innerWidth - tip.offsetWidth - 8, box.left + Math.min(box.width, 240) / 2 - tip.offsetWidth / 2);
    tip.style.left = `${Math.max(8, left)}px`;
    const above = box.top - tip.offsetHeight - 8;
    tip.style.top = `${above < 8 ? box.bottom + 8 : above}px`;
  }
  for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(enter, (event) => {
      const target = event.target.closest?.("[data-tip]");
      if (target?.dataset.tip) show(target);
    });
    document.addEventListener(leave, hide);
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", hide, true);
}
