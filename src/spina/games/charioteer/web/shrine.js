// @ts-check
// The shrine in the middle of the board: the crowd cards, the emperor's die, what he wishes, and the lap counter.

import { svg } from "../../../web/static/js/dom.js";
import { CARD_HEIGHT, CARD_WIDTH, cardGroup, dieGroup } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */

const NUMERALS = ["–", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
export const CAPITALS = "'Trajan Pro','Cinzel','Optima','Palatino Linotype','Palatino','Book Antiqua','P052',serif";

/** @param {number} value */
export const roman = (value) => NUMERALS[value] ?? String(value);

/** @param {[number, number]} place @param {Record<string, unknown>} style */
const lettering = ([x, y], style) => svg("text", { x, y, "text-anchor": "middle", "font-family": CAPITALS, ...style });

export class Shrine {
  /** @type {SVGGElement[]} */
  #cards = [];
  #face = "";

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    const { places } = host;
    this.layer = svg("g", { class: "cx-shrine" });
    this.lap = lettering(places.lap, { "font-size": 46, fill: "#e9b93f" });
    this.frieze = lettering(places.frieze, { "font-size": 12, "letter-spacing": 3, "font-weight": 700, fill: "#8c1d18" });
    this.die = svg("g", { class: "cx-board-die" });
    this.die.style.transform = this.#dieHome;
    this.layer.append(this.die);
  }

  /** Everything of the shrine, in the order in which it is drawn. */
  get elements() {
    return [this.layer, this.lap, this.frieze];
  }

  /** Where the die lies. */
  get diePoint() {
    const [x, y] = this.host.places.die;
    return { x, y };
  }

  get #dieHome() {
    const { x, y } = this.diePoint;
    return `translate(${x}px, ${y}px)`;
  }

  /** @param {string} face */
  setDie(face) {
    if (face === this.#face) return;
    this.#face = face;
    this.die.replaceChildren(dieGroup(face));
    this.die.setAttribute("data-help", `charioteer.emperor.${face}`);
    this.frieze.textContent = this.host.t(`charioteer.frieze.${face}`);
  }

  /** @param {string[]} names */
  setCrowd(names) {
    this.#cards.forEach((card) => card.remove());
    this.#cards = names.map((name, slot) => this.#makeCard(name, slot));
    this.layer.append(...this.#cards);
  }

  /** @param {string} name @param {number} slot */
  #makeCard(name, slot) {
    const group = svg("g", { class: "cx-crowd", "data-help": `charioteer.crowd.${slot}` }, cardGroup(name));
    group.append(svg("rect", { class: "cx-frame", x: 1, y: 1, width: CARD_WIDTH - 2, height: CARD_HEIGHT - 2, rx: 8 }));
    group.style.transform = this.#cardPlace(slot);
    group.classList.toggle("active", slot === 0);
    return group;
  }

  /** @param {number} slot */
  #cardPlace(slot) {
    const { crowd, card } = this.host.places;
    const [x, y] = crowd[slot];
    const scale = card[0] / CARD_WIDTH;
    return `translate(${x - card[0] / 2}px, ${y - (CARD_HEIGHT * scale) / 2}px) scale(${scale})`;
  }

  /** @param {number} done laps that a chariot has completed @param {number} lap of the leader; 0 before the line */
  setLaps(done, lap) {
    this.lap.textContent = lap > 0 ? roman(lap) : "";
    this.host.board.querySelectorAll(".lap-counter use.dolphin").forEach((dolphin, k) => dive(dolphin, k < done));
  }

  /** Rolls the die. @param {string} face */
  async roll(face) {
    const { motion } = this.host;
    const home = this.#dieHome;
    const thrown = `${home} rotate(220deg) scale(1.7)`;
    if (!motion.still()) await motion.play(this.die, [{ transform: home }, { transform: thrown }], 260, "ease-in");
    this.setDie(face);
    if (!motion.still()) await motion.play(this.die, [{ transform: thrown }, { transform: `${home} rotate(360deg)` }], 340, "ease-out");
    this.die.style.transform = home;
  }

  /** Moves the crowd cards up by one. @param {string[]} names */
  async moveCrowd(names) {
    const { motion } = this.host;
    if (!motion.still() && this.#cards.length === names.length && this.#cards.length > 1) {
      const [gone, ...rest] = this.#cards;
      const away = motion.play(gone, [{ opacity: 1 }, { opacity: 0 }], 220);
      const along = rest.map((card, k) => motion.play(card, [{ transform: this.#cardPlace(k + 1) }, { transform: this.#cardPlace(k) }], 380, "ease-in-out"));
      await Promise.all([away, ...along]);
    }
    this.setCrowd(names);
    const fresh = this.#cards[this.#cards.length - 1];
    if (fresh && !motion.still()) void motion.play(fresh, [{ opacity: 0 }, { opacity: 1 }], 250);
  }
}

/** Turns a dolphin of the lap counter down, or up again. @param {Element} dolphin @param {boolean} dived */
function dive(dolphin, dived) {
  if (dolphin.classList.contains("dived") === dived) return;
  const found = /translate\((\S+) (\S+)\) rotate\(\S+\)(?: scale\((\S+)\))?/.exec(dolphin.getAttribute("transform") ?? "");
  if (!found) return;
  const scale = Number(found[3] ?? 1);
  const y = Number(found[2]) + (dived ? -8 : 8) * scale;
  dolphin.setAttribute("transform", `translate(${found[1]} ${y}) rotate(${dived ? 68 : -8}) scale(${scale})`);
  dolphin.setAttribute("fill", dived ? "#e9b93f" : "#f3ead6");
  dolphin.setAttribute("stroke", dived ? "#a87718" : "#6d5039");
  dolphin.classList.toggle("dived", dived);
}
