// @ts-check
// The time that is left for a choice.

import { t } from "./messages.js";

const URGENT = 10;

export class Clock {
  /** @type {number | undefined} */
  #timer;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {number | null} seconds
   * @param {number[]} waiting
   * @param {number[]} own
   */
  set(seconds, waiting, own) {
    window.clearInterval(this.#timer);
    this.element.hidden = seconds === null || waiting.length === 0;
    if (seconds === null) return;
    const end = performance.now() + seconds * 1000;
    const mine = waiting.some((seat) => own.includes(seat));
    const show = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      this.element.textContent = duration(left);
      this.element.setAttribute("aria-label", t("table.clock", { time: duration(left) }));
      this.element.classList.toggle("urgent", mine && left <= URGENT);
    };
    show();
    this.#timer = window.setInterval(show, 500);
  }
}

/** @param {number} seconds */
export function duration(seconds) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
