// @ts-check
// What the server refuses, in the words of the page's language: it sends a code with parameters, never a sentence.

import { has, language, t } from "./messages.js";

/** @typedef {import("./types.js").Refusal} Refusal */

/**
 * A parameter in words: a refusal inside another, a list, or a name, a number or a text as it is.
 * @param {unknown} value
 * @returns {string | number}
 */
function words(value) {
  if (Array.isArray(value)) return new Intl.ListFormat(language(), { type: "conjunction" }).format(value.map((each) => String(words(each))));
  if (value !== null && typeof value === "object") return refusalWords(/** @type {Refusal} */ (value));
  return typeof value === "number" ? value : String(value ?? "");
}

/**
 * Why something was refused. A code without a message is said to be not possible.
 * @param {Refusal | null | undefined} refusal
 * @returns {string}
 */
export function refusalWords(refusal) {
  const id = `refused.${refusal?.code}`;
  if (!refusal || !has(id)) return t("refused.other");
  return t(id, Object.fromEntries(Object.entries(refusal.parameters).map(([name, value]) => [name, words(value)])));
}
