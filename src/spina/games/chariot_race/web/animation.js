// @ts-check
// Shows what happens in Chariot Race, event by event, on the board, the panels and beside the choice.

import { roman } from "./pieces.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */

/** The sides of a die in the order in which dice lie. */
const SIDES_IN_ORDER = ["+/-", "sprint", "steer", "attack", "fortuna"];

export class Animation {
  /** The round that is shown. */
  round = 0;

  /**
   * @param {Host} host
   * @param {{words: import("./words.js").Words, board: import("./board.js").Board, panels: import("./panels.js").Panels,
   *   choice: import("./choice.js").Choice}} parts
   */
  constructor(host, { words, board, panels, choice }) {
    this.host = host;
    this.words = words;
    this.board = board;
    this.panels = panels;
    this.choice = choice;
  }

  /** @param {GameEvent} event */
  async play(event) {
    const show = /** @type {(a: Animation, e: GameEvent) => Promise<unknown>} */ (SCENES[event.type]);
    await show?.(this, event);
  }

  /** The number of a space. @param {string} name */
  number(name) {
    return /** @type {number} */ (this.words.numbers.get(name));
  }

  /**
   * Notes where a chariot is. The places in the race follow from how far each has come.
   * @param {number} chariot
   * @param {string} space
   * @param {number} lap
   */
  moved(chariot, space, lap) {
    const { fronts, figures } = this.host.places;
    const index = this.number(space);
    const { chariots } = this.panels;
    const one = chariots[chariot];
    if (!one) return;
    Object.assign(one, { space: index, name_of_space: space, lap, distance: lap * figures.length + fronts[index], finished: lap >= figures.laps });
    const running = chariots.filter((other) => !other.wrecked && other.space !== null);
    for (const other of chariots) {
      const place = 1 + (other.wrecked ? running.length : running.filter((rival) => rival.distance > other.distance).length);
      if (other.place !== place || other === one) this.panels.change(other.chariot, { place });
    }
  }

  /** With what a drafted chariot begins. @param {string} character */
  beginning(character) {
    const [condition, speed, fate] = this.host.places.kinds[character]?.first ?? [];
    return { condition, speed, fate };
  }
}

/**
 * How each event is shown, by its type.
 * @type {{[Type in GameEvent["type"]]: (a: Animation, e: Extract<GameEvent, {type: Type}>) => Promise<unknown>}}
 */
