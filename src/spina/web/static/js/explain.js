// @ts-check
// Anything with the attribute data-help explains itself on hover, focus and touch. Its value is the id of a message
// without the "help." that it begins with; another message that ends in ".title" is the heading, if there is one.
// A place with the attribute data-explains has a button that lists all its explanations, for what keys do not reach.

import { el } from "./dom.js";
import { has, load, t } from "./messages.js";

const EDGE = 12;
const GAP = 8;
const HOVER_DELAY = 350;
const TOUCH_DELAY = 450;
const ID = "explanation";

/** @type {HTMLElement | null} */
let box = null;
/** @type {Element | null} */
let shown = null;
/** @type {number | undefined} */
let timer;
/** Sees that what is explained goes away: no event of the pointer tells of that. */
const gone = new MutationObserver(() => shown && !shown.isConnected && hide());
let byTouch = false;
/** Whether the focus was moved last by a key: what the page itself puts the focus on is quiet. */
let byKey = false;
/** Keys that move the focus. */
const MOVING = new Set(["Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);

/** @param {EventTarget | null} target */
const explained = (target) => (target instanceof Element ? target.closest("[data-help]") : null);

/** The part of the page that explanations belong to: screen readers find them inside a landmark. */
const landmark = () => document.querySelector("main") ?? document.body;

/** The one element that all explanations are shown in. */
function element() {
  if (!box) {
    box = el("div", { id: ID, class: "tooltip", role: "tooltip", popover: "manual", hidden: true });
    landmark().append(box);
    box.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse" && explained(event.relatedTarget) !== shown) hide();
    });
  }
  // an open dialog is above everything else, and what it does not contain cannot be reached
  const home = shown?.closest("dialog[open]") ?? landmark();
  if (box.parentElement !== home) home.append(box);
  return box;
}

/** @param {Element} target */
export function show(target) {
  const id = `help.${target.getAttribute("data-help")}`;
  if (shown === target) return;
  hide();
  shown = target;
  gone.observe(landmark(), { childList: true, subtree: true });
  const tip = element();
  tip.replaceChildren();
  if (has(`${id}.title`)) tip.append(el("strong", { text: t(`${id}.title`) }));
  tip.append(t(id));
  tip.hidden = false;
  if (tip.showPopover && !tip.matches(":popover-open")) tip.showPopover();
  place(tip, target);
  const described = target.getAttribute("aria-describedby");
  target.setAttribute("aria-describedby", described ? `${described} ${ID}` : ID);
}

/** What an explanation of something else should leave in sight: the question and its buttons. */
const CLEAR = "#choice :is(.deciding, button, h2, .prompt), #status-line";

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** The area that two boxes share. @param {Box} a @param {Box} b */
function shared(a, b) {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/**
 * Puts it under, over, left or right of what it explains, or beside the whole question: where it covers least of what
 * must be seen.
 * @param {HTMLElement} tip
 * @param {Element} target
 */
function place(tip, target) {
  const at = target.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
  /** @param {number} value @param {number} size @param {number} whole */
  const within = (value, size, whole) => Math.min(Math.max(EDGE, value), Math.max(EDGE, whole - size - EDGE));
  const clear = [...document.querySelectorAll(CLEAR)].filter((each) => !target.contains(each)).map((each) => each.getBoundingClientRect());
  const middle = { left: at.left + at.width / 2 - width / 2, top: at.top + at.height / 2 - height / 2 };
  const question = target.closest("#choice")?.getBoundingClientRect();
  const places = [
    { left: middle.left, top: at.bottom + GAP },
    { left: middle.left, top: at.top - GAP - height },
    { left: at.left - GAP - width, top: middle.top },
    { left: at.right + GAP, top: middle.top },
    ...(question ? [{ left: question.left - GAP - width, top: middle.top }, { left: middle.left, top: question.top - GAP - height }] : []),
  ].map((wanted) => {
    const left = within(wanted.left, width, room.width);
    const top = within(wanted.top, height, room.height);
    const box = { left, top, right: left + width, bottom: top + height };
    return { left, top, covers: clear.reduce((sum, each) => sum + shared(box, each), shared(box, at)) };
  });
  const best = places.reduce((a, b) => (b.covers < a.covers ? b : a));
  tip.style.left = `${Math.round(best.left)}px`;
  tip.style.top = `${Math.round(best.top)}px`;
}

export function hide() {
  window.clearTimeout(timer);
  if (!shown) return;
  gone.disconnect();
  const rest = (shown.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== ID);
  if (rest.length) shown.setAttribute("aria-describedby", rest.join(" "));
  else shown.removeAttribute("aria-describedby");
  shown = null;
  if (box) {
    if (box.hidePopover && box.matches(":popover-open")) box.hidePopover();
    box.hidden = true;
  }
}

/**
 * @param {Element} target
 * @param {number} delay
 */
function soon(target, delay) {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => target.isConnected && show(target), delay);
}

