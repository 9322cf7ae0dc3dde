// @ts-check
// Toolbars: Tab reaches one button of a toolbar, arrow keys the others.

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/** Lets Tab reach the first button alone, after the buttons have changed. @param {HTMLElement} toolbar */
export function focusFirst(toolbar) {
  [...toolbar.children].forEach((child, k) => child.setAttribute("tabindex", k ? "-1" : "0"));
}

/** Moves the focus by arrow keys. @param {HTMLElement} toolbar */
export function rove(toolbar) {
  toolbar.addEventListener("keydown", (event) => {
    const buttons = /** @type {HTMLElement[]} */ ([...toolbar.children]);
    const now = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    let next = -1;
    if (event.key in STEPS) next = (now + STEPS[event.key] + buttons.length) % buttons.length;
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = buttons.length - 1;
    if (next < 0 || now < 0) return;
    buttons.forEach((button, k) => button.setAttribute("tabindex", k === next ? "0" : "-1"));
    buttons[next].focus();
    event.preventDefault();
  });
  toolbar.addEventListener("focusin", (event) => {
    for (const child of toolbar.children) child.setAttribute("tabindex", child === event.target ? "0" : "-1");
  });
}
