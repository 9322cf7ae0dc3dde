// @ts-check
// Chariot Race at the table: pieces, panels, choices and words brought together.

import { Animation } from "./animation.js";
import { Board } from "./board.js";
import { brief } from "./brief.js";
import { Choice } from "./choice.js";
import { Comparing } from "./comparing.js";
import { Description } from "./description.js";
import { Panels } from "./panels.js";
import { findPlace } from "./places.js";
import { Words } from "./words.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GamePage} GamePage */
/** @typedef {import("../../../web/static/js/types.js").Targets} Targets */

/** The keys of this game, as the list of keys tells them. */
const KEYS = [
  { keys: "1 – 9", text: "chariot-race.keys.options" },
  { keys: "← ↑ →", text: "chariot-race.keys.steps" },
  { keys: "0", text: "chariot-race.keys.none" },
];

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function open(host) {
  const words = new Words(host);
  const description = new Description(words);
  const board = new Board(host);
  const panels = new Panels(host, words);
  const choice = new Choice(host, words, board, panels);
  const comparing = new Comparing(words, board);
  const animation = new Animation(host, { words, board, panels, choice });

  /** @param {Targets | null} targets */
  function light(targets) {
    const seats = targets?.seats ?? [];
    const lit = [...(targets?.chariots ?? []), ...(targets?.pieces ?? [])];
    for (const { chariot, seat } of panels.chariots) if (seats.includes(seat)) lit.push(chariot);
    const spaces = (targets?.spaces ?? []).map((space) => (typeof space === "string" ? animation.number(space) : space));
    board.light(lit, spaces.filter((space) => space !== undefined));
    panels.light(lit);
  }

  return {
    show(view, looking) {
      animation.round = view.round;
      words.see(view);
      panels.show(view, looking);
      board.place(view, looking);
      if (view.over) for (const one of view.chariots) if (one.place === 1 && !one.wrecked) void board.crown(one.chariot);
    },
    offer(offer, view) {
      if (offer) choice.show(offer, view);
      else {
        choice.clear();
        const over = !view || view.over || view.stage === "race over";
        choice.watch(over ? null : view.chariot, over ? [] : view.dice);
      }
    },
    animate: (event) => animation.play(event),
    line: (event) => words.line(event),
    light,
    compare: (compared, view) => comparing.show(compared, view),
    describe: (view) => description.lines(view),
    brief: (events, view) => brief(words, events, view),
    phrase: (action, view) => words.action(action, view),
    say: (name, value) => (name === "rivals" ? words.called(Number(value)) : name === "side" ? words.side(String(value)) : null),
    camera: board.camera,
    keys: KEYS,
    place: findPlace,
    faction: (seat) => words.faction(seat),
  };
}
