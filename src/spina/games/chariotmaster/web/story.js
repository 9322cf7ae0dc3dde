// @ts-check
// The story in lines: what each event says in the log.

import { DRIVER_OF, OBSTACLE, WALL } from "./pieces.js";
import { slug } from "./questions.js";
import { roman } from "./words.js";

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("../../../web/static/js/types.js").Line} Line */
/** @typedef {import("../../../web/static/js/types.js").Targets} Targets */
/** @typedef {import("./words.js").Words} Words */
/** A message, its params and its tone. @typedef {[id: string, params?: import("../../../web/static/js/types.js").Params, tone?: Line["tone"]]} Told */

/** Rolls that the next event tells better. */
const TOLD_LATER = ["sub-move test", "brake", "spur", "whip", "defence", "grab", "cut loose", "out of points"];
const GRAVE = [
  "LostControl", "LostReins", "StunnedNow", "HorseDied", "LostToken", "IsExhausted", "WheelLoose", "Crashed", "Entangled",
  "Hurled", "Fell", "DriverDied", "Eliminated", "StruckOut", "RanOff", "TeamGone", "Destroyed",
];
/** Events whose line names only the chariot. */
const PLAIN = [
  "Kept", "LostControl", "LostReins", "StunnedNow", "IsExhausted", "WheelLoose", "LostWhip", "LostKnife", "Crashed",
  "Entangled", "DriverDied", "Grabbed", "CutFree", "CutLoose", "Clings", "RanOff", "TeamGone", "StruckOut", "Eliminated",
  "Stands", "ControlBack", "Awake", "Removed", "Skids", "Hurled",
];

/** @param {string} type */
const dashed = (type) => type.replace(/(?<!^)([A-Z])/g, "-$1").toLowerCase();

