// @ts-check
// Anything with the attribute data-help explains itself on hover, focus and touch. Its value is the id of a message
// without the "help." that it begins with; another message that ends in ".title" is the heading, if there is one.

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
let byTouch = false;

/** @param {EventTarget | null} target */
const explained = (target) => (target instanceof Element ? target.closest("[data-help]") : null);

/** The one element that all explanations are shown in. */
function element() {
  if (!box) {
    box = el("div", { id: ID, class: "tooltip", role: "tooltip", popover: "manual", hidden: true });
    document.body.append(box);
    box.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse" && explained(event.relatedTarget) !== shown) hide();
    });
  }
  // an open dialog is above everything else, and what it does not contain cannot be reached
  const home = shown?.closest("dialog[open]") ?? document.body;
  if (box.parentElement !== home) home.append(box);
  return box;
}

/** @param {Element} target */
export function show(target) {
  const id = `help.${target.getAttribute("data-help")}`;
  if (shown === target) return;
  hide();
  shown = target;
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

/**
 * @param {HTMLElement} tip
 * @param {Element} target
 */
function place(tip, target) {
  const at = target.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const left = Math.min(Math.max(EDGE, at.left + at.width / 2 - width / 2), Math.max(EDGE, room.width - width - EDGE));
  const below = at.bottom + GAP;
  const above = at.top - GAP - height;
  const top = below + height <= room.height - EDGE || above < EDGE ? Math.min(below, room.height - height - EDGE) : above;
  tip.style.left = `${Math.round(left)}px`;
  tip.style.top = `${Math.round(Math.max(EDGE, top))}px`;
}

export function hide() {
  window.clearTimeout(timer);
  if (!shown) return;
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

/** Begins to explain; the messages must be loaded, or are awaited. */
export async function explain() {
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
    byTouch = event.pointerType !== "mouse";
    const target = explained(event.target);
    // an element that only explains opens at once; one with another purpose waits for a long press
    if (target && byTouch) soon(target, target.matches("button:not(.help), a, input, select, label, summary") ? TOUCH_DELAY : 0);
    else if (!(event.target instanceof Node && box?.contains(event.target))) hide();
  });
  document.addEventListener("pointerup", () => byTouch && !shown && window.clearTimeout(timer));
  document.addEventListener("pointercancel", () => window.clearTimeout(timer));
  document.addEventListener("click", (event) => {
    const target = explained(event.target);
    if (target?.matches(".help")) show(target);
  });
  document.addEventListener("focusin", (event) => {
    const target = explained(event.target);
    if (target && target === event.target && target.matches(":focus-visible")) show(target);
    else if (!byTouch) hide();
  });
  document.addEventListener("focusout", (event) => {
    if (explained(event.target) === shown) hide();
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && shown) {
        hide();
        event.stopPropagation();
        event.preventDefault();
      }
    },
    true,
  );
  window.addEventListener("scroll", () => shown && hide(), { passive: true, capture: true });
  window.addEventListener("resize", hide);
}
