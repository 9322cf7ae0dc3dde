// @ts-check
// Charioteer at the table: puts a race on the board and the panels, animates what happens, and lets a seat choose.

import { makeBoard } from "./board.js";
import { makeChoice } from "./choice.js";
import { makePanels } from "./panels.js";
import { makeStage } from "./stage.js";
import { actionWords, describe, lineOf } from "./words.js";

/** @typedef {import("../../../web/static/js/types.js").Host} Host */
/** @typedef {import("../../../web/static/js/types.js").GamePage} GamePage */
/** @typedef {import("../../../web/static/js/types.js").GameEvent} GameEvent */

/**
 * @param {Host} host
 * @returns {GamePage}
 */
export default function open(host) {
  const { motion, places } = host;
  const board = makeBoard(host);
  const panels = makePanels(host);
  const choice = makeChoice(host, board);
  const stage = makeStage(host, host.choice);
  const finish = places.laps * places.spaces.length;
  /** The race as far as it has been shown: the last view, and the events since. @type {any} */
  let shown = null;

  /** @param {number} seat @param {Record<string, any>} changes */
  function change(seat, changes) {
    if (!shown) return;
    Object.assign(shown.chariots[seat], changes);
    panels.update(seat, shown.chariots[seat]);
  }

  /** A token is gone: one of the player tokens, which lie open, or else a fan token. @param {number} seat @param {string} token */
  function spend(seat, token) {
    if (!shown) return;
    const { player_tokens: open, fan_tokens: fans } = shown.chariots[seat];
    if (open[token]) change(seat, { player_tokens: { ...open, [token]: open[token] - 1 } });
    else change(seat, { fan_tokens: Math.max(0, fans - 1) });
  }

  /** Who is where, after a chariot has moved. */
  function rank() {
    if (!shown) return;
    board.lanes().forEach(({ lane }, seat) => (shown.chariots[seat].lane = lane));
    const order = [...shown.chariots].sort((a, b) => b.progress - a.progress || a.lane - b.lane);
    order.forEach((chariot, k) => {
      if (chariot.place !== k + 1) change(chariot.seat, { place: k + 1 });
    });
  }

  function laps() {
    if (!shown) return;
    const furthest = Math.max(...shown.chariots.map((/** @type {any} */ chariot) => chariot.progress));
    const lap = furthest < 0 ? 0 : Math.min(Math.floor(furthest / places.spaces.length) + 1, places.laps);
    board.setLaps(furthest >= finish ? places.laps : Math.max(lap - 1, 0), lap);
  }

  /** @type {Record<string, (e: GameEvent) => Promise<void> | void>} */
  const shows = {
    Chosen(e) {
      change(e.seat, { ready: true });
    },
    async Revealed(e) {
      choice.offer(null, null);
      stage.open(host.seats);
      if (shown) change(e.seat, { ready: false, cards: shown.chariots[e.seat].cards - e.cards.length - e.discards });
      for (const token of [e.token, e.discard_token]) if (token) spend(e.seat, token);
      await stage.reveal(e, shown?.crowd[0] ?? "");
      await motion.pause(60);
    },
    async Ordered(e) {
      stage.order(e.seats);
      await motion.pause(350);
    },
    async Shielded(e) {
      change(e.seat, { attack: 0 });
      void board.pop(e.seat, { sign: "shield", text: e.cubes ? `−${e.cubes}` : "", tone: "good" });
      await motion.pause(220);
    },
    async Calmed(e) {
      change(e.seat, { attack: 0, damage: 0 });
      void board.pop(e.seat, { sign: "reset", text: e.damage + e.attack ? `−${e.damage + e.attack}` : "", tone: "good" });
      await motion.pause(300);
    },
    async Recovered(e) {
      change(e.seat, { damage: e.left });
      void board.pop(e.seat, { sign: "recovery", text: `−${e.cubes}`, tone: "good" });
      await motion.pause(300);
    },
    async Counted(e) {
      board.rest();
      stage.counted(e);
      void board.pop(e.seat, { text: host.t("charioteer.pop.points", { count: e.points }), tone: "sum", ms: 1000 });
      await motion.pause(450);
    },
    async Attacked(e) {
      void board.burst(e.seat);
      void board.pop(e.seat, { sign: "attack", text: `${e.cubes}`, tone: "grave" });
      await motion.pause(250);
    },
    async Cube(e) {
      change(e.seat, { attack: e.box });
      void board.cube(e.seat, e.by);
      await motion.pause(90);
    },
    async Stepped(e) {
      if (shown) Object.assign(shown.chariots[e.seat], { progress: e.progress, space: e.space });
      await board.step(e);
      rank();
    },
    async Passed(e) {
      if (!e.skipped) await board.swap(e.seat, e.rival);
      rank();
    },
    async Whipped(e) {
      const words = e.spaces ? `+${e.spaces}` : host.t(`charioteer.effect.whip.${e.ended.replace(" ", "-")}`);
      void board.pop(e.seat, { sign: "whip", text: words, ms: 1000 });
      await motion.pause(350);
    },
    async Learned(e) {
      if (!shown) return;
      const skills = { ...shown.chariots[e.seat].skills, [e.colour]: { place: e.place, bonus: e.bonus } };
      change(e.seat, { skills });
      panels.of(e.seat)?.learned(e.colour);
      if (e.bonus > 1) void board.pop(e.seat, { sign: "learning", text: `+${e.bonus}`, tone: "grand", ms: 1200 });
      await motion.pause(e.bonus > 1 ? 450 : 80);
    },
    async FanToken(e) {
      if (e.empty) return;
      if (shown) change(e.seat, { fan_tokens: shown.chariots[e.seat].fan_tokens + 1 });
      void board.pop(e.seat, { sign: "fan", tone: "grand" });
      await motion.pause(220);
    },
    async Lap(e) {
      change(e.seat, { lap: Math.min(e.lap + 1, places.laps) });
      laps();
      const last = e.lap >= places.laps;
      void board.pop(e.seat, { text: host.t(last ? "charioteer.pop.finish" : "charioteer.pop.lap", { lap: e.lap }), tone: "grand", ms: 1300 });
      await motion.pause(400);
    },
    async Suffered(e) {
      board.rest();
      change(e.seat, { attack: 0, damage: e.damage });
      await motion.pause(60);
    },
    Drew(e) {
      if (shown) change(e.seat, { cards: shown.chariots[e.seat].cards + e.count });
    },
    async CrowdMoved(e) {
      stage.close();
      if (shown) shown.crowd = e.cards;
      await board.crowd(e.cards);
      choice.hint({ crowd: e.cards });
    },
    async Emperor(e) {
      await board.roll(e.face);
      choice.hint({ emperor: e.face });
    },
    Turn() {
      board.rest();
      laps();
    },
    async Finished(e) {
      board.rest();
      change(e.seat, { place: e.place });
      if (e.place === 1) await board.pop(e.seat, { text: host.t("charioteer.pop.won"), tone: "grand", ms: 1600 });
    },
  };

  return {
    show(view, looking) {
      shown = structuredClone(view);
      // at the end nobody is waited for any more
      if (view.over) for (const chariot of shown.chariots) chariot.ready = false;
      board.show(view);
      panels.show(shown, looking);
      stage.close();
      laps();
      choice.show(view, looking);
    },
    offer(offer, view) {
      if (choice.offer(offer, view) && offer && view) {
        host.announce(host.t("charioteer.text.choose", { turn: view.turn, count: offer.moves.length }));
      }
    },
    async animate(event) {
      await shows[event.type]?.(event);
    },
    line: (event) => lineOf(host, event),
    light(targets) {
      board.light(targets);
      panels.light(targets);
    },
    describe: (view) => describe(host, view),
    phrase: (action) => actionWords(host, action),
    secret: (view) => !view.over,
    key: (event) => choice.key(event),
  };
}
