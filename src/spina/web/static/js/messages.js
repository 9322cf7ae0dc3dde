// @ts-check
// The messages of the page, by id, in its language.

import { spoken } from "./dom.js";

/** @typedef {import("./types.js").Params} Params */
/** @typedef {string | {one: string, other: string}} Message */

/** @type {Record<string, Message>} */
let messages = {};
/** @type {Promise<void> | null} */
let loading = null;

/** The page's language. */
export const language = () => document.documentElement.lang || "en";

/** Loads the messages that the page names. Further calls wait for the first. */
export function load() {
  loading ??= (async () => {
    const url = document.documentElement.dataset.messages;
    if (!url) throw new Error("the page names no messages");
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the messages could not be loaded: ${response.status}`);
    messages = await response.json();
  })();
  return loading;
}

/** @param {string} id */
export const has = (id) => Object.hasOwn(messages, id);

/**
 * @param {string} id
 * @param {Params} params
 * @returns {string}
 */
function pattern(id, params) {
  const found = Object.hasOwn(messages, id) ? messages[id] : null;
  if (found === null) {
    console.error(`there is no message "${id}"`);
    return id;
  }
  if (typeof found === "string") return found;
  const form = new Intl.PluralRules(language()).select(Number(params.count)) === "one" ? "one" : "other";
  return found[form];
}

/**
 * @param {string} id
 * @param {Params} params
 * @returns {(string | number | Node)[]}
 */
function pieces(id, params) {
  return pattern(id, params)
    .split(/\{([a-z_]+)\}/)
    .map((piece, index) => {
      if (index % 2 === 0) return piece;
      if (piece in params) return params[piece];
      console.error(`message "${id}" lacks the value of {${piece}}`);
      return `{${piece}}`;
    });
}

/**
 * A message as text.
 * @param {string} id
 * @param {Params} [params]
 * @returns {string}
 */
export function t(id, params = {}) {
  return pieces(id, params)
    .map((piece) => (piece instanceof Node ? spoken(piece) : String(piece)))
    .join("");
}

/**
 * A message, or another text where there is no such message.
 * @param {string} id
 * @param {string} text
 */
export const messageOr = (id, text) => (has(id) ? t(id) : text);

/**
 * A message in which some values are nodes.
 * @param {string} id
 * @param {Params} [params]
 * @returns {DocumentFragment}
 */
export function rich(id, params = {}) {
  const fragment = document.createDocumentFragment();
  for (const piece of pieces(id, params)) fragment.append(piece instanceof Node ? piece : String(piece));
  return fragment;
}
