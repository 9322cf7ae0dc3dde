// @ts-check
// The end of a race over the board: a podium with the first three, a wreath for the winner, and petals from the stands.

import { el, nameTag, svg } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";
import { motion } from "./motion.js";

const PETALS = 36;
/** Milliseconds for a petal from the stands to the sand. */
const FALL = 3200;
/** In which order the first three stand on a podium. */
const ORDER = [2, 1, 3];

/** Half a laurel branch, leaf by leaf; the other half is its mirror image. */
function branch() {
  const leaves = Array.from({ length: 11 }, (_, k) => {
    const angle = ((96 + k * 14.5) * Math.PI) / 180;
    const [x, y] = [30 * Math.cos(angle), -30 * Math.sin(angle) + 2];
    const lean = 90 - (96 + k * 14.5) + (k % 2 ? 34 : -26);
    return svg("path", { d: "M0 2Q6 -6 0 -15Q-6 -6 0 2Z", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${lean})` });
  });
  return svg("g", null, ...leaves);
}

/** A wreath of laurel around (0, 0). */
function wreath() {
  const right = branch();
  right.setAttribute("transform", "scale(-1 1)");
  return svg("svg", { class: "wreath", viewBox: "-46 -46 92 92", "aria-hidden": true }, branch(), right);
}

export class Finale {
  /**
   * @param {HTMLElement} place over the board
   * @param {{badge: (seat: number, long?: boolean) => HTMLElement, name: (seat: number) => string, faction: (seat: number) => number}} table
   */
  constructor(place, table) {
    this.place = place;
    this.table = table;
  }

  /** @param {number[][]} ranking seats by place @param {boolean} seen whether the page has seen the race end just now */
  show(ranking, seen) {
    if (this.place.childElementCount) return;
    const first = this.#firstThree(ranking);
    const steps = ORDER.flatMap((position) => first.slice(position - 1, position)).map(({ seat, place }) => this.#step(seat, place));
    const petals = el("div", { class: "petals", "aria-hidden": true });
    this.place.replaceChildren(
      petals,
      el("div", { class: "podium", "aria-hidden": true }, ...steps), // the result beside it says the same in words
      el("button", { class: "button icon finale-close", type: "button", "aria-label": t("finale.close"), "data-help": "finale.close", on: { click: () => this.hide() } }, icon("close")),
    );
    this.place.hidden = false;
    if (seen && !motion.still()) this.#celebrate(petals, steps);
  }

  hide() {
    this.place.hidden = true;
  }

  /** Three seats with their places; those who share a place stand on steps of the same height. @param {number[][]} ranking */
  #firstThree(ranking) {
    const all = ranking.flatMap((seats, k) => seats.map((seat) => ({ seat, place: 1 + ranking.slice(0, k).flat().length })));
    return all.slice(0, 3);
  }

  /** @param {number} seat @param {number} step */
  #step(seat, step) {
    return el(
      "div",
      { class: `podium-step step-${step} faction-${this.table.faction(seat)}` },
      el("div", { class: "podium-who" }, step === 1 ? wreath() : null, this.table.badge(seat, false)),
      nameTag(this.table.name(seat), { class: "podium-name" }),
      el("span", { class: "podium-block", text: ["", "I", "II", "III"][step] }),
    );
  }

  /** @param {HTMLElement} petals @param {HTMLElement[]} steps */
  #celebrate(petals, steps) {
    for (const step of steps) {
      void motion.play(step, [{ transform: "translateY(60%)", opacity: 0 }, { transform: "none", opacity: 1 }], step.classList.contains("step-1") ? 900 : 600, "cubic-bezier(0.2, 1.3, 0.5, 1)");
    }
    const high = this.place.clientHeight;
    for (let number = 0; number < PETALS; number += 1) {
      const petal = el("span", { class: `petal faction-${number % 6}` });
      const [left, drift, turn] = [Math.random() * 100, (Math.random() - 0.5) * 160, 360 + Math.random() * 720];
      petal.style.left = `${left.toFixed(1)}%`;
      petals.append(petal);
      const frames = [
        { transform: "translate(0, -10px) rotate(0deg)", opacity: 1 },
        { transform: `translate(${drift.toFixed(0)}px, ${high}px) rotate(${turn.toFixed(0)}deg)`, opacity: 0.2 },
      ];
      void motion.play(petal, frames, FALL * (0.7 + Math.random()), "linear").then(() => petal.remove());
    }
  }
}
