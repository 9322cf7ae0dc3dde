// @ts-check
// The drawer beside the table: story, chat, people and the text view. On a phone it also holds what has no room on the
// screen: the values of all chariots. While it is shut in a tall window, it is docked: it stands in the column under the
// choice, in what the choice and the own values leave over.

import { byId } from "./dom.js";
import { icon } from "./icons.js";

const SMALL = "(max-width: 40rem)";
/** The column stands beside the board. */
const WIDE = "(min-width: 64.0625rem)";
/** The least height that the docked drawer needs under the largest questions, in rem. */
const LEAST = 9;

export class Drawer {
  /** Whether it is open beside the table. */
  #open = false;
  /** Whether the column has room for it. */
  #room = false;
  #docked = false;

  /** @param {HTMLElement} circus the page's main part */
  constructor(circus) {
    this.circus = circus;
    this.side = byId("side");
    this.desk = byId("desk");
    this.button = byId("drawer-button");
    this.shut = byId("drawer-close");
    this.stands = byId("tab-stands");
    this.button.prepend(icon("story"));
    this.button.addEventListener("click", () => this.toggle());
    this.shut.append(icon("close"));
    this.shut.addEventListener("click", () => this.toggle(false));
    this.side.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#open) this.toggle(false);
    });
    const small = window.matchMedia(SMALL);
    small.addEventListener("change", () => this.#sort(small.matches));
    this.#sort(small.matches);
    if (!circus.hasAttribute("data-replay")) new ResizeObserver(() => this.#measure()).observe(this.desk);
  }

  /** Opens or shuts it; the focus goes in with it, and back to the button. @param {boolean} [open] */
  toggle(open = !this.#open) {
    const inside = this.side.contains(document.activeElement);
    this.show(open);
    if (open) /** @type {HTMLElement | null} */ (this.side.querySelector('[role="tab"][aria-selected="true"]'))?.focus();
    else if (inside) this.button.focus();
  }

  /** Opens or shuts it and leaves the focus where it is. @param {boolean} open */
  show(open) {
    this.#open = open;
    this.#place();
  }

  /** Looks whether the column is higher than the largest questions of this game and the own values need. */
  #measure() {
    const needed = parseFloat(getComputedStyle(this.desk).getPropertyValue("--desk-room"));
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const room = window.matchMedia(WIDE).matches && this.desk.clientHeight - needed >= LEAST * rem;
    if (room === this.#room) return;
    this.#room = room;
    this.#place();
  }

  /** Puts it where it belongs now: beside the table, into the column, or away. */
  #place() {
    const docked = this.#room && !this.#open;
    if (docked !== this.#docked) {
      if (docked) byId("own").before(this.side);
      else byId("panels").after(this.side);
    }
    this.#docked = docked;
    this.side.hidden = !this.#open && !docked;
    this.shut.hidden = docked;
    this.circus.classList.toggle("drawn", this.#open);
    this.circus.classList.toggle("roomy", this.#room);
    this.circus.classList.toggle("docked", docked);
    this.button.setAttribute("aria-expanded", String(this.#open));
    for (const list of [byId("log"), byId("chat")]) list.scrollTop = list.scrollHeight;
  }

  /** Puts the panels where they belong on a screen of this size. @param {boolean} small */
  #sort(small) {
    this.stands.hidden = !small;
    const [own, panels] = [byId("own"), byId("panels")];
    if (small) {
      this.#room = false; // the panels go into it, so it cannot stand between them
      this.#place();
      byId("stands-panel").append(own, panels);
    } else {
      (this.circus.hasAttribute("data-replay") ? this.circus : this.desk).append(own);
      this.desk.after(panels);
      if (this.stands.getAttribute("aria-selected") === "true") byId("tab-log").click();
    }
  }
}
