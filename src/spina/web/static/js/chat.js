// @ts-check
// The chat of a table.

import { el } from "./dom.js";

/** @typedef {{number: number, name: string, seat: number | null, text: string, at: number}} Said */

export class Chat {
  /** @type {Set<number>} */
  #known = new Set();

  /**
   * @param {HTMLElement} list
   * @param {HTMLFormElement} form
   * @param {HTMLElement} tab
   * @param {(seat: number) => HTMLElement} badge
   * @param {(text: string) => Promise<unknown>} say
   */
  constructor(list, form, tab, badge, say) {
    this.list = list;
    this.tab = tab;
    this.badge = badge;
    const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (!text) return;
      input.value = "";
      try {
        await say(text);
      } catch {
        input.value = text;
      }
    });
  }

  /** @param {Said[]} all */
  replace(all) {
    this.#known.clear();
    this.list.replaceChildren();
    for (const said of all) this.#show(said);
  }

  /** @param {Said} said */
  add(said) {
    this.#show(said);
    if (this.tab.getAttribute("aria-selected") !== "true") this.tab.classList.add("news");
  }

  /** @param {Said} said */
  #show(said) {
    if (this.#known.has(said.number)) return;
    this.#known.add(said.number);
    const time = new Date(said.at * 1000);
    this.list.append(
      el(
        "li",
        {},
        said.seat === null ? el("strong", { text: said.name }) : this.badge(said.seat),
        el("time", { datetime: time.toISOString(), text: time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) }),
        el("p", { text: said.text }),
      ),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }
}
