// @ts-check
// Several people at one screen: a curtain hides the page between their turns where choices are secret.

import { el } from "./dom.js";
import { t } from "./messages.js";

/** @typedef {import("./types.js").State} State */

export class Curtain {
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #for = -1;
  #asked = -2;

  /**
   * @param {import("./types.js").Boot} boot
   * @param {{state: () => State | null, name: (seat: number) => string, badge: (seat: number) => HTMLElement,
   *   look: (seat: number | null) => void, secret: (view: import("./types.js").State["view"]) => boolean}} page
   */
  constructor(boot, page) {
    this.boot = boot;
    this.page = page;
  }

  /** Called after each change: looks whether another person at this screen has to choose now. */
  consider() {
    const state = this.page.state();
    if (!state || state.own.length < 2 || state.status !== "running") return;
    if (state.looking !== null && state.waiting.includes(state.looking)) {
      this.#asked = -2;
      this.#lift();
      return;
    }
    const next = state.own.find((seat) => state.waiting.includes(seat) && !state.seats[seat].away);
    if (next === undefined) {
      if (state.looking !== null && this.page.secret(state.view)) this.#look(null);
      return;
    }
    if (this.#asked === next) return; // the curtain has been opened, what lies behind it is on its way
    if (!this.page.secret(state.view)) this.#look(next);
    else this.#draw(next);
  }

  /** Called when a choice was made: others must not see it. */
  fall() {
    const state = this.page.state();
    if (state && state.own.length > 1 && this.page.secret(state.view)) this.#look(null);
  }

  /** @param {number | null} seat */
  #look(seat) {
    if (this.#asked === (seat ?? -1)) return;
    this.#asked = seat ?? -1;
    this.page.look(seat);
  }

  #lift() {
    this.#dialog?.close();
    this.#dialog?.remove();
    this.#dialog = null;
  }

  /** @param {number} seat */
  #draw(seat) {
    const state = this.page.state();
    if (state?.looking !== null) this.#look(null);
    if (this.#dialog && this.#for === seat) return;
    this.#lift(); // its person has chosen meanwhile
    this.#for = seat;
    const dialog = el(
      "dialog",
      { class: "dialog curtain", "aria-labelledby": "curtain-title" },
      el("h2", { id: "curtain-title", text: t("table.curtain.title", { name: this.page.name(seat) }) }),
      el("p", {}, this.page.badge(seat)),
      el("p", { text: t("table.curtain.text") }),
      el("button", {
        class: "button primary large wide",
        type: "button",
        text: t("table.curtain.open", { name: this.page.name(seat) }),
        on: {
          click: () => {
            dialog.close();
            this.#asked = -2;
            this.#look(seat);
          },
        },
      }),
    );
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (this.#dialog === dialog) this.#dialog = null;
    });
    this.#dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
  }
}
