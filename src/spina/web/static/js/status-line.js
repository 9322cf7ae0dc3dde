// @ts-check
// The line over the board: whose turn it is, what can be taken back, and the way back from a stand-in.

import { el, spoken } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {import("./types.js").State} State */

export class StatusLine {
  /** What is shown, as markup. */
  #shown = "";
  /** Whether a bot drives for the person at this page. */
  #away = false;

  /**
   * @param {HTMLElement} element
   * @param {{badge: (seat: number) => HTMLElement, announce: (text: string) => void, retract: () => void,
   *   comeBack: (seat: number) => void}} table
   */
  constructor(element, table) {
    this.element = element;
    this.table = table;
  }

  /**
   * Shows how the table stands. What has not changed stays as it is; a run-out puts the focus on the way back.
   * @param {State | null} state
   * @param {{connected: boolean, retractable: boolean}} now what the page has heard of since
   */
  show(state, { connected, retractable }) {
    const { element } = this;
    const parts = !connected ? [el("strong", { class: "bad told", text: t("table.reconnecting") })] : state ? this.#parts(state, retractable) : [];
    const markup = parts.map((part) => part.outerHTML).join("");
    if (markup === this.#shown) return;
    this.#shown = markup;
    const focused = element.contains(document.activeElement);
    element.replaceChildren(...parts);
    for (const part of parts) if (part.matches(".told")) this.table.announce(spoken(part));
    const back = /** @type {HTMLElement | null} */ (element.querySelector(".come-back"));
    const writing = document.activeElement?.matches("input:not([type=range]), textarea, dialog *");
    if (back && (focused || (!this.#away && !writing))) back.focus();
    this.#away = back !== null;
  }

  /**
   * Parts of the class `told` are said by screen readers.
   * @param {State} now
   * @param {boolean} retractable
   * @returns {HTMLElement[]}
   */
  #parts(now, retractable) {
    const { badge, retract, comeBack } = this.table;
    if (now.status === "open" && now.begins !== null) return [el("span", { class: "told", text: t("table.rematch.waiting") })];
    if (now.status === "open") return [el("span", { class: "told", text: t("table.waiting.seats", { count: now.seats.filter((s) => s.kind === "open").length }) })];
    if (now.status === "over") return [el("strong", { text: t("table.over") })];
    if (now.status === "left") return [el("strong", { class: "told", text: t("table.left") })];
    const away = now.own.find((seat) => now.seats[seat].away);
    const own = now.looking !== null && now.waiting.includes(now.looking);
    if (own && away === undefined) return [el("strong", { class: "your-turn", text: t("table.your-turn") })];
    const parts = [];
    if (now.retractable && retractable) {
      parts.push(
        el("span", { class: "told", text: t("table.chosen") }),
        el("button", { class: "button take-back", type: "button", text: t("table.take-back"), on: { click: retract } }),
      );
    }
    if (away !== undefined) {
      parts.push(el("button", { class: "button primary come-back", type: "button", "data-seat": away, text: t("table.back"), on: { click: () => comeBack(away) } }));
    }
    const names = el("span", { class: "waiting-for" }, ...now.waiting.map((seat) => badge(seat)));
    if (now.waiting.length) parts.push(el("span", { class: "row tight waiting-row" }, t("table.waiting"), names));
    return parts;
  }
}
