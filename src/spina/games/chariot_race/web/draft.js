// @ts-check
// Before a race with individual chariots: the draft, and the choice of starting spaces.

import { el, shape } from "../../../web/static/js/dom.js";
import { number } from "../../../web/static/js/keys.js";
import { rove } from "../../../web/static/js/roving.js";
import { KNOWN } from "./words.js";

/** @typedef {import("./choice.js").Choice} Choice */

const TRACKS = /** @type {["condition", "speed", "fate"]} */ (["condition", "speed", "fate"]);

/** The question which individual chariot one drives: pointing at one tells all about it, a second click takes it. */
export class Draft {
  /** @param {Choice} choice */
  constructor(choice) {
    this.choice = choice;
    this.offered = choice.asked.draft ?? [];
    this.chosen = 0;
    this.detail = el("div", { class: "cr-sheet" });
    this.go = choice.button({ action: "", kind: "primary deciding", key: "Enter", on: { click: () => this.take() } });
    this.cards = this.offered.map(({ action, character, faction }, index) => {
      const { first } = choice.host.places.kinds[character];
      const figures = TRACKS.map((track, k) => choice.t(`value.${track}`, { value: first[k] }));
      return el(
        "button",
        {
          type: "button", class: "cr-card cr-tile", "data-character": character, "data-action": action, "aria-pressed": false,
          "aria-label": [choice.words.character(character), choice.host.t(`faction.${faction}`), ...figures].join(", "),
          on: { click: () => (this.chosen === index ? this.take() : this.#choose(index)), ...choice.pointing(() => this.#tell(index), () => this.#tell(this.chosen)) },
        },
        shape(faction),
        el("strong", { class: "cut", text: choice.words.character(character) }),
      );
    });
  }

  build() {
    this.#choose(0);
    this.choice.foot.append(this.go);
    number(this.cards);
    return [rove(el("div", { class: "cr-tiles", role: "toolbar", "aria-label": this.choice.t("ask.draft") }, ...this.cards)), this.detail];
  }

  /** @param {number} index */
  #choose(index) {
    this.chosen = index;
    this.cards.forEach((card, k) => card.setAttribute("aria-pressed", String(k === index)));
    this.go.textContent = this.choice.t("draft.go", { character: this.choice.words.character(this.offered[index].character) });
    this.#tell(index);
  }

  take() {
    void this.choice.send([this.offered[this.chosen].action]);
  }

  /** What a chariot can do. @param {number} index */
  #tell(index) {
    const { choice } = this;
    const { character, faction } = this.offered[index];
    const { first, most, dice, limit } = choice.host.places.kinds[character];
    const rows = TRACKS.map((track, k) => el("div", null, el("dt", { text: choice.t(track) }), el("dd", null, el("b", { text: first[k] }), el("span", { class: "soft", text: ` / ${most[k]}` }))));
    const highest = Math.max(...dice);
    const bars = dice.map((count, speed) => {
      const bar = el("span", { class: "cr-column", title: choice.t("draft.column", { speed, count }) }, el("i", { text: count }), el("small", { text: speed }));
      bar.style.setProperty("--height", String(count / highest));
      return bar;
    });
    const fastest = Math.max(...limit);
    this.detail.replaceChildren(
      el("strong", { class: "cr-card-name" }, shape(faction, choice.host.t(`faction.${faction}`)), " ", choice.words.character(character)),
      ...(KNOWN.has(character) ? [el("p", { class: "cr-card-line", text: choice.t(`character.${character}.line`) })] : []),
      el("dl", { class: "cr-card-tracks" }, ...rows),
      el("span", { class: "cr-card-label", text: choice.t("draft.dice") }),
      el("span", { class: "cr-columns", "aria-hidden": true }, ...bars),
      el("span", { class: "small soft", text: choice.t("draft.limit", { condition: limit.indexOf(fastest), speed: fastest }) }),
    );
  }
}

/** From which space? @param {Choice} choice */
export function start(choice) {
  const { board, words } = choice;
  const { grid, lanes } = choice.host.places;
  const lane = (/** @type {number} */ k) => choice.t(k === 0 ? "lane.inside" : k === lanes - 1 ? "lane.outside" : "lane.middle");
  const offered = choice.asked.start ?? [];
  const buttons = offered.map(({ action, space }) => {
    const row = grid.indexOf(space) < lanes ? "front" : "rear";
    return choice.button(
      { action, kind: "deciding", on: { ...choice.pointing(() => board.point(space), () => board.point(null)) } },
      el("b", { text: words.spaces[space].name }),
      el("span", { class: "soft small", text: choice.t(`start.${row}`, { lane: lane(words.spaces[space].lane) }) }),
    );
  });
  const actions = new Map(offered.map((one) => [one.space, one.action]));
  /** @type {number | null} */
  let touched = null;
  board.ends(
    [...actions.keys()].map((space) => ({ space, label: "", tone: "plain" })),
    {
      enter: (space) => board.point(space),
      leave: () => board.point(null),
      pick: (space, touch) => {
        if (touch && touched !== space) board.point((touched = space));
        else void choice.send([actions.get(space) ?? ""]);
      },
    },
  );
  board.look(choice.asked.chariot, [...actions.keys()]);
  return [choice.options("cr-grid", buttons)];
}
