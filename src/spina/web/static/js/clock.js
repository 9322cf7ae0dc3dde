// @ts-check
// The time that is left for a choice, as the server counts it. What the server says is turned into instants when its
// message arrives, however long the page goes on showing what happened before.

import { el } from "./dom.js";
import { t } from "./messages.js";

const URGENT = 10;
/** Seconds that are left when a person is warned; a shorter clock warns at half its time. */
const WARNED = 20;
/** Share of a clock that animations may take while it runs. */
const SHARE = 0.2;

/** @typedef {{deadline: number | null, starts: number}} Reading */

export class Clock {
  /** @type {number | undefined} */
  #timer;
  /** When the time is over; null: no clock. @type {number | null} */
  #end = null;
  /** When the clock starts at the latest, or has started. */
  #starts = 0;
  /** Whether the time is that of a seat at this page. */
  #mine = false;
  /** Whether the person may have more time. */
  #renewable = false;
  /** Whether the person has been warned of the end of this time. */
  #warned = false;

  /**
   * @param {HTMLElement} element
   * @param {number | null} seconds for each choice
   * @param {{button: HTMLElement, ask: () => Promise<unknown>, announce: (text: string) => void}} more a button for more
   *   time, and how the table is asked for it
   */
  constructor(element, seconds, more) {
    this.element = element;
    this.full = (seconds ?? 0) * 1000;
    this.more = more;
    more.button.addEventListener("click", () => void this.#askForMore());
  }

  async #askForMore() {
    await this.more.ask();
    this.more.announce(t("table.more-time.given", { time: duration(this.full / 1000) }));
  }

  /**
   * Takes a reading of the server's, at the moment when it arrives.
   * @param {Reading} reading
   * @param {boolean} mine whether the time is that of a seat at this page
   * @param {boolean} renewable whether the table would give more of it
   */
  heard(reading, mine, renewable) {
    const now = performance.now();
    this.#mine = mine;
    this.#renewable = renewable;
    this.#end = reading.deadline === null ? null : now + (reading.starts + reading.deadline) * 1000;
    if (this.#end === null || this.#end - now > this.#warning) this.#warned = false;
    this.#starts = this.#end === null ? 0 : reading.starts > 0 ? now + reading.starts * 1000 : this.#end - this.full;
    this.#show();
  }

  /** The instant by which everything must have been shown to the person who chooses; null: there is no limit. */
  limit() {
    return this.#mine && this.#end !== null ? this.#starts + this.full * SHARE : null;
  }

  /** Milliseconds that are left when the person is warned. */
  get #warning() {
    return Math.min(WARNED * 1000, this.full / 2);
  }

  /** Says once that the time runs out. @param {number} left */
  #warn(left) {
    if (this.#warned || !this.#mine || left > this.#warning || left <= 0) return;
    this.#warned = true;
    this.more.announce(t(this.#renewable ? "table.clock.warning.more" : "table.clock.warning", { count: Math.round(left / 1000) }));
  }

  #show() {
    window.clearTimeout(this.#timer);
    const { element } = this;
    element.hidden = this.#end === null;
    this.more.button.hidden = this.#end === null || !this.#mine || !this.#renewable;
    if (this.#end === null) return;
    const now = performance.now();
    const standing = now < this.#starts;
    const left = standing ? this.full : Math.max(0, this.#end - now);
    const seconds = Math.round(left / 1000);
    const time = duration(seconds);
    element.textContent = time;
    element.setAttribute("aria-label", t(standing ? "table.clock.standing" : "table.clock", { time }));
    element.classList.toggle("standing", standing);
    element.classList.toggle("urgent", this.#mine && !standing && seconds <= URGENT);
    if (!standing) this.#warn(left);
    if (left <= 0) return;
    // wake up when the next second is nearer
    const next = standing ? this.#starts - now : left - (seconds - 0.5) * 1000;
    this.#timer = window.setTimeout(() => this.#show(), Math.max(20, next + 5));
  }
}

/**
 * A line that counts down and goes away at the end; null if there is nothing to count.
 * @param {number | null | undefined} end an instant of `performance.now`
 * @param {string} message with {time} in it
 */
export function countdown(end, message) {
  if (!end || end <= performance.now()) return null;
  const line = el("p", { class: "countdown" });
  const show = () => {
    const left = end - performance.now();
    line.textContent = t(message, { time: duration(Math.max(0, Math.round(left / 1000))) });
    if (left <= 0) line.remove();
    else window.setTimeout(() => line.isConnected && show(), (left % 500) + 20);
  };
  show();
  return line;
}

/** @param {number} seconds */
export function duration(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