/**
 * Adds a button that lists the explanations of a panel, if it has any. A game that has one of its own, with the class
 * "explains", keeps it.
 * @param {HTMLElement} place
 */
function offerList(place) {
  const label = t("explanations.button", { place: place.dataset.explains || place.getAttribute("aria-label") || "" });
  const button = el("button", { type: "button", class: "help explains added", text: "?", "aria-label": label, "aria-haspopup": "dialog" });
  const look = () => {
    const wanted = place.querySelector("[data-help]") !== null && !place.querySelector(".explains:not(.added)");
    if (!wanted) button.remove();
    else if (!button.isConnected) place.append(button);
  };
  new MutationObserver(look).observe(place, { childList: true, subtree: true });
  look();
}

/** Lists what a button's place explains. What lists it is loaded when it is first wanted. @param {Element} button */
async function list(button) {
  hide();
  const place = button.closest("[data-explains]");
  const { listExplanations } = await import("./explanation-list.js");
  if (place) listExplanations(place);
}

let begun = false;

/** Begins to explain, once; the messages must be loaded, or are awaited. */
export async function explain() {
  if (begun) return;
  begun = true;
  await load();
  document.addEventListener("pointerover", (event) => {
    const target = explained(event.target);
    if (event.pointerType === "mouse" && target && target !== shown) soon(target, HOVER_DELAY);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType !== "mouse") return;
    const to = event.relatedTarget;
    if (to instanceof Node && (box?.contains(to) || explained(event.target)?.contains(to))) return;
    hide();
  });
  document.addEventListener("pointerdown", (event) => {
    document.documentElement.removeAttribute("data-keys");
    byTouch = event.pointerType !== "mouse";
    byKey = false;
    const target = explained(event.target);
    // an element that only explains opens at once; one with another purpose waits for a long press
    if (target && byTouch) soon(target, target.matches("button:not(.help), a, input, select, label, summary") ? TOUCH_DELAY : 0);
    else if (!(event.target instanceof Node && box?.contains(event.target))) hide();
  });
  document.addEventListener("pointerup", () => byTouch && !shown && window.clearTimeout(timer));
  document.addEventListener("pointercancel", () => window.clearTimeout(timer));
  document.addEventListener("click", (event) => {
    const target = explained(event.target);
    if (event.target instanceof Element && event.target.matches(".explains")) void list(event.target);
    else if (target?.matches(".help")) show(target);
  });
  document.addEventListener("focusin", (event) => {
    const target = explained(event.target);
    if (target && byKey && event.target instanceof Element && event.target.matches(":focus-visible")) show(target);
    else if (!byTouch) hide();
  });
  document.addEventListener("focusout", (event) => {
    if (explained(event.target) === shown) hide();
  });
  document.addEventListener(
    "keydown",
    (event) => {
      byKey = MOVING.has(event.key);
      if (byKey) document.documentElement.setAttribute("data-keys", "");
      if (event.key === "Escape" && shown) {
        hide();
        event.stopPropagation();
        event.preventDefault();
      }
    },
    true,
  );
  for (const place of document.querySelectorAll("[data-explains]")) offerList(/** @type {HTMLElement} */ (place));
  window.addEventListener("scroll", () => shown && hide(), { passive: true, capture: true });
  window.addEventListener("resize", hide);
}
