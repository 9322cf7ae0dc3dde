// @ts-check
// Where the focus goes when what had it is gone: to the question that is asked now, or to the result.

/** Whether nothing has the focus, because what had it was hidden or taken away. */
function isLost() {
  const active = document.activeElement;
  return !active || active === document.body || !active.checkVisibility();
}

/** What had the focus in a question, by its number, and the question's words. @type {{index: number, words: string} | null} */
let last = null;

/** @param {HTMLElement} place */
const controlsOf = (place) => /** @type {HTMLElement[]} */ ([...place.querySelectorAll("button, input")]);

/** What is asked, to tell whether it is still the same when a game has built it anew. @param {HTMLElement} place */
const wordsOf = (place) => [...place.querySelectorAll("h2, button:not(.explains)")].map((each) => each.textContent).join("\n");

/** Forgets what had the focus: the question is answered. */
export function forgetFocus() {
  last = null;
}

/**
 * Puts the focus on the heading of a place, or on the place, if it is nowhere. An open dialog keeps it. Where the same
 * question has only been built anew, because a rival has chosen meanwhile, what had the focus gets it back.
 * @param {HTMLElement} place
 */
export function focusQuestion(place) {
  if (!isLost() || document.querySelector("dialog[open]")) return;
  if (last && wordsOf(place) === last.words) return controlsOf(place)[last.index]?.focus({ preventScroll: true });
  const target = /** @type {HTMLElement} */ (place.querySelector("h2") ?? place);
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * Looks for a lost focus whenever a game builds its question anew, and when a dialog is closed.
 * @param {HTMLElement} place of the question
 * @param {() => void} refocus
 */
export function keepFocus(place, refocus) {
  place.addEventListener("focusin", ({ target }) => {
    const index = target instanceof HTMLElement ? controlsOf(place).indexOf(target) : -1;
    if (index >= 0) last = { index, words: wordsOf(place) };
  });
  // later: between two elements the focus is nowhere for a moment, and what loses it may change the question
  const later = () => window.setTimeout(refocus);
  new MutationObserver(later).observe(place, { childList: true, subtree: true, attributeFilter: ["hidden", "disabled"] });
  document.addEventListener("close", later, true);
}
