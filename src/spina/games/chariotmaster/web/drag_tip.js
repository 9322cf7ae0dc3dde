// @ts-check
// Tells people who touch the screen, once, that the ghost of a move and its handle can be dragged.

import { el } from "../../../web/static/js/dom.js";

/** @typedef {import("./types.d.ts").Host} Host */

const KEPT = "spina-chariotmaster-drag";

export class DragTip {
  /**
   * @param {Host} host
   * @param {Element} overlay over the board
   * @param {() => boolean} steering whether there is a ghost to drag
   */
  constructor(host, overlay, steering) {
    this.host = host;
    this.overlay = overlay;
    this.element = el("p", { class: "cm-drag-tip" });
    if (localStorage.getItem(KEPT)) return;
    /** @param {PointerEvent} event */
    const first = (event) => {
      if (event.pointerType !== "touch" || !steering()) return;
      document.removeEventListener("pointerdown", first, true);
      this.tell();
    };
    document.addEventListener("pointerdown", first, true);
  }

  tell() {
    localStorage.setItem(KEPT, "1");
    const text = this.host.t("chariotmaster.drive.drag");
    this.element.textContent = text;
    this.overlay.append(this.element);
    this.host.board.closest(".camera")?.classList.add("cm-teaching");
    this.host.announce(text);
  }

  /** It has been understood, or there is nothing to drag any more. */
  close() {
    this.element.remove();
    this.host.board.closest(".camera")?.classList.remove("cm-teaching");
  }
}
