// @ts-check
// Chariot Race at the table: pieces, panels, choices and words brought together.

import { Board } from "./board.js";
import { Choice } from "./choice.js";
import { Panels } from "./panels.js";
import { Words } from "./words.js";

/** @typedef {import("../../../web/static/js/types.js").Host} Host */
/** @typedef {import("../../../web/static/js/types.js").GamePage} GamePage */
/** @typedef {import("../../../web/static/js/types.js").GameEvent} GameEvent */
/** @typedef {import("../../../web/static/js/types.js").Targets} Targets */

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function open(host) {
  const words = new Words(host);
  const board = new Board(host);
  const panels = new Panels(host, words);
  const choice = new Choice(host, words, board, panels);
  const { motion } = host;
  let round = 0;
  /** @type {number[]} */
  let speaking = [];

  /** @param {string} name */
  const number = (name) => /** @type {number} */ (words.numbers.get(name));

  /**
   * The place in the race follows from how far everybody has come.
   * @param {number} chariot
   * @param {string} space
   * @param {number} lap
   */
  function moved(chariot, space, lap) {
    const { fronts, figures } = host.places;
    const index = number(space);
    const one = panels.chariots[chariot];
    if (!one) return;
    Object.assign(one, { space: index, name_of_space: space, lap, distance: lap * figures.length + fronts[index], finished: lap >= figures.laps });
    const running = panels.chariots.filter((other) => !other.wrecked && other.space !== null);
    for (const other of panels.chariots) {
      const place = 1 + (other.wrecked ? running.length : running.filter((rival) => rival.distance > other.distance).length);
      if (other.place !== place || other === one) panels.change(other.chariot, { place });
    }
  }

  /** @type {Record<string, (event: GameEvent) => Promise<unknown>>} */
  const scenes = {
    Drafted: async (e) => panels.change(e.chariot, { kind: e.character, ...beginning(e.character) }),
    Placed: async (e) => {
      moved(e.chariot, e.space, -1);
      await board.enter(e.chariot, number(e.space));
    },
    Round: async (e) => {
      round = e.number;
    },
    Ordered: async (e) => {
      panels.ordered(e.chariots, round);
      await motion.pause(150);
    },
    Turn: async (e) => {
      board.turn(e.chariot);
      panels.turn(e.chariot);
      panels.change(e.chariot, { speed: e.speed, condition: e.condition, fate: e.fate });
      void board.roll([], [], false);
      panels.dice(null, []);
      choice.watch(e.chariot, []);
      await motion.pause(250);
    },
    Repaired: async (e) => {
      panels.change(e.chariot, { condition: e.condition, fate: e.fate });
      await board.float(e.chariot, `+${e.gained}`, "good");
    },
    HeldBack: async (e) => {
      panels.change(e.chariot, { speed: e.speed });
      await board.float(e.chariot, words.t("value.speed", { value: e.speed }), "bad");
    },
    Rolled: async (e) => {
      const kept = e.roll === "first" ? [] : board.dice;
      if (e.roll === "bought") panels.change(e.chariot, { fate: panels.chariots[e.chariot].fate - host.places.figures.fortune_cost });
      await board.roll(e.dice, kept, true);
      panels.dice(e.chariot, e.dice);
      choice.watch(e.chariot, e.dice);
      await motion.pause(250);
    },
    Turned: async (e) => {
      const dice = [...board.dice];
      const at = dice.indexOf(e.before);
      if (at >= 0) dice.splice(at, 1, e.side);
      const order = ["+/-", "sprint", "steer", "attack", "fortuna"];
      dice.sort((a, b) => order.indexOf(a) - order.indexOf(b));
      panels.change(e.chariot, { fate: e.fate });
      await board.roll(dice, board.dice, true);
      panels.dice(e.chariot, dice);
      choice.watch(e.chariot, dice);
    },
    Blessed: async (e) => {
      panels.change(e.chariot, { fate: e.fate });
      await motion.pause(200);
    },
    Sped: async (e) => {
      const hurt = panels.chariots[e.chariot]?.condition - e.condition;
      panels.change(e.chariot, { speed: e.speed, condition: e.condition });
      if (hurt > 0) void board.float(e.chariot, `−${hurt}`, "bad");
      await motion.pause(hurt > 0 ? 500 : 200);
    },
    Stepped: async (e) => {
      await board.drive(e.chariot, number(e.space));
      moved(e.chariot, e.space, e.lap);
      if (e.points === 0) await motion.pause(150);
    },
    Cornered: async (e) => {
      panels.change(e.chariot, { condition: e.condition });
      void board.float(e.chariot, `−${e.damage}`, "bad");
      await board.shake(e.chariot, 5);
    },
    Rammed: async (e) => {
      const [own, other] = [panels.chariots[e.chariot], panels.chariots[e.rammed]];
      const [lost, harmed] = [own.condition - e.condition, other.condition - e.rammed_condition];
      panels.change(e.chariot, { condition: e.condition });
      panels.change(e.rammed, { condition: e.rammed_condition });
      void board.float(e.chariot, `−${lost}`, "bad");
      if (harmed) void board.float(e.rammed, `−${harmed}`, "bad");
      await Promise.all([board.shake(e.chariot, 6), board.shake(e.rammed, 9)]);
    },
    Spiked: async (e) => {
      const lost = panels.chariots[e.chariot].condition - e.condition;
      panels.change(e.chariot, { condition: e.condition });
      void board.float(e.chariot, `−${lost}`, "bad");
      await Promise.all([board.pickUp(number(e.space)), board.shake(e.chariot, 4)]);
    },
    PutBack: async (e) => {
      await board.pushBack(e.chariot, number(e.space));
      moved(e.chariot, e.space, e.lap);
    },
    Crashed: async (e) => board.shake(e.chariot, 10),
    Wrecked: async (e) => {
      panels.change(e.chariot, { condition: 0, wrecked: true, finished: false });
      await board.breakUp(e.chariot, number(e.space), e.marker);
      await motion.pause(300);
    },
    Line: async () => board.lap({ chariots: panels.chariots }),
    JavelinThrown: async (e) => {
      await board.throwJavelin(e.chariot, e.target);
      const lost = panels.chariots[e.target].condition - e.condition;
      panels.change(e.target, { condition: e.condition });
      void board.float(e.target, `−${lost}`, "bad");
      await board.shake(e.target, 5);
    },
    CaltropDropped: async (e) => board.drop(number(e.space)),
    Finished: async (e) => {
      panels.turn(null);
      if (e.place === 1) await board.crown(e.chariot);
    },
  };

  /** @param {string} character */
  function beginning(character) {
    const [condition, speed, fate] = host.places.kinds[character]?.first ?? [];
    return { condition, speed, fate };
  }

  /** @param {Targets | null} targets */
  function light(targets) {
    const seats = targets?.seats ?? [];
    speaking = [...(targets?.chariots ?? []), ...(targets?.pieces ?? [])];
    for (const { chariot, seat } of panels.chariots) if (seats.includes(seat)) speaking.push(chariot);
    const spaces = (targets?.spaces ?? []).map((space) => (typeof space === "string" ? number(space) : space));
    board.light(speaking, spaces.filter((space) => space !== undefined));
    panels.light(speaking);
  }

  return {
    show(view, looking) {
      round = view.round;
      words.see(view);
      panels.show(view, looking);
      board.place(view);
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
    async animate(event) {
      await scenes[event.type]?.(event);
    },
    line: (event) => words.line(event),
    light,
    describe: (view) => words.describe(view),
    phrase: (action, view) => words.action(action, view),
    key: (event) => choice.key(event),
    faction: (seat) => words.faction(seat),
  };
}