export class Story {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    this.t = words.t;
    /** @type {{chariot: number, left: number} | null} */
    this.paid = null;
  }

  /**
   * @param {GameEvent} event
   * @returns {Line | null}
   */
  line(event) {
    const paid = this.paid;
    this.paid = null;
    if (event.type === "Paid") this.paid = { chariot: event.chariot, left: event.points };
    if (event.type === "Lost" && paid && paid.chariot === event.chariot && event.what === "stamina" && paid.left > 0) {
      this.paid = { ...paid, left: paid.left - 1 };
      return null; // the payment has been told
    }
    const told = this.tell(event);
    if (!told) return null;
    const [id, params, tone] = told;
    return {
      id: `chariotmaster.log.${id}`,
      params: { who: this.who(event), ...params },
      targets: targetsOf(event),
      tone: tone ?? (GRAVE.includes(event.type) ? "grave" : undefined),
    };
  }

  /** @param {GameEvent} event */
  who(event) {
    const piece = "piece" in event ? event.piece : "initiator" in event ? event.initiator : null;
    if (piece !== null) return piece < 12 ? this.words.emblem(piece, true) : this.words.piece(piece);
    if (event.type === "LeftTrack" || event.type === "Placed") return this.words.piece(DRIVER_OF + event.chariot);
    return "chariot" in event && event.chariot !== null ? this.words.emblem(event.chariot, true) : this.words.name(null);
  }

  /** @param {number[]} dice */
  faces(dice) {
    return dice.length ? dice.join(" ") : this.t("chariotmaster.no-dice");
  }

  /** @param {number} face @param {number} modifier */
  sum(face, modifier) {
    if (!modifier) return String(face);
    return `${face} ${modifier > 0 ? "+" : "−"} ${Math.abs(modifier)} = ${face + modifier}`;
  }

  /**
   * @param {GameEvent} event
   * @returns {Told | null}
   */
  tell(event) {
    const { words } = this;
    const { type } = event;
    if (PLAIN.includes(type)) return [dashed(type)];
    switch (type) {
      case "GameTurn":
        return ["game-turn", { n: event.number }, "turn"];
      case "Chose":
        return ["chose", { token: event.token }, "quiet"];
      case "Drawn":
        return [event.out_of_control ? "drawn.wild" : event.replaced ? "drawn.replaced" : "drawn", { token: event.token }];
      case "Moved":
        return [`moved.${slug(event.how)}`, { cm: words.exactly(event.mm) }];
      case "Pivoted":
        return event.degrees ? ["pivoted", { turn: words.turn(event.degrees) }, "quiet"] : null;
      case "Aligned":
        return event.degrees ? ["aligned", { turn: words.turn(event.degrees) }, "quiet"] : null;
      case "TurnedRound":
        return event.degrees ? ["turned-round", { turn: words.turn(event.degrees) }] : null;
      case "Fell":
        return [`fell.${event.side}`];
      case "Placed":
        return null;
      case "Climbed":
        return [`climbed.${event.purpose}`];
      case "Crossed":
        return ["crossed", { place: roman(event.place) }, "grand"];
      case "TurnEnds":
        return event.mm ? ["turn-ends", { cm: words.exactly(event.mm) }, "quiet"] : null;
      case "Finished":
        return event.place === 1 ? ["won", {}, "grand"] : ["finished", { place: roman(event.place) }, "quiet"];
      case "LeftTrack":
        return ["left-track"];
      case "Destroyed":
        return ["destroyed"];
      default:
        return this.dice(event) ?? this.fight(event);
    }
  }

  /**
   * @param {GameEvent} event
   * @returns {Told | null}
   */
  dice(event) {
    const { words, t } = this;
    switch (event.type) {
      case "Rolled":
        if (TOLD_LATER.includes(event.what)) return null;
        return ["rolled", { dice: this.faces(event.dice), what: t(`chariotmaster.roll.${slug(event.what)}`) }, "quiet"];
      case "RolledBoth":
        return [
          event.other === null ? "rolled-against" : "rolled-both",
          { dice: this.faces(event.dice), others: this.faces(event.others), other: words.name(event.other), what: t(`chariotmaster.roll.${slug(event.what)}`) },
          "quiet",
        ];
      case "Modified":
        return ["modified", { die: event.die, face: event.face }];
      case "Paid":
        return ["paid", { count: event.points, what: t(`chariotmaster.payment.${slug(event.what)}`) }, "quiet"];
      case "Lost":
        return ["lost", { what: t(`chariotmaster.points.${event.what}`), left: event.left }, "grave"];
      case "OutOf":
        return ["out-of", { what: t(`chariotmaster.points.${event.table.split(" ")[0]}`), sum: this.sum(event.face, event.result - event.face), modifier: event.modifier }, "grave"];
      case "Changed":
        return [`changed.${event.how}`, { cm: words.cm(Math.abs(event.mm)), least: words.decimal.format(Math.max(event.least, 0) / 10), most: words.decimal.format(Math.max(event.most, 0) / 10) }];
      case "Tested": {
        const total = event.face + event.modifier;
        const natural = event.passed ? total > event.skill : total <= event.skill;
        return [
          `tested.${slug(event.what)}.${event.passed ? "passed" : "failed"}`,
          { sum: this.sum(event.face, event.modifier) + (natural ? ` (${t(event.passed ? "chariotmaster.natural.one" : "chariotmaster.natural.six")})` : ""), skill: event.skill },
          event.passed ? undefined : "grave",
        ];
      }
      case "HorseDied":
        return ["horse-died", { count: event.left }];
      case "LostToken":
        return ["lost-token", { token: event.highest }];
      default:
        return null;
    }
  }

  /**
   * @param {GameEvent} event
   * @returns {Told | null}
   */
  fight(event) {
    const { words } = this;
    switch (event.type) {
      case "Attacked":
        return [`attacked.${slug(event.how)}`, { what: words.part(event.target, event.part), target: words.piece(event.target) }];
      case "Defended":
        return [`defended.${slug(event.how)}`, { attacker: words.name(event.attacker) }];
      case "Void":
        return ["void", { target: words.piece(event.target) }];
      case "Duelled":
        return [
          `duelled.${event.total > event.defence ? "hits" : event.total < event.defence ? "misses" : "disarmed"}`,
          { total: event.total, defence: event.defence, target: words.name(event.defender) },
        ];
      case "Bitten":
        return ["bitten", { hits: event.hits, blows: event.blows, target: words.name(event.defender) }];
      case "Collided":
        return [`collided.${event.kind}`, { what: words.part(event.target, event.target_part) }, "grave"];
      case "Hits":
        return ["hits", { hits: event.hits, blows: event.blows, impact: event.impact, answer: event.answer }, "quiet"];
      case "Bounced": {
        const how = event.value < 0 ? "worse" : event.value < 3 ? "stays" : event.target === WALL ? "wall" : "force";
        return [`bounced.${how}`, { value: words.signed(event.value) }, "quiet"];
      }
      case "RanThrough": {
        const how = event.value < -2 ? "stuck" : event.value < 0 ? "shaken" : event.value < 3 ? "across" : "through";
        return [`ran-through.${how}`, { value: words.signed(event.value), what: words.piece(event.target) }];
      }
      default:
        return null;
    }
  }
}

/**
 * What an event is about.
 * @param {GameEvent} event
 * @returns {Targets}
 */
export function targetsOf(event) {
  /** @type {{[field: string]: unknown}} */
  const fields = { ...event };
  /** @param {string[]} names */
  const numbers = (...names) => names.map((name) => fields[name]).filter((value) => typeof value === "number");
  const pieces = numbers("piece", "initiator", "target").filter((piece) => piece < WALL);
  const own = pieces.filter((piece) => piece < OBSTACLE).map((piece) => piece % 12);
  const chariots = [...numbers("chariot", "other", "attacker", "defender"), ...own];
  return { chariots: [...new Set(chariots)], pieces };
}
