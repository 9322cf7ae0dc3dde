// @ts-check
// The list of keys, with the switch for those of a single character.

import { el } from "./dom.js";
import { sheet } from "./dialogs.js";
import { setSingleKeys, singleKeys } from "./keys.js";
import { t } from "./messages.js";

/** A line of the list: keys as they are called, and the id of a message. @typedef {{keys: string, text: string}} Line */

/** Keys of every table. @type {Line[]} */
const COMMON = [
  { keys: "keys.tab", text: "keys.tab.does" },
  { keys: "↓", text: "keys.down.does" },
  { keys: "keys.enter", text: "keys.enter.does" },
  { keys: "keys.decide", text: "keys.decide.does" },
  { keys: "?", text: "keys.hint.does" },
  { keys: "S", text: "keys.skip.does" },
  { keys: "+ −", text: "keys.zoom.does" },
  { keys: "0 F", text: "keys.follow.does" },
  { keys: "keys.board", text: "keys.board.does" },
];

/** Opens the list. @param {Line[]} own keys of the game */
export function showKeys(own) {
  const input = el("input", {
    type: "checkbox",
    role: "switch",
    checked: singleKeys(),
    "aria-labelledby": "single-keys-name",
    "aria-describedby": "single-keys-what",
    on: { change: () => setSingleKeys(input.checked) },
  });
  const lines = [...COMMON, ...own].flatMap(({ keys, text }) => [
    el("dt", null, el("kbd", { text: keys.startsWith("keys.") ? t(keys) : keys === "Escape" ? t("keys.escape") : keys })),
    el("dd", { text: t(text) }),
  ]);
  sheet(
    t("keys.title"),
    el(
      "label",
      { class: "check" },
      input,
      el("span", { class: "stack tight" }, el("span", { id: "single-keys-name", text: t("keys.single") }), el("span", { id: "single-keys-what", class: "small soft", text: t("keys.single.what") })),
    ),
    el("dl", { class: "key-list" }, ...lines),
  );
}
