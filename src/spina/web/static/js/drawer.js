// @ts-check
// The drawer beside the table: story, chat, people and the text view. On a phone it also holds what has no room on the
// screen: the values of all chariots.

import { byId } from "./dom.js";
import { icon } from "./icons.js";

const SMALL = "(max-width: 40rem)";

export class Drawer {
  /** @param {HTMLElement} circus the page's main part */
  constructor(circus) {
    this.circus = circus;
    this.side = byId("side");
    this.button = byId("drawer-button");
    this.stands = byId("tab-stands");
    this.button.prepend(icon("story"));
    this.button.addEventListener("click", () => this.toggle());
    const close = byId("drawer-close");
    close.append(icon("close"));
    close.addEventListener("click", () => this.toggle(false));
    this.side.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle(false);
    });
    const small = window.matchMedia(SMALL);
    small.addEventListener("change", () => this.#sort(small.matches));
    this.#sort(small.matches);
  }

  /** Opens or shuts it; the focus goes in with it, and back to the button. @param {boolean} [open] */
  toggle(open = Boolean(this.side.hidden)) {
    const inside = this.side.contains(document.activeElement);
    this.show(open);
    if (open) /** @type {HTMLElement | null} */ (this.side.querySelector('[role="tab"][aria-selected="true"]'))?.focus();
    else if (inside) this.button.focus();
  }

  /** Opens or shuts it and leaves the focus where it is. @param {boolean} open */
  show(open) {
    this.side.hidden = !open;
    this.circus.classList.toggle("drawn", open);
    this.button.setAttribute("aria-expanded", String(open));
    const log = byId("log");
    log.scrollTop = log.scrollHeight;
  }

  /** Puts the panels where they belong on a screen of this size. @param {boolean} small */
  #sort(small) {
    this.stands.hidden = !small;
    const [own, panels] = [byId("own"), byId("panels")];
    if (small) byId("stands-panel").append(own, panels);
    else {
      (this.circus.hasAttribute("data-replay") ? this.circus : byId("desk")).append(own);
      this.side.before(panels);
      if (this.stands.getAttribute("aria-selected") === "true") byId("tab-log").click();
    }
  }
}
