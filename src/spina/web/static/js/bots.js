// @ts-check
// The words for a bot: its name, its character and a line about how it races. A game may have words of its own for a
// level; where it has none, the words are those that all games share.

import { messageOr, t } from "./messages.js";

/** The name of a bot, with its level where it is one. @param {string} game @param {string} bot */
export function botName(game, bot) {
  const name = messageOr(`bot.${game}.${bot}`, messageOr(`bot.${bot}`, bot));
  const level = messageOr(`level.${bot}`, "");
  return level ? t("bot.with-level", { name, level }) : name;
}

/** The character of a bot and a line about how it races; empty for a bot that has neither. @param {string} game @param {string} bot */
export function botLine(game, bot) {
  const character = messageOr(`bot.${game}.${bot}.character`, "");
  const line = messageOr(`bot.${game}.${bot}.line`, messageOr(`bot.${bot}.line`, ""));
  return character && line ? t("bot.with-character", { character, line }) : line;
}
