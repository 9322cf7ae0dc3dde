// @ts-check
// Charioteer at the table: puts a race on the board and the panels, animates what happens, and lets a seat choose.

import { makeBoard } from "./charioteer-board.js";
import { makeChoice } from "./charioteer-choice.js";
import { makePanels } from "./charioteer-panels.js";
import { makeStage } from "./charioteer-stage.js";
import { describe, lineOf } from "./charioteer-words.js";

/** @typedef {import("../types.js").Host} Host */
/** @typedef {import("../types.js").GamePage} GamePage */
/** @typedef {import("../types.js").GameEvent} GameEvent */

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
      await stage.reveal(e, shown?.crowd[0] ?? "");
      await motion.pause(140);
    },
    async Ordered(e) {
      stage.order(e.seats);
      await motion.pause(250);
    },
    async Shielded(e) {
      change(e.seat, { attack: 0 });
      await board.pop(e.seat, { sign: "shield", text: e.cubes ? `−${e.cubes}` : "", tone: "good" });
    },
    async Calmed(e) {
      change(e.seat, { attack: 0, damage: 0 });
      await board.pop(e.seat, { sign: "reset", text: e.damage + e.attack ? `−${e.damage + e.attack}` : "", tone: "good" });
    },
    async Recovered(e) {
      change(e.seat, { damage: e.left });
      await board.pop(e.seat, { sign: "recovery", text: `−${e.cubes}`, tone: "good" });
    },
    async Counted(e) {
      board.rest();
      stage.counted(e);
      await board.pop(e.seat, { text: host.t("charioteer.pop.points", { count: e.points }), tone: "sum", ms: 700 });
    },
    async Attacked(e) {
      await Promise.all([board.burst(e.seat), board.pop(e.seat, { sign: "attack", text: `${e.cubes}`, tone: "grave" })]);
    },
    async Cube(e) {
      await board.cube(e.seat, e.by);
      change(e.seat, { attack: e.box });
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
      await board.pop(e.seat, { sign: "whip", text: words });
    },
    async Learned(e) {
      if (!shown) return;
      const skills = { ...shown.chariots[e.seat].skills, [e.colour]: { place: e.place, bonus: e.bonus } };
      change(e.seat, { skills });
      panels.of(e.seat)?.learned(e.colour);
      if (e.bonus > 1) await board.pop(e.seat, { sign: "learning", text: `+${e.bonus}`, tone: "grand", ms: 900 });
      else await motion.pause(90);
    },
    async FanToken(e) {
      if (e.empty) return;
      if (shown) change(e.seat, { fan_tokens: shown.chariots[e.seat].fan_tokens + 1 });
      await board.pop(e.seat, { sign: "fan", tone: "grand" });
    },
    async Lap(e) {
      change(e.seat, { lap: Math.min(e.lap + 1, places.laps) });
      laps();
      const last = e.lap >= places.laps;
      await board.pop(e.seat, { text: host.t(last ? "charioteer.pop.finish" : "charioteer.pop.lap", { lap: e.lap }), tone: "grand", ms: 950 });
    },
    async Suffered(e) {
      board.rest();
      change(e.seat, { attack: 0, damage: e.damage });
      await motion.pause(120);
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
      if (!view.over) stage.close();
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
    secret: (view) => !view.over,
    key: (event) => choice.key(event),
  };
}