const SCENES = {
  Drafted: async (a, e) => a.panels.change(e.chariot, { kind: e.character, ...a.beginning(e.character) }),
  Placed: async (a, e) => {
    a.moved(e.chariot, e.space, -1);
    await a.board.enter(e.chariot, a.number(e.space));
  },
  Round: async (a, e) => {
    a.round = e.number;
  },
  Ordered: async (a, e) => {
    a.panels.ordered(e.chariots, a.round);
    await a.host.motion.pause(150);
  },
  Turn: async (a, e) => {
    a.board.turn(e.chariot);
    a.board.pace = e.speed;
    a.panels.turn(e.chariot);
    a.panels.change(e.chariot, { speed: e.speed, condition: e.condition, fate: e.fate });
    void a.board.roll([], [], false);
    a.choice.watch(e.chariot, []);
    await a.host.motion.pause(250);
  },
  Repaired: async (a, e) => {
    a.panels.change(e.chariot, { condition: e.condition, fate: e.fate });
    void a.board.moment(e.chariot, (effects, spot) => effects.mend(spot));
    await a.board.float(e.chariot, `+${e.gained}`, "good");
  },
  HeldBack: async (a, e) => {
    a.panels.change(e.chariot, { speed: e.speed });
    await a.board.float(e.chariot, a.words.t("value.speed", { value: e.speed }), "bad");
  },
  Rolled: async (a, e) => {
    const kept = e.roll === "first" ? [] : a.board.dice;
    if (e.roll === "bought") a.panels.change(e.chariot, { fate: a.panels.chariots[e.chariot].fate - a.host.places.figures.fortune_cost });
    a.host.sound("dice", { strength: (e.dice.length - kept.length || 1) / 5 });
    await a.board.roll(e.dice, kept, true);
    a.choice.watch(e.chariot, e.dice);
    await a.host.motion.pause(250);
  },
  Turned: async (a, e) => {
    const dice = [...a.board.dice];
    const at = dice.indexOf(e.before);
    if (at >= 0) dice.splice(at, 1, e.side);
    dice.sort((one, other) => SIDES_IN_ORDER.indexOf(one) - SIDES_IN_ORDER.indexOf(other));
    a.panels.change(e.chariot, { fate: e.fate });
    a.host.sound("dice", { strength: 0.25 });
    await a.board.roll(dice, a.board.dice, true);
    a.choice.watch(e.chariot, dice);
  },
  Blessed: async (a, e) => {
    a.panels.change(e.chariot, { fate: e.fate });
    a.host.sound("coin");
    await a.board.moment(e.chariot, (effects, spot) => effects.bless(spot));
  },
  Sped: async (a, e) => {
    const hurt = a.panels.chariots[e.chariot]?.condition - e.condition;
    if (e.speed > a.panels.chariots[e.chariot]?.speed) a.host.sound("whip", { strength: hurt > 0 ? 1 : 0.5 });
    a.panels.change(e.chariot, { speed: e.speed, condition: e.condition });
    a.board.pace = e.speed;
    if (e.sprints) void a.board.moment(e.chariot, (effects, spot) => effects.whip(spot, e.sprints));
    if (hurt > 0) void a.board.float(e.chariot, `−${hurt}`, "bad");
    await a.host.motion.pause(hurt > 0 ? 500 : 200);
  },
  Stepped: async (a, e) => {
    a.host.sound("hooves", { strength: a.panels.chariots[e.chariot]?.speed / 10, ms: 210 });
    await a.board.drive(e.chariot, a.number(e.space), e.points === 0);
    a.moved(e.chariot, e.space, e.lap);
    if (e.points === 0) await a.host.motion.pause(150);
  },
  Cornered: async (a, e) => {
    a.panels.change(e.chariot, { condition: e.condition });
    void a.board.float(e.chariot, `−${e.damage}`, "bad");
    a.host.sound("wheels", { strength: e.damage / 4 });
    void a.board.moment(e.chariot, (effects, spot) => effects.skid(spot));
    await a.board.shake(e.chariot, 5);
  },
  Rammed: async (a, e) => {
    a.host.sound("ram");
    const [own, other] = [a.panels.chariots[e.chariot], a.panels.chariots[e.rammed]];
    const [lost, harmed] = [own.condition - e.condition, other.condition - e.rammed_condition];
    a.panels.change(e.chariot, { condition: e.condition });
    a.panels.change(e.rammed, { condition: e.rammed_condition });
    void a.board.float(e.chariot, `−${lost}`, "bad");
    if (harmed) void a.board.float(e.rammed, `−${harmed}`, "bad");
    void a.board.moment(e.rammed, (effects, other) => a.board.moment(e.chariot, (_, spot) => effects.ram(spot, other)));
    await Promise.all([a.board.shake(e.chariot, 6), a.board.shake(e.rammed, 9)]);
  },
  Spiked: async (a, e) => {
    const lost = a.panels.chariots[e.chariot].condition - e.condition;
    a.panels.change(e.chariot, { condition: e.condition });
    void a.board.float(e.chariot, `−${lost}`, "bad");
    a.host.sound("caltrop", { strength: 1 });
    void a.board.moment(e.chariot, (effects, spot) => effects.prick(spot));
    await Promise.all([a.board.pickUp(a.number(e.space)), a.board.shake(e.chariot, 4)]);
  },
  PutBack: async (a, e) => {
    a.board.halt(e.chariot);
    await a.board.pushBack(e.chariot, a.number(e.space));
    a.moved(e.chariot, e.space, e.lap);
  },
  Crashed: async (a, e) => {
    a.host.sound("ram", { strength: 1 });
    void a.board.moment(e.chariot, (effects, spot) => effects.rubble(spot));
    await a.board.shake(e.chariot, 10);
  },
  Wrecked: async (a, e) => {
    for (const name of /** @type {const} */ (["crash", "gasp"])) a.host.sound(name, { strength: 1 });
    a.panels.change(e.chariot, { condition: 0, wrecked: true, finished: false });
    await a.board.breakUp(e.chariot, a.number(e.space), e.marker);
    await a.host.motion.pause(300);
  },
  Line: async (a, e) => {
    a.host.sound("fanfare", { strength: 0.5 });
    if (e.laps > 0) void a.board.moment(e.chariot, (effects, spot) => effects.laurel(spot, roman(e.laps)));
    await a.board.lap({ chariots: a.panels.chariots });
  },
  JavelinThrown: async (a, e) => {
    a.host.sound("javelin");
    await a.board.throwJavelin(e.chariot, e.target);
    const lost = a.panels.chariots[e.target].condition - e.condition;
    a.panels.change(e.target, { condition: e.condition });
    void a.board.float(e.target, `−${lost}`, "bad");
    await a.board.shake(e.target, 5);
  },
  CaltropDropped: async (a, e) => {
    a.host.sound("caltrop", { strength: 0.5 });
    await a.board.drop(a.number(e.space));
  },
  Finished: async (a, e) => {
    a.panels.turn(null);
    if (e.place === 1) a.host.sound("fanfare", { strength: 1 });
    if (e.place === 1) await a.board.crown(e.chariot);
  },
};
