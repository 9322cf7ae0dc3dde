// @ts-check
// The reason for a choice in words: which feature of the game it makes larger or smaller.

import { has, language, t } from "./messages.js";

/** @typedef {{figure: string, more: boolean, amount: number}} Because */

/** @param {string} game @param {Because | null} because @returns {string | null} a sentence, if there is one to say */
export function reasonWords(game, because) {
  if (!because) return null;
  const id = `reason.${game}.${because.figure}.${because.more ? "more" : "less"}`;
  if (!has(id)) return null;
  const digits = because.amount >= 3 ? 0 : 1;
  const count = Number(because.amount.toFixed(digits));
  const n = new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(count);
  return t("reason.sentence", { reason: t(id, { n, count }) });
}
