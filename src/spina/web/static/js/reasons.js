// @ts-check
// The reasons for a choice in words: what sets it apart from another, and what it costs.

import { has, language, t } from "./messages.js";

/** @typedef {import("./protocol.d.ts").Reason} Reason */
/** @typedef {(name: string, value: string | number) => string | number | null} Sayer */

/** How the game's page says a value; null: as it is. @type {Sayer} */
let sayer = () => null;

/** Takes how the game's page says the values of its reasons: chariots, tokens, colours. @param {Sayer} said */
export function sayValuesWith(said) {
  sayer = said;
}

/** @param {string[]} parts */
const listed = (parts) => new Intl.ListFormat(language(), { type: "conjunction" }).format(parts);

/** @param {string} name @param {string | number | number[]} value @returns {string | number} */
function words(name, value) {
  if (Array.isArray(value)) return listed(value.map((each) => String(words(name, each))));
  const said = sayer(name, value);
  if (said !== null) return said;
  if (typeof value === "string") return value;
  const share = name.endsWith("share");
  return new Intl.NumberFormat(language(), share ? { style: "percent", maximumFractionDigits: 0 } : { maximumFractionDigits: 1 }).format(value);
}

/** @param {string} game @param {Reason[]} reasons */
function told(game, reasons) {
  const parts = reasons.map(({ code, good, values }) => {
    const id = `reason.${game}.${code}.${good ? "for" : "against"}`;
    if (!has(id)) return "";
    const said = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, words(name, value)]));
    return t(id, { ...said, count: Number(Number(values.count ?? 0).toFixed(1)) });
  });
  return listed(parts.filter(Boolean));
}

/**
 * What speaks for a choice, then what speaks against it, each in a sentence; empty if there is nothing to say.
 * @param {string} game
 * @param {Reason[]} reasons
 * @returns {string[]}
 */
export function reasonWords(game, reasons) {
  const good = told(game, reasons.filter((each) => each.good));
  const bad = told(game, reasons.filter((each) => !each.good));
  if (!good) return bad ? [t("reason.still", { reasons: bad })] : [];
  return [t("reason.for", { reasons: good }), ...(bad ? [t("reason.against", { reasons: bad })] : [])];
}
