// @ts-check
// Shows what happens in a race of Charioteer, event by event, on the board, the panels and the stage.

import { MOVES } from "./cards.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */

export class Animation {
  /** The race as far as it has been shown: the last view, and the events since. @type {View | null} */
  shown = null;
  /** What each seat has played this turn. @type {Map<number, import("./types.d.ts").Revealed>} */
  played = new Map();

  /**
   * @param {Host} host
   * @param {{board: import("./board.js").Board, panels: ReturnType<typeof import("./panels.js").makePanels>,
   *   stage: ReturnType<typeof import("./stage.js").makeStage>, choice: import("./choice.js").Choice,
   *   lens: import("./lens.js").Lens}} parts
   */
  constructor(host, { board, panels, stage, choice, lens }) {
    this.host = host;
    this.board = board;
    this.panels = panels;
    this.stage = stage;
    this.choice = choice;
    this.lens = lens;
  }

  /** The race stands like this now. @param {View} view */
  begin(view) {
    this.shown = structuredClone(view);
    // at the end the race waits for no seat
    if (view.over) for (const chariot of this.shown.chariots) chariot.ready = false;
  }

  /** @param {GameEvent} event */
  async play(event) {
    const show = /** @type {((a: Animation, e: GameEvent) => Promise<void> | void) | undefined} */ (SHOWS[event.type]);
    await show?.(this, event);
  }

  /** @param {number} seat @param {Partial<ChariotView>} changes */
  change(seat, changes) {
    if (!this.shown) return;
    Object.assign(this.shown.chariots[seat], changes);
    this.panels.update(seat, this.shown.chariots[seat]);
  }

  /** A token is gone: one of the player tokens, which lie open, or else a fan token. @param {number} seat @param {string} token */
  spend(seat, token) {
    if (!this.shown) return;
    const { player_tokens: open, fan_tokens: fans } = this.shown.chariots[seat];
    if (open[token]) this.change(seat, { player_tokens: { ...open, [token]: open[token] - 1 } });
    else this.change(seat, { fan_tokens: Math.max(0, fans - 1) });
  }

  /** Finds every seat's place after a chariot has moved. */
  rank() {
    if (!this.shown) return;
    const { chariots } = this.shown;
    this.board.lanes().forEach(({ lane }, seat) => (chariots[seat].lane = lane));
    const order = [...chariots].sort((a, b) => b.progress - a.progress || a.lane - b.lane);
    this.board.leader = order[0].seat;
    order.forEach((chariot, k) => {
      if (chariot.place !== k + 1) this.change(chariot.seat, { place: k + 1 });
    });
  }

  /** Shows the laps of the chariot that is furthest along. */
  laps() {
    if (!this.shown) return;
    const { laps, spaces } = this.host.places;
    const furthest = Math.max(...this.shown.chariots.map((chariot) => chariot.progress));
    const lap = furthest < 0 ? 0 : Math.min(Math.floor(furthest / spaces.length) + 1, laps);
    this.board.shrine.setLaps(furthest >= laps * spaces.length ? laps : Math.max(lap - 1, 0), lap);
  }
}

/**
 * How each event is shown, by its type.
 * @type {{[Type in GameEvent["type"]]?: (a: Animation, e: Extract<GameEvent, {type: Type}>) => Promise<void> | void}}
 */
