// @ts-check
// Dice that may be rolled again, for nothing or for fate, with what they come to as they lie.

import { el } from "../../../web/static/js/dom.js";
import { rove } from "../../../web/static/js/roving.js";
import { die, icon, SIDES } from "./dice.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./types.d.ts").DiceOffer} DiceOffer */
/** @typedef {import("./types.d.ts").DiceSum} DiceSum */

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

/** The question which dice are rolled again, or turned. */
export class Reroll {
  /** @param {Choice} choice */
  constructor(choice) {
    this.choice = choice;
    this.offered = /** @type {DiceOffer} */ (choice.asked.dice);
    /** Dice to roll again, by index. @type {Set<number>} */
    this.again = new Set();
    this.sum = el("div", { class: "cr-sum" });
    this.turn = el("div", { class: "cr-turn" });
    this.odds = el("p", { class: "cr-odds" });
    this.roll = el("button", { type: "button", class: "button cr-roll deciding", on: { click: () => void choice.send([this.#action()]) } });
    this.keep = choice.button({ action: "keep", kind: "deciding", deadly: this.offered.sum.wrecked || choice.doomed }, choice.t("dice.keep"));
    this.dice = this.offered.sides.map((side, index) => this.#die(side, index));
  }

  /** Everything of the question, in the order in which it stands. */
  build() {
    const { choice } = this;
    const { free, price, fate, later } = this.offered;
    const purse = free
      ? later ? choice.t("dice.later", { count: later, price, fate }) : choice.t("dice.free")
      : choice.t("dice.price", { price, fate, count: later + 1 });
    this.#refresh();
    choice.paths.preview(choice.asked.preview ?? []);
    choice.foot.append(this.roll, this.keep);
    return [
      el("p", { class: "cr-purse small", text: purse, "data-help": "chariot-race.fate" }),
      rove(el("div", { class: "cr-dice", role: "toolbar", "aria-label": choice.t("dice.group") }, ...this.dice)),
      this.odds,
      this.turn,
      this.sum,
    ];
  }

  /** @param {string} side @param {number} index */
  #die(side, index) {
    const { words } = this.choice;
    return el(
      "button",
      {
        type: "button", class: "cr-pick", "aria-pressed": false, "data-die": index + 1, "data-key": index + 1, "data-help": `chariot-race.side.${SIDES[side]}`,
        "aria-label": this.choice.t("dice.die", { number: index + 1, side: words.side(side) }),
        on: { click: () => this.toggle(index) },
      },
      die(side),
      el("span", { class: "cr-pick-name", "aria-hidden": true, text: words.side(side) }),
    );
  }

  /** Picks a die to roll again, or puts it back. @param {number} index */
  toggle(index) {
    if (index >= this.dice.length) return;
    if (!this.again.delete(index)) this.again.add(index);
    this.#refresh();
  }

  #refresh() {
    const { choice, roll, again } = this;
    const { free, price, sum } = this.offered;
    const count = again.size;
    this.dice.forEach((button, index) => button.setAttribute("aria-pressed", String(again.has(index))));
    roll.disabled = count === 0;
    roll.textContent = count ? choice.t(free ? "dice.roll.free" : "dice.roll.paid", { count, price }) : choice.t("dice.roll.none");
    roll.dataset.action = this.#action();
    roll.classList.toggle("primary", count > 0);
    this.keep.classList.toggle("primary", count === 0);
    (count ? roll : this.keep).dataset.key = "Enter";
    delete (count ? this.keep : roll).dataset.key;
    this.odds.replaceChildren(...this.#odds(count));
    this.turn.replaceChildren(...this.#turning());
    this.sum.replaceChildren(...this.#tags(sum));
    this.#foresee(sum);
  }

  #action() {
    return `re-roll ${[...this.again].sort().map((index) => index + 1).join(" ")}`;
  }

  /** @param {number} count */
  #odds(count) {
    const { choice } = this;
    if (!count) return [el("span", { class: "soft small", text: choice.t("dice.hint") })];
    return [
      el("span", { class: "soft small", text: choice.t("dice.odds", { count }) }),
      ...Object.entries(this.offered.chances).map(([side, table]) => {
        const chance = percent(table[count - 1]);
        return el("span", { class: "cr-odd small", "aria-label": choice.t("dice.odd", { side: choice.words.side(side), chance }), role: "img" }, icon(side), chance);
      }),
    ];
  }

  #turning() {
    const { choice } = this;
    const { turns, sides, price, sum } = this.offered;
    if (!turns.length) return [];
    if (this.again.size !== 1) return [el("p", { class: "soft small", text: choice.t("dice.turn.hint", { price }) })];
    const before = sides[[...this.again][0]];
    return [
      el("span", { class: "small", text: choice.t("dice.turn", { side: choice.words.side(before), price }) }),
      ...turns
        .filter((turn) => turn.before === before)
        .map((turn) =>
          el(
            "button",
            {
              type: "button", class: "button cr-small", "data-action": turn.action, "aria-label": choice.t("dice.turn.to", { side: choice.words.side(turn.side), price }),
              on: { click: () => void choice.send([turn.action], turn.sum.wrecked), ...choice.pointing(() => this.#foresee(turn.sum), () => this.#foresee(sum)) },
            },
            icon(turn.side),
            el("span", { text: choice.words.side(turn.side) }),
          ),
        ),
    ];
  }

  /** @param {DiceSum} sum */
  #foresee(sum) {
    const speed = sum.speeds.length === 1 ? { speed: sum.speeds[0] } : {};
    this.choice.panels.foresee(this.choice.asked.chariot, { condition: sum.condition, fate: sum.fate, ...speed });
  }

  /** What dice come to. @param {DiceSum} sum */
  #tags(sum) {
    const { choice } = this;
    const { fate } = choice.own;
    const [low, high] = [sum.speeds[0], sum.speeds[sum.speeds.length - 1]];
    return [
      el("span", { class: "cr-sum-label", text: choice.t("dice.sum") }),
      choice.tag(low === high ? choice.t("value.speed", { value: low }) : choice.t("value.speeds", { low, high }), "", "chariot-race.speed"),
      choice.tag(choice.t("value.steers", { count: sum.steers }), "", "chariot-race.side.steer"),
      ...(sum.attacks ? [choice.tag(choice.t("value.attacks", { count: sum.attacks }), "", "chariot-race.side.attack")] : []),
      ...(sum.sprint ? [choice.tag(choice.t("part.sprint", { damage: sum.sprint }), "bad", "chariot-race.side.sprint")] : []),
      ...(sum.fate !== fate ? [choice.tag(choice.t("change.fate", { before: fate, after: sum.fate }), sum.fate > fate ? "good" : "bad", "chariot-race.fate")] : []),
      ...(sum.wrecked || choice.doomed ? [choice.tag(choice.t("value.wrecked"), "grave", "chariot-race.wreck")] : []),
    ];
  }
}
