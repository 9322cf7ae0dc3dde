// @ts-check
// The components of Charioteer as drawings: cards, tokens, the die, symbols. Each colour has its own shape.

import { el, svg } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").Host} Host */

/**
 * A card as its name says it: groups of equal symbols, and perhaps an icon.
 * @typedef {object} Card
 * @property {{symbol: string, colour: string, number: string, count: number}[]} symbols
 * @property {string | null} icon
 */

/**
 * A token as its name says it.
 * @typedef {object} Token
 * @property {string} icon plus, wild, learning, shield, whip, recovery or discard
 * @property {string | null} colour
 * @property {number} value of plus and discard tokens
 */

export const COLOURS = ["green", "red", "yellow", "black"];
/** What a move of each colour is called, as on the die. @type {Record<string, string>} */
export const MOVES = { green: "sprint", red: "attack", yellow: "recover", black: "corner" };

/** @type {Record<string, {ground: string, deep: string, figure: string, shape: string}>} */
const LOOK = {
  green: { ground: "#2c7a57", deep: "#1d5a3f", figure: "#17492f", shape: "M-10 0a10 10 0 1 1 20 0a10 10 0 1 1 -20 0Z" },
  red: { ground: "#b3321f", deep: "#8c1d18", figure: "#8c1d18", shape: "M-12.4 0L0 -12.4L12.4 0L0 12.4Z" },
  yellow: {
    ground: "#d9a441",
    deep: "#b98425",
    figure: "#5e3f06",
    shape:
      "M12.8 0L8.3 3.4L9.1 9.1L3.4 8.3L0 12.8L-3.4 8.3L-9.1 9.1L-8.3 3.4L-12.8 0L-8.3 -3.4L-9.1 -9.1L-3.4 -8.3L0 -12.8L3.4 -8.3L9.1 -9.1L8.3 -3.4Z",
  },
  black: { ground: "#37251b", deep: "#1f130d", figure: "#2a1911", shape: "M-9.4 -9.4L9.4 -9.4L9.4 9.4L-9.4 9.4Z" },
};

const IVORY = "#fdf7e8";
const INK = "#2a1911";
const GILT = "#e9b93f";
const CAPITALS = "'Trajan Pro','Cinzel','Optima','Palatino Linotype','Palatino','Book Antiqua','P052',serif";

/** Signs drawn with a stroke, about 24 wide around (0, 0): width and path. @type {Record<string, [number, string]>} */
const LINES = {
  sprint: [4, "M-10-8-1 0-10 8M1-8 10 0 1 8"],
  attack: [3, "M-9 9 10-10M9 9-10-10M-10 3-3 10M10 3 3 10"],
  recover: [6, "M0-10V10M-10 0H10"],
  recovery: [6, "M0-10V10M-10 0H10"],
  corner: [4, "M9 11V0A7 7 0 0 0-5 0V7M-11 1-5 8 1 1"],
  whip: [2.6, "M-10 10-3 3C5-5 11-1 6 3S-4-4 5-11"],
  learning: [3.4, "M0 10V-9M-7-2 0-9 7-2M-8 10H8"],
  reset: [3.4, "M8-6A10 10 0 1 0 10 2M9-12V-5H2"],
  wheel: [2, "M0-10A10 10 0 1 1-.1-10M0-10V10M-10 0H10M-7-7 7 7M7-7-7 7"],
  check: [4, "M-9 1-3 7 9-7"],
};
/** Signs that are filled. @type {Record<string, string>} */
const SOLIDS = {
  disrupt: "M3-12-7 2H0L-4 12 7-3H0Z",
  shield: "M-9-10H9V0C9 6 4 9 0 11C-4 9-9 6-9 0Z",
  fan: "M0 10L-11-3A15 15 0 0 1 11-3Z",
};
/** @type {Record<string, string>} */
const SIGN_COLOURS = {
  sprint: "#2c7a57",
  attack: "#b3321f",
  recover: "#a87718",
  recovery: "#a87718",
  corner: INK,
  whip: "#6d5039",
  learning: "#1f5f86",
  shield: "#1f5f86",
  disrupt: "#8c1d18",
};

