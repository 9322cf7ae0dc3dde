// @ts-check
// Tabs: arrow keys move between them, and the chosen one's panel is shown.

/** @param {HTMLElement} list */
export function tabs(list) {
  const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of all) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !on;
    }
    chosen.classList.remove("news");
    const scroller = document.querySelector(`#${chosen.getAttribute("aria-controls")} ol`);
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  };
  for (const tab of all) tab.addEventListener("click", () => choose(tab));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const shown = all.filter((tab) => !tab.hidden);
    const at = shown.findIndex((tab) => tab === document.activeElement);
    const next = shown[(at + step + shown.length) % shown.length];
    next.focus();
    choose(next);
    event.preventDefault();
  });
}
