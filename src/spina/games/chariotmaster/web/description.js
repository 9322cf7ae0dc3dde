// @ts-check
// The whole race in words: the track, every chariot with all that its panel and the board show, and what lies around
// the chariot of the person who reads it.

import { ahead, gap, placeOn } from "./course.js";
import { DRIVER_OF, WRECK_OF } from "./pieces.js";
import { states } from "./panels.js";
import { slug } from "./questions.js";

/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {import("./types.d.ts").PieceView} PieceView */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("../../../web/static/js/types.js").Params} Params */

const POINTS = /** @type {const} */ (["stamina", "structure", "health", "skill"]);
const MM = 10;

export class Description {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    this.course = words.host.places.course;
  }

  /** @param {string} id @param {Params} [params] */
  t(id, params) {
    return this.words.t(`chariotmaster.${id}`, params);
  }

  /** @param {View} view @returns {string[]} */
  lines(view) {
    const { words } = this;
    const lines = [this.t("describe.turn", { turn: view.turn, limit: view.limit })];
    if (view.active !== null && !view.over) {
      lines.push(this.t("describe.active", { who: words.name(view.active), question: words.t(`chariotmaster.question.${slug(view.question)}`) }));
    }
    if (view.asked !== null && view.asked !== view.active && !view.over) lines.push(this.t("describe.asked", { who: words.name(view.asked) }));
    if (view.driving) lines.push(...this.#driving(view));
    if (view.dice.length) lines.push(this.t("describe.dice", { dice: view.dice.join(" "), what: words.t(`chariotmaster.roll.${slug(String(view.about ?? ""))}`) }));
    const order = [...view.chariots].sort((a, b) => (a.place || 99) - (b.place || 99) || a.chariot - b.chariot);
    const own = order.filter((c) => c.seat === view.seat);
    for (const c of order) lines.push(this.#chariot(c, view));
    for (const c of own) lines.push(...this.#around(c, view));
    if (!own.length) lines.push(...view.pieces.filter((piece) => piece.piece >= WRECK_OF).map((piece) => this.#lies(piece)));
    lines.push(...this.#track(view));
    return lines;
  }

  /** The turn under way. @param {View} view */
  #driving({ driving }) {
    const { words } = this;
    if (!driving) return [];
    const cm = (/** @type {number} */ mm) => words.decimal.format(Math.max(mm, 0) / MM);
    const facts = [this.t("describe.driving", { moved: cm(driving.moved), least: cm(driving.minimum), most: cm(driving.maximum), pivot: driving.pivot, submoves: driving.submoves, attacks: driving.attacks })];
    if (driving.spurred) facts.push(this.t("describe.spurred"));
    if (driving.whipped) facts.push(this.t("describe.whipped"));
    return [facts.join(" ")];
  }

  /** @param {ChariotView} c @param {View} view */
  #chariot(c, view) {
    const { words } = this;
    const t = words.t;
    const facts = POINTS.map((kind) => `${t(`chariotmaster.points.${kind}`)} ${c[kind]}`);
    const worn = Object.entries(c.worn).map(([table, modifier]) => this.t("describe.worn", { what: t(`chariotmaster.points.${table.split(" ")[0]}`), modifier }));
    facts.push(...worn, this.t("describe.horses", { count: c.horses }));
    if (c.dead_horses) facts.push(this.t("describe.dead", { count: c.dead_horses }));
    if (c.beast !== "horses") facts.push(t(`chariotmaster.state.${c.beast}`));
    if (c.bite) facts.push(this.t("describe.bite", { count: c.bite }));
    if (c.frightening) facts.push(t("chariotmaster.state.frightening"));
    facts.push(this.t("describe.tokens", { tokens: c.tokens.join(", "), top: words.cm(c.top) }));
    if (c.token !== null) facts.push(t(c.drawn ? "chariotmaster.token.drawn" : "chariotmaster.token.chosen", { token: c.token }));
    else if (c.ready) facts.push(t("chariotmaster.token.ready"));
    for (const thing of /** @type {const} */ (["whip", "knife"])) if (c[thing]) facts.push(t(`chariotmaster.thing.${thing}`));
    if (c.luck) facts.push(`${t("chariotmaster.thing.luck")} ${c.luck}`);
    if (!c.body) facts.push(this.t("describe.no-body"));
    facts.push(...states(c).map((name) => t(`chariotmaster.state.${name}`)));
    const line = this.t("describe.chariot", {
      place: c.place || "–", who: words.name(c.chariot), colour: words.colour(c), cm: words.cm(c.progress),
      lap: Math.max(c.lap, 1), laps: view.laps, facts: facts.join(", "),
    });
    const piece = view.pieces.find((one) => one.piece === c.chariot) ?? view.pieces.find((one) => one.piece === c.chariot + DRIVER_OF);
    return piece ? `${line} ${this.#where(piece)}` : line;
  }

  /** Where a piece lies between the walls, how it is turned, and what the track does ahead of it. @param {PieceView} piece */
  #where(piece) {
    const { words, course } = this;
    const { along, offset, bearing } = placeOn(course, piece);
    const half = course.half_width / MM;
    const walls = this.t("describe.walls", { left: words.cm(half - offset), right: words.cm(half + offset) });
    const turned = Math.abs(bearing) < 0.05 ? this.t("describe.heading.along") : this.t(bearing > 0 ? "describe.heading.left" : "describe.heading.right", { n: words.decimal.format(Math.abs(bearing)) });
    const coming = ahead(course, along);
    const params = { cm: words.cm(coming.rest), n: Math.round(coming.next?.angle ?? 0) };
    const track = coming.bend
      ? this.t(coming.left ? "describe.in-bend.left" : "describe.in-bend.right", params)
      : coming.next
        ? this.t(coming.next.radius > 0 ? "describe.to-bend.left" : "describe.to-bend.right", params)
        : this.t("describe.straight", params);
    return `${walls} ${turned} ${track}`;
  }

  /** What lies around a chariot, the nearest first. @param {ChariotView} c @param {View} view */
  #around(c, view) {
    const { words, course } = this;
    const own = view.pieces.find((piece) => piece.piece === c.chariot) ?? view.pieces.find((piece) => piece.piece === c.chariot + DRIVER_OF);
    if (!own) return [];
    const here = placeOn(course, own);
    const others = view.pieces.filter((piece) => piece !== own).map((piece) => {
      const there = placeOn(course, piece);
      const away = gap(course, here.along, there.along);
      const aside = there.offset - here.offset;
      const where = [
        this.t(away >= 0 ? "describe.ahead" : "describe.behind", { cm: words.cm(Math.abs(away)) }),
        this.t(aside >= 0 ? "describe.aside.left" : "describe.aside.right", { cm: words.cm(Math.abs(aside)) }),
      ];
      return { far: Math.hypot(away, aside), text: this.t("describe.other", { what: words.piece(piece.piece), where: where.join(", "), size: this.#size(piece) }) };
    });
    if (!others.length) return [];
    return [this.t("describe.around", { who: words.name(c.chariot) }), ...others.sort((a, b) => a.far - b.far).map(({ text }) => text)];
  }

  /** @param {PieceView} piece */
  #size(piece) {
    return this.t("describe.size", { length: this.words.cm(piece.length / MM), width: this.words.cm(piece.width / MM) });
  }

  /** Something that lies on the track, for spectators. @param {PieceView} piece */
  #lies(piece) {
    const { along } = placeOn(this.course, piece);
    return this.t("describe.lies", { what: this.words.piece(piece.piece), cm: this.words.cm(along), size: this.#size(piece), where: this.#where(piece) });
  }

  /** The track from its starting line on. @param {View} view */
  #track(view) {
    const { words, course } = this;
    const segments = [...course.segments];
    const first = segments.findIndex(({ end }) => end > course.line);
    const parts = [...segments.slice(first), ...(course.closed ? segments.slice(0, first + 1) : [])].map((segment, index, all) => {
      const begin = index === 0 ? course.line : segment.begin;
      const end = course.closed && index === all.length - 1 ? course.line : segment.end;
      if (end <= begin) return "";
      const cm = words.cm((end - begin) / MM);
      if (segment.radius === 0) return this.t("describe.part.straight", { cm });
      const n = Math.round((segment.angle * (end - begin)) / (segment.end - segment.begin));
      return this.t(segment.radius > 0 ? "describe.part.left" : "describe.part.right", { cm, n });
    });
    const width = words.cm((2 * course.half_width) / MM);
    return [this.t(course.closed ? "describe.track" : "describe.track.open", { width, lap: words.cm(course.lap / MM), laps: view.laps, parts: parts.filter(Boolean).join("; ") })];
  }
}
