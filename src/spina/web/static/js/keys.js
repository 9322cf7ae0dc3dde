// @ts-check
// The keys of a table, decided in one place for all games: where they act, which may be held, and which are switched off.
//
// What a key presses says so itself: an element of the question with data-key="3" is clicked by that key, or, if it is a
// group, gets the focus. Keys that steer something (`GamePage.steer`) and those of the window on the board may be held.

import { stopOf } from "./roving.js";

const KEPT = "spina-single-keys";
/** Where the focus must be; besides, keys act while nothing has it. */
const PLACES = "#choice, #board, #lesson";
/** What is written into: all keys are its own. */
const WRITTEN = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";
/** What has arrow keys of its own, and what Enter and Space press. */
const ARROWED = "input, [role=radio], [role=tab], [role=slider], [role=option]";
const PRESSED = "button, a[href], summary, label, input, [role=button]";
const ARROWS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"]);
/** Numbers that options can have. */
const NUMBERS = 9;

/** Whether keys of a single character act; the person can switch them off. */
export const singleKeys = () => localStorage.getItem(KEPT) !== "off";

/** @param {boolean} on */
export function setSingleKeys(on) {
  localStorage.setItem(KEPT, on ? "on" : "off");
  markKeys(document);
}

/** Gives options the keys 1 to 9, in their order. @param {Iterable<HTMLElement>} options */
export function number(options) {
  [...options].slice(0, NUMBERS).forEach((option, index) => option.setAttribute("data-key", String(index + 1)));
}

/** Tells screen readers which keys press what. @param {ParentNode} place */
function markKeys(place) {
  const single = singleKeys();
  document.documentElement.toggleAttribute("data-single-keys", single);
  for (const element of place.querySelectorAll("[data-key]")) {
    const key = element.getAttribute("data-key") ?? "";
    if (single || key.length > 1) element.setAttribute("aria-keyshortcuts", key);
    else element.removeAttribute("aria-keyshortcuts");
  }
}

/** Whether a key decides from anywhere in the question. @param {KeyboardEvent} event */
const decides = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey);

/**
 * Whether the page has nothing to do with a key: something has used it, or what has the focus needs it, or the browser.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export function isTaken(event) {
  const { target, key } = event;
  if (event.defaultPrevented || event.isComposing || !(target instanceof Element)) return true;
  if (document.querySelector("dialog[open]") || target.closest("[popover]")) return true;
  if (decides(event)) return false;
  if (event.altKey || event.ctrlKey || event.metaKey || target.closest(WRITTEN)) return true;
  if (ARROWS.has(key) && target.closest(ARROWED)) return true;
  return (key === "Enter" || key === " ") && target.closest(PRESSED) !== null;
}

/** Whether a key is for the table: the focus is where keys act, and it is not switched off. @param {KeyboardEvent} event */
function isForTable(event) {
  const { target, key } = event;
  if (isTaken(event) || !(target instanceof Element)) return false;
  const here = target.matches("html, body, main") || target.closest(PLACES) !== null;
  return here && (key.length > 1 || key === " " || singleKeys());
}

/** A held Enter or Space presses a button once, and nothing that comes after it. */
export function pressOnce() {
  document.addEventListener(
    "keydown",
    (event) => {
      if (!event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
      if (event.target instanceof Element && event.target.closest(event.key === " " ? WRITTEN : "textarea")) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

/**
 * @typedef {object} Table what keys act on
 * @property {HTMLElement} choice
 * @property {import("./types.js").GamePage} page
 * @property {Record<string, () => void>} acts of the table itself, by key
 */

/** Begins to listen. @param {Table} table */
export function listen(table) {
  markKeys(document);
  new MutationObserver(() => markKeys(table.choice)).observe(table.choice, { childList: true, subtree: true, attributeFilter: ["data-key"] });
  document.addEventListener("keydown", (event) => {
    if (isForTable(event) && use(event, table)) event.preventDefault();
  });
}

/** On the board its own keys come first, elsewhere those of the question. @param {KeyboardEvent} event @param {Table} table @returns {boolean} whether the key was used */
function use(event, { choice, page, acts }) {
  const { repeat, target } = event;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const { camera } = page;
  const onBoard = target instanceof Element && target.closest("#board") !== null;
  if (onBoard && page.steer?.(event)) return true;
  if (onBoard && camera && moveCamera(camera, event)) return true;
  if (!repeat && press(choice, key)) return true;
  if (!onBoard && page.steer?.(event)) return true;
  if (!onBoard && camera && moveCamera(camera, event)) return true;
  if (repeat) return false;
  if (key === "ArrowDown" && (target === choice || (target instanceof Element && target.matches("#choice h2")))) return enter(choice);
  if (!(key in acts)) return false;
  acts[key]();
  return true;
}

/** Presses what has this key. @param {HTMLElement} choice @param {string} key */
function press(choice, key) {
  const all = /** @type {HTMLElement[]} */ ([...choice.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)]);
  const found = all.find((element) => element.checkVisibility() && !element.matches(":disabled"));
  if (!found) return false;
  if (found.hasAttribute("data-roving")) stopOf(found)?.focus();
  else found.click();
  return true;
}

/** Goes from the question into its first group of options. @param {HTMLElement} choice */
function enter(choice) {
  const groups = /** @type {HTMLElement[]} */ ([...choice.querySelectorAll("[data-roving][data-first]"), ...choice.querySelectorAll("[data-roving]")]);
  const stop = groups.map(stopOf).find((button) => button);
  stop?.focus();
  return Boolean(stop);
}

/** How far an arrow key moves the window on the board, in pixels. */
const PAN = 60;
const PANS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] });

/** Keys of the window on the board. Arrows move it only while it has the focus. @param {import("./camera.js").Camera} camera @param {KeyboardEvent} event */
function moveCamera(camera, event) {
  const { key } = event;
  if (key in PANS && event.target === camera.frame) camera.pan(...PANS[key]);
  else if (key === "+" || key === "=") camera.zoomBy(1.3);
  else if (key === "-") camera.zoomBy(1 / 1.3);
  else if (key === "0" && !event.repeat) camera.overview();
  else if (key === "f" && !event.repeat) {
    camera.follow(!camera.following);
    if (camera.following) camera.refollow?.();
  } else return false;
  return true;
}