/** @param {string} name such as "red-5 red-5 green-2" or "red-1 red-1 shield" @returns {Card} */
export function readCard(name) {
  /** @type {Card} */
  const card = { symbols: [], icon: null };
  for (const word of name.split(" ")) {
    const found = card.symbols.find((group) => group.symbol === word);
    if (!word.includes("-")) card.icon = word;
    else if (found) found.count += 1;
    else card.symbols.push({ symbol: word, ...readSymbol(word), count: 1 });
  }
  return card;
}

/** @param {string} symbol such as "red-5" */
export function readSymbol(symbol) {
  const [colour, number = ""] = symbol.split("-");
  return { colour, number };
}

/** @param {string} name such as "+3 red", "wild red", "shield", "discard-2" @returns {Token} */
export function readToken(name) {
  const [word, colour = null] = name.replace(/^fan /, "").split(" ");
  if (word.startsWith("+")) return { icon: "plus", colour, value: Number(word.slice(1)) };
  if (word.startsWith("discard-")) return { icon: "discard", colour: null, value: Number(word.slice(8)) };
  return { icon: word, colour, value: 0 };
}

// --- signs and symbols ----------------------------------------------------------------------------------------------

/**
 * The sign of a kind of move, an icon or a face of the die, around (0, 0).
 * @param {string} name
 * @param {{x?: number, y?: number, scale?: number, colour?: string, opacity?: number}} [how]
 */
export function sign(name, { x = 0, y = 0, scale = 1, colour, opacity } = {}) {
  const group = svg("g", { transform: `translate(${x} ${y}) scale(${scale})`, opacity });
  const paint = colour ?? SIGN_COLOURS[name] ?? INK;
  if (name === "all") {
    COLOURS.forEach((each, k) => {
      const place = `translate(${k % 2 ? 6 : -6} ${k < 2 ? -6 : 6}) scale(0.52)`;
      group.append(svg("path", { d: LOOK[each].shape, transform: place, fill: LOOK[each].ground }));
    });
  } else if (name in SOLIDS) {
    group.append(svg("path", { d: SOLIDS[name], fill: paint }));
  } else if (name in LINES) {
    const [width, d] = LINES[name];
    const line = { fill: "none", stroke: paint, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" };
    group.append(svg("path", { d, ...line }));
  }
  return group;
}

/**
 * The shape of a colour with a number in it, around (0, 0).
 * @param {string} colour
 * @param {string} figure
 * @param {{x?: number, y?: number, scale?: number, light?: boolean}} [how] light: an ivory shape for a coloured ground
 */
function medallion(colour, figure, { x = 0, y = 0, scale = 1, light = false } = {}) {
  const look = LOOK[colour] ?? LOOK.black;
  const ink = light ? look.figure : colour === "yellow" ? INK : IVORY;
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    svg("path", {
      d: look.shape,
      fill: light ? IVORY : look.ground,
      stroke: light ? look.deep : colour === "black" ? "#f3ead6" : "#00000055",
      "stroke-width": light ? 0.8 : colour === "black" ? 1.3 : 0.6,
      "stroke-linejoin": "round",
    }),
    svg("text", {
      y: 4.6,
      fill: ink,
      "text-anchor": "middle",
      "font-family": CAPITALS,
      "font-size": 13.5,
      "font-weight": 700,
      text: figure,
    }),
  );
}

/**
 * A symbol as a small picture, hidden from screen readers: words stand beside it, or around it.
 * @param {string} symbol such as "red-5", or "reset"
 */
export function symbolMark(symbol) {
  const { colour, number } = readSymbol(symbol);
  const inner = symbol === "reset" ? sign("reset", { colour: "currentColor" }) : medallion(colour, number);
  return svg("svg", { class: "cx-mark", viewBox: "-14 -14 28 28", "aria-hidden": true }, inner);
}

/** The shape of a colour without a number. @param {string} colour */
export function colourMark(colour) {
  return svg("svg", { class: "cx-mark", viewBox: "-14 -14 28 28", "aria-hidden": true }, medallion(colour, ""));
}

/** An icon or a face of the die as a small picture. @param {string} name @param {string} [colour] */
export function signMark(name, colour) {
  return svg("svg", { class: "cx-mark", viewBox: "-14 -14 28 28", "aria-hidden": true }, sign(name, { colour }));
}

/**
 * A symbol in a sentence: its shape, and words.
 * @param {Host} host
 * @param {string} symbol
 */
