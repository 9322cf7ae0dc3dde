// @ts-check
// All explanations of a place in a dialog.

import { el } from "./dom.js";
import { sheet } from "./dialogs.js";
import { has, t } from "./messages.js";

/** Letters of a name that the place itself gives. */
const LONGEST = 60;

/** What an element is called: by the title of its explanation, or as it stands there. @param {Element} element @param {string} id */
function nameOf(element, id) {
  if (has(`${id}.title`)) return t(`${id}.title`);
  const words = (element.getAttribute("aria-label") ?? (element.querySelector("strong, .label") ?? element).textContent ?? "").replace(/\s+/g, " ").trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

/** Opens the list; each explanation is in it once. @param {Element} place */
export function listExplanations(place) {
  /** @type {Map<string, Element>} */
  const found = new Map();
  for (const element of place.querySelectorAll("[data-help]")) {
    const id = `help.${element.getAttribute("data-help")}`;
    if (!found.has(id) && has(id) && element.checkVisibility()) found.set(id, element);
  }
  const lines = [...found].flatMap(([id, element]) => [el("dt", { text: nameOf(element, id) }), el("dd", { text: t(id), "data-explained": id })]);
  const label = place.getAttribute("data-explains") || place.getAttribute("aria-label");
  sheet(t("explanations.title"), el("div", { class: "explanation-list", role: "group", tabindex: "0", "aria-label": label }, el("dl", null, ...lines)));
}
