// @ts-check
// Small helpers to build elements. Text is always text, never markup.

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {{[Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void}} Listeners by event */
/** @typedef {{on?: Listeners, [name: string]: Listeners | string | number | boolean | null | undefined}} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Attributes | null | undefined} attributes
 * @param {Child[]} children
 */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "object" && value !== null) {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, /** @type {EventListener} */ (listener));
    } else if (name === "text") {
      element.append(String(value));
    } else if (value === true) {
      element.setAttribute(name, name.startsWith("aria-") ? "true" : "");
    } else if (value === false && name.startsWith("aria-")) {
      element.setAttribute(name, "false");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * An HTML element. Attributes that are null, undefined or false are left out; `text` is its text and `on` its
 * listeners.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  furnish(element, attributes, children);
  return element;
}

/**
 * An SVG element, likewise.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  furnish(element, attributes, children);
  return /** @type {SVGElementTagNameMap[T]} */ (element);
}

/**
 * The element of this id, which must exist.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element #${id}`);
  return found;
}

/**
 * The text of a node as a screen reader says it: labels instead of pictures, and nothing that is hidden from readers.
 * @param {Node} node
 */
export function spoken(node) {
  return readable(node).replace(/\s+/g, " ").replace(/ (?=[,.;:!?)])/g, "").trim();
}

/** @param {Node} node @returns {string} */
function readable(node) {
  if (node instanceof Element) {
    if (node.getAttribute("aria-hidden") === "true") return "";
    const label = node.getAttribute("aria-label");
    if (label) return ` ${label} `;
  }
  return node.hasChildNodes() ? Array.from(node.childNodes, readable).join("") : (node.textContent ?? "");
}

/** Names with more letters than this are set smaller. */
const LONG_NAME = 16;

/**
 * A person's name. It ends with an ellipsis where there is no room for all of it; `cut-text.js` shows the whole then.
 * @param {string} name
 * @param {{tag?: "span" | "strong", class?: string}} [how]
 * @returns {HTMLElement}
 */
export function nameTag(name, { tag = "span", class: kind = "" } = {}) {
  return el(tag, { class: `cut ${name.length > LONG_NAME ? "long-name" : ""} ${kind}`.replace(/ +/g, " ").trim(), text: name });
}

/** Letters of the factions, by seat. */
export const LETTERS = ["R", "W", "B", "G", "P", "A"];

/** Their colours on a board, which is the same in light and dark. */
export const FACTION_COLOURS = ["#c0331f", "#fbf7ee", "#1d62a5", "#2b7c4f", "#7a3a86", "#eeb62f"];

/** The inks of letters on these colours. */
export const FACTION_INKS = ["#fff6e4", "#2a1911", "#fff6e4", "#fff6e4", "#fff6e4", "#2a1911"];

/** Their shapes around (0, 0) with a radius of 10, as `spina.games.factions.shape` draws them. */
export const SHAPES = [
  "M-10 0a10 10 0 1 1 20 0a10 10 0 1 1 -20 0Z",
  "M-9 -9L9 -9L9 9L-9 9Z",
  "M-12.4 0L0 -12.4L12.4 0L0 12.4Z",
  "M-8.6 -12L14.4 0L-8.6 12Z",
  "M11 -6L11 6L6 6L6 11L-6 11L-6 6L-11 6L-11 -6L-6 -6L-6 -11L6 -11L6 -6Z",
  "M12.8 0L8.3 3.4L9.1 9.1L3.4 8.3L0 12.8L-3.4 8.3L-9.1 9.1L-8.3 3.4L-12.8 0L-8.3 -3.4L-9.1 -9.1L-3.4 -8.3L0 -12.8L3.4 -8.3L9.1 -9.1L8.3 -3.4Z",
];

/**
 * A faction's shape with its letter. It is hidden from screen readers: a name stands beside it, or give it a label.
 * @param {number} seat
 * @param {string} [label]
 * @returns {SVGSVGElement}
 */
export function shape(seat, label) {
  const faction = seat % SHAPES.length;
  const speaking = label ? { role: "img", "aria-label": label } : { "aria-hidden": true };
  const down = faction === 3 ? 2 : 0;
  return svg(
    "svg",
    { class: `shape faction-${faction}`, viewBox: "-14 -14 28 28", ...speaking },
    svg("path", { d: SHAPES[faction], transform: faction === 3 ? "translate(0 2) rotate(-90)" : null }),
    svg("text", { y: 0.5 + down, text: LETTERS[faction] }),
  );
}
