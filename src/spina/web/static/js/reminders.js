// @ts-check
// Reminders in the race after a lesson: one short line over the board, the first time that a kind of question comes up.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";

/** @typedef {import("./types.js").State} State */

export class Reminders {
  /** Ids of those that were shown. @type {Set<string>} */
  #seen;
  /** The question that the shown one belongs to. */
  #about = "";

  /**
   * @param {HTMLElement} home
   * @param {import("./types.js").Boot} boot
   * @param {(text: string) => void} announce
   */
  constructor(home, boot, announce) {
    this.home = home;
    this.boot = boot;
    this.announce = announce;
    this.key = `spina-reminders-${boot.id}`;
    this.#seen = new Set(JSON.parse(sessionStorage.getItem(this.key) ?? "[]"));
  }

  /** @param {State} state */
  show(state) {
    const { offer, view, looking } = state;
    if (state.status !== "running" || !offer || looking === null) return this.close();
    const asked = `${state.version} ${looking}`;
    if (asked === this.#about) return;
    this.close();
    const facts = /** @type {Record<string, unknown>} */ ({ ...view, ...offer });
    const found = this.boot.reminders.find(({ id, when }) => !this.#seen.has(id) && Object.entries(when).every(([name, value]) => facts[name] === value));
    if (!found) return;
    this.#about = asked;
    this.#seen.add(found.id);
    sessionStorage.setItem(this.key, JSON.stringify([...this.#seen]));
    const text = t(`lesson.${this.boot.game}.reminder.${found.id}`);
    const close = el("button", { class: "button quiet icon", type: "button", "aria-label": t("common.close"), on: { click: () => this.close() } }, icon("close"));
    this.home.replaceChildren(el("span", { class: "reminder-text", text }), close);
    this.home.hidden = false;
    this.announce(text);
  }

  close() {
    this.#about = "";
    this.home.hidden = true;
    this.home.replaceChildren();
  }
}