export function symbolInline(host, symbol) {
  const { colour } = readSymbol(symbol);
  const mark = symbol === "reset" ? signMark("reset", "currentColor") : colourMark(colour);
  return el("span", { class: "cx-inline" }, mark, symbolWords(host, symbol));
}

// --- cards ----------------------------------------------------------------------------------------------------------

export const CARD_WIDTH = 100;
export const CARD_HEIGHT = 140;

/** A card from the front as a group, its upper left corner at (0, 0), 100 by 140. @param {string} name */
export function cardGroup(name) {
  const card = readCard(name);
  const group = svg("g", null, svg("rect", { width: 100, height: 140, rx: 9, fill: IVORY }));
  const parts = card.symbols.length + (card.icon ? 1 : 0);
  const inner = { left: 5, right: 95, top: 5, bottom: 135 };
  const height = inner.bottom - inner.top;
  // what shows twice gets more room than what shows once
  const shares = card.symbols.map((each) => (each.count > 1 ? 0.6 : 0.4));
  if (card.icon) shares.push(0.4);
  const total = shares.reduce((sum, share) => sum + share, 0) || 1;
  let top = inner.top;
  shares.forEach((share, k) => {
    const bottom = k === parts - 1 ? inner.bottom : top + (height * share) / total;
    const slant = 5;
    const first = k === 0, last = k === parts - 1;
    const upper = first ? [top, top] : [top + slant, top - slant];
    const lower = last ? [bottom, bottom] : [bottom + slant - 2, bottom - slant - 2];
    const of = card.symbols[k];
    const ground = of ? LOOK[of.colour]?.[k ? "deep" : "ground"] ?? INK : "#eadbb8";
    group.append(
      svg("path", {
        d: band(inner.left, inner.right, upper, lower, first, last),
        fill: ground,
      }),
    );
    const middle = (top + bottom) / 2;
    if (of) {
      const size = Math.min(0.9 * (bottom - top), 62) / 22;
      group.append(sign(MOVES[of.colour], { x: 50, y: middle, scale: size, colour: "#ffffff", opacity: 0.16 }));
      const step = Math.min(42, 84 / of.count);
      const scale = of.count > 2 ? 1.1 : of.count > 1 ? 1.62 : 1.5;
      for (let n = 0; n < of.count; n += 1) {
        const x = 50 + (n - (of.count - 1) / 2) * step;
        group.append(medallion(of.colour, of.number, { x, y: middle, scale, light: true }));
      }
    } else if (card.icon) {
      group.append(sign(card.icon, { x: 50, y: middle, scale: parts > 1 ? 1.75 : 3.1 }));
    }
    top = bottom;
  });
  group.append(svg("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8.5, fill: "none", stroke: "#6d503999", "stroke-width": 1.5 }));
  return group;
}

/**
 * One coloured part of a card; its corners are round where it meets the edge.
 * @param {number} left @param {number} right @param {number[]} upper @param {number[]} lower
 * @param {boolean} first @param {boolean} last
 */
function band(left, right, upper, lower, first, last) {
  const r = 5;
  const top = first
    ? `M${left} ${upper[0] + r}q0 ${-r} ${r} ${-r}H${right - r}q${r} 0 ${r} ${r}`
    : `M${left} ${upper[0]}L${right} ${upper[1]}`;
  const bottom = last
    ? `V${lower[1] - r}q0 ${r} ${-r} ${r}H${left + r}q${-r} 0 ${-r} ${-r}Z`
    : `L${right} ${lower[1]}L${left} ${lower[0]}Z`;
  return top + bottom;
}

/** A card from behind. */
export function backGroup() {
  const group = svg(
    "g",
    null,
    svg("rect", { width: 100, height: 140, rx: 9, fill: "#f3ead6" }),
    svg("rect", { x: 5, y: 5, width: 90, height: 130, rx: 5, fill: "#7d2a1f" }),
    svg("rect", { x: 10, y: 10, width: 80, height: 120, rx: 3, fill: "none", stroke: GILT, "stroke-width": 1.5, opacity: 0.8 }),
    svg("circle", { cx: 50, cy: 70, r: 29, fill: "none", stroke: GILT, "stroke-width": 2.5, "stroke-dasharray": "3 3.07" }),
  );
  for (let k = 0; k < 6; k += 1) {
    group.append(
      svg("path", { d: "M0 0C7-7 7-19 0-26C-7-19-7-7 0 0Z", fill: GILT, transform: `translate(50 70) rotate(${60 * k})` }),
    );
  }
  return group;
}

/** A card as a separate picture; null shows its back. @param {string | null} name */
export function cardPicture(name) {
  const inner = name === null ? backGroup() : cardGroup(name);
  return svg("svg", { class: "cx-card-face", viewBox: "0 0 100 140", "aria-hidden": true }, inner);
}

// --- tokens and the die ---------------------------------------------------------------------------------------------

/** A token as a picture; null shows its back. @param {string | null} name */
export function tokenPicture(name) {
  const token = name === null ? null : readToken(name);
  const look = token?.colour ? LOOK[token.colour] : null;
  const ground = look?.ground ?? (token ? "#eadbb8" : "#7d2a1f");
  const ink = !look || token?.colour === "yellow" ? INK : IVORY;
  const picture = svg(
    "svg",
    { class: "cx-token-face", viewBox: "-24 -24 48 48", "aria-hidden": true },
    svg("circle", { r: 22, fill: IVORY, stroke: "#6d5039", "stroke-width": 1.5 }),
    svg("circle", { r: 18.5, fill: ground }),
  );
  if (!token) {
    picture.append(sign("fan", { scale: 0.9, colour: GILT }));
    return picture;
  }
  if (token.colour) {
    picture.append(sign(MOVES[token.colour], { scale: 1.35, colour: "#ffffff", opacity: 0.18 }));
  }
  if (token.icon === "plus") picture.append(figure(`+${token.value}`, 0, 6.5, 19, ink));
  else if (token.icon === "wild" && token.colour) {
    picture.append(medallion(token.colour, "", { x: -6, y: 1, scale: 0.72, light: true }));
    picture.append(medallion(token.colour, "", { x: 6, y: 1, scale: 0.72, light: true }));
  } else if (token.icon === "discard") {
    const card = { x: -6, y: -9, width: 12, height: 17, rx: 2, stroke: IVORY };
    picture.append(svg("rect", { ...card, fill: "#a3463a", transform: "translate(-6 -1) rotate(-16)" }));
    picture.append(svg("rect", { ...card, fill: "#7d2a1f", transform: "translate(-2 -2) rotate(-4)" }));
    picture.append(figure(String(token.value), 9.5, 9.5, 17, INK));
  } else picture.append(sign(token.icon, { scale: 1, colour: token.colour ? ink : undefined }));
  return picture;
}

/** @param {string} text @param {number} x @param {number} y @param {number} size @param {string} fill */
function figure(text, x, y, size, fill) {
  const font = { "text-anchor": "middle", "font-family": CAPITALS, "font-size": size, "font-weight": 700 };
  return svg("text", { x, y, fill, text, ...font });
}

/** The emperor die around (0, 0), 38 wide. @param {string} face */
export function dieGroup(face) {
  return svg(
    "g",
    null,
    svg("rect", { x: -19, y: -19, width: 38, height: 38, rx: 7, fill: IVORY, stroke: INK }),
    sign(face),
  );
}

/** The emperor die as a picture. @param {string} face */
export function diePicture(face) {
  return svg("svg", { class: "cx-die", viewBox: "-21 -21 42 42", "aria-hidden": true }, dieGroup(face));
}

// --- in words -------------------------------------------------------------------------------------------------------

/** @param {Host} host @param {string} symbol */
export function symbolWords(host, symbol) {
  if (symbol === "reset") return host.t("charioteer.reset");
  const { colour, number } = readSymbol(symbol);
  return host.t("charioteer.symbol", { colour: host.t(`charioteer.colour.${colour}`), number });
}

/** @param {Host} host @param {string} name */
export function cardWords(host, name) {
  const card = readCard(name);
  const parts = card.symbols.map(({ symbol, count }) =>
    host.t("charioteer.card.symbols", { count, symbol: symbolWords(host, symbol) }),
  );
  if (card.icon) parts.push(host.t(`charioteer.icon.${card.icon}`));
  return parts.join(", ");
}

/** @param {Host} host @param {string} name */
export function tokenWords(host, name) {
  const token = readToken(name);
  const what = host.t(`charioteer.token.${token.icon}`, { count: token.value });
  if (!token.colour) return what;
  return host.t("charioteer.token.coloured", { token: what, colour: host.t(`charioteer.colour.${token.colour}`) });
}