const SHOWS = {
  Chosen(a, e) {
    a.change(e.seat, { ready: true });
  },
  async Revealed(a, e) {
    a.choice.offer(null, null);
    a.stage.open(a.host.seats);
    if (a.shown) a.change(e.seat, { ready: false, cards: a.shown.chariots[e.seat].cards - e.cards.length - e.discards });
    for (const token of [e.token, e.discard_token]) if (token) a.spend(e.seat, token);
    a.played.set(e.seat, e);
    a.host.sound(e.token ? "coin" : "cards");
    await a.stage.reveal(e, a.shown?.crowd[0] ?? "");
    await a.host.motion.pause(60);
  },
  async Ordered(a, e) {
    await a.stage.order(e.seats);
  },
  async Shielded(a, e) {
    a.change(e.seat, { attack: 0 });
    a.lens.lean(e.seat);
    void a.board.effects.ring(e.seat, "shield");
    void a.board.effects.pop(e.seat, { sign: "shield", text: e.cubes ? `−${e.cubes}` : "", tone: "good" });
    await a.host.motion.pause(220);
  },
  async Calmed(a, e) {
    a.change(e.seat, { attack: 0, damage: 0 });
    a.lens.lean(e.seat);
    void a.board.effects.ring(e.seat, "calm");
    void a.board.effects.pop(e.seat, { sign: "reset", text: e.damage + e.attack ? `−${e.damage + e.attack}` : "", tone: "good" });
    await a.host.motion.pause(300);
  },
  async Recovered(a, e) {
    a.change(e.seat, { damage: e.left });
    a.lens.lean(e.seat);
    void a.board.effects.ring(e.seat, "calm");
    void a.board.effects.pop(e.seat, { sign: "recovery", text: `−${e.cubes}`, tone: "good" });
    await a.host.motion.pause(300);
  },
  async Counted(a, e) {
    const played = a.played.get(e.seat);
    const symbol = played?.symbol ?? "";
    a.board.rest();
    a.lens.lean(e.seat);
    a.board.spur(e.points, symbol);
    if (played?.crowd) a.board.effects.cheer(e.seat);
    const words = a.host.t("charioteer.pop.points", { count: e.points });
    void a.board.effects.pop(e.seat, { sign: MOVES[symbol.split("-")[0]], text: words, tone: "sum", ms: 1000 });
    await a.stage.counted(e);
  },
  async Attacked(a, e) {
    void a.board.effects.ring(e.seat, "attack");
    a.host.sound("ram", { strength: e.cubes / 4 });
    void a.board.effects.pop(e.seat, { sign: "attack", text: `${e.cubes}`, tone: "grave" });
    await a.host.motion.pause(250);
  },
  async Cube(a, e) {
    a.change(e.seat, { attack: e.box });
    void a.board.cube(e.seat, e.by);
    await a.host.motion.pause(90);
  },
  async Stepped(a, e) {
    if (a.shown) Object.assign(a.shown.chariots[e.seat], { progress: e.progress, space: e.space });
    a.host.sound("hooves", { strength: e.whipped ? 1 : 0.75 });
    a.lens.lean(e.seat);
    await a.board.step(e);
    a.rank();
    if (e.progress % 3 === 0) a.lens.dots();
  },
  async Passed(a, e) {
    if (!e.skipped) a.host.sound("wheels", { strength: 0.25 });
    if (!e.skipped) await a.board.swap(e.seat, e.rival);
    a.rank();
  },
  async Whipped(a, e) {
    const words = e.spaces ? `+${e.spaces}` : a.host.t(`charioteer.effect.whip.${e.ended.replace(" ", "-")}`);
    void a.board.effects.pop(e.seat, { sign: "whip", text: words, ms: 1000 });
    a.host.sound("whip");
    if (e.spaces) await a.board.effects.crack(e.seat);
    else await a.host.motion.pause(350);
  },
  async Learned(a, e) {
    if (!a.shown) return;
    const skills = { ...a.shown.chariots[e.seat].skills, [e.colour]: { place: e.place, bonus: e.bonus } };
    a.change(e.seat, { skills });
    a.panels.of(e.seat)?.learned(e.colour);
    if (e.bonus > 1) void a.board.effects.pop(e.seat, { sign: "learning", text: `+${e.bonus}`, tone: "grand", ms: 1200 });
    await a.host.motion.pause(e.bonus > 1 ? 450 : 80);
  },
  async FanToken(a, e) {
    if (e.empty) return;
    if (a.shown) a.change(e.seat, { fan_tokens: a.shown.chariots[e.seat].fan_tokens + 1 });
    a.board.effects.cheer(e.seat);
    void a.board.effects.pop(e.seat, { sign: "fan", tone: "grand" });
    a.host.sound("coin", { strength: 0.5 });
    await a.host.motion.pause(220);
  },
  async Lap(a, e) {
    a.change(e.seat, { lap: Math.min(e.lap + 1, a.host.places.laps) });
    a.laps();
    const last = e.lap >= a.host.places.laps;
    a.host.sound(last ? "cheer" : "fanfare", { strength: 0.5 });
    void a.board.effects.pop(e.seat, { text: a.host.t(last ? "charioteer.pop.finish" : "charioteer.pop.lap", { lap: e.lap }), tone: "grand", ms: 1300 });
    await a.host.motion.pause(400);
  },
  async Suffered(a, e) {
    a.board.rest();
    a.change(e.seat, { attack: 0, damage: e.damage });
    if (!e.cubes) return;
    void a.board.effects.pop(e.seat, { sign: "wheel", text: `+${e.cubes}`, tone: "grave" });
    await a.board.effects.splinter(e.seat);
  },
  Drew(a, e) {
    if (a.shown) a.change(e.seat, { cards: a.shown.chariots[e.seat].cards + e.count });
  },
  async CrowdMoved(a, e) {
    await a.stage.crown();
    a.stage.close();
    if (a.shown) a.shown.crowd = e.cards;
    a.host.sound("cards");
    a.choice.hint({ crowd: e.cards });
    await a.board.shrine.moveCrowd(e.cards);
  },
  async Emperor(a, e) {
    a.host.sound("dice", { strength: 0.25 });
    a.choice.hint({ emperor: e.face });
    await a.board.shrine.roll(e.face);
  },
  Turn(a) {
    a.board.rest();
    a.laps();
    a.played.clear();
    a.lens.dots();
    a.lens.pack();
  },
  async Finished(a, e) {
    a.board.rest();
    a.change(e.seat, { place: e.place });
    if (e.place === 1) a.lens.lean(e.seat);
    if (e.place === 1) a.board.effects.cheer(e.seat);
    if (e.place === 1) a.host.sound("fanfare", { strength: 1 });
    if (e.place === 1) await a.board.effects.pop(e.seat, { text: a.host.t("charioteer.pop.won"), tone: "grand", ms: 1600 });
  },
};
