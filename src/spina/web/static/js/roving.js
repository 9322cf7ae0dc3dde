// @ts-check
// Groups of buttons that are one stop of Tab: arrow keys, Home and End go from one button to the next.

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/** Buttons of a group that can be reached now. @param {HTMLElement} group @returns {HTMLButtonElement[]} */
const reachable = (group) => [...group.querySelectorAll("button")].filter((button) => !button.disabled && button.checkVisibility({ visibilityProperty: true }));

/** The button of a group that Tab reaches: the one that had the focus last, is checked, or comes first. @param {HTMLElement} group */
export function stopOf(group) {
  const buttons = reachable(group);
  return buttons.find((button) => button.getAttribute("tabindex") === "0") ?? buttons[0];
}

/** Lets Tab reach one button of a group. @param {HTMLElement} group @param {HTMLElement} [stop] */
function settle(group, stop) {
  const all = [...group.querySelectorAll("button")];
  const checked = all.find((button) => button.getAttribute("aria-checked") === "true");
  const wanted = stop ?? checked ?? all.find((button) => button.tabIndex === 0 && button.hasAttribute("tabindex") && !button.disabled) ?? all.find((button) => !button.disabled);
  for (const button of all) {
    const index = button === wanted ? "0" : "-1";
    if (button.getAttribute("tabindex") !== index) button.setAttribute("tabindex", index);
  }
}

/**
 * Makes a group one stop of Tab, whatever buttons it gets later. In a radio group an arrow key checks the button it goes to.
 * @template {HTMLElement} T
 * @param {T} group
 * @returns {T} the same group
 */
export function rove(group) {
  group.dataset.roving = "";
  group.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = reachable(group);
    const now = buttons.findIndex((button) => button === document.activeElement);
    let next = -1;
    if (event.key in STEPS) next = (now + STEPS[event.key] + buttons.length) % buttons.length;
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = buttons.length - 1;
    if (next < 0 || now < 0) return;
    event.preventDefault();
    if (buttons[next].getAttribute("role") === "radio") buttons[next].click();
    buttons[next].focus();
  });
  group.addEventListener("focusin", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button) settle(group, button);
  });
  new MutationObserver(() => settle(group)).observe(group, { childList: true, subtree: true, attributeFilter: ["aria-checked", "disabled"] });
  settle(group);
  return group;
}
