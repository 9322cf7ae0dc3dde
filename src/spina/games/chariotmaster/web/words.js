// @ts-check
// Names and numbers as people say them: chariots, pieces, lengths, chances; and the small marks that go with them.

import { refusalWords } from "../../../web/static/js/refusals.js";
import { LETTERS, SHAPES, el, nameTag, svg } from "../../../web/static/js/dom.js";
import { has } from "../../../web/static/js/messages.js";
import { DRIVER_OF, OBSTACLE, WALL, WRECK_OF } from "./pieces.js";

/** @typedef {import("../../../web/static/js/types.js").Refusal} Refusal */
/** @typedef {import("./types.d.ts").Host} Host */

const ROMAN = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

/** @param {number} number */
export const roman = (number) => ROMAN[number] ?? String(number);

export class Words {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.t = host.t;
    const language = document.documentElement.lang || "en";
    this.figures = host.places.figures;
    this.decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    this.exact = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
    this.share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
    this.signs = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
    this.list = new Intl.ListFormat(language, { type: "disjunction" });
  }

  /** @param {number} mm */
  cm(mm) {
    return this.t("chariotmaster.cm", { n: this.decimal.format(Math.round(mm) / 10) });
  }

  /** @param {number} mm */
  exactly(mm) {
    return this.t("chariotmaster.cm", { n: this.exact.format(mm / 10) });
  }

  /** @param {number} chance */
  percent(chance) {
    return this.share.format(chance);
  }

  /** @param {number} number */
  signed(number) {
    return this.signs.format(number).replace("-", "−");
  }

  /** @param {number} degrees positive to the left */
  turn(degrees) {
    const n = this.decimal.format(Math.abs(degrees));
    return this.t(degrees > 0 ? "chariotmaster.turn.left" : degrees < 0 ? "chariotmaster.turn.right" : "chariotmaster.turn.none", { n });
  }

  /** @param {number} chariot */
  seat(chariot) {
    return chariot % this.host.seats;
  }

  /**
   * A chariot by its driver; further ones of a seat are numbered.
   * @param {number | null | undefined} chariot
   */
  name(chariot) {
    if (chariot === null || chariot === undefined) return this.t("chariotmaster.something");
    const further = Math.floor(chariot / this.host.seats);
    const name = this.host.name(this.seat(chariot));
    return further ? `${name} ${roman(further + 1)}` : name;
  }

  /** The colour of a chariot in words. @param {import("./types.d.ts").ChariotView} c */
  colour(c) {
    const of = this.figures.chariots[c.chariot];
    return of.striped ? this.t(`chariotmaster.colour.${c.colour}`) : this.t(`faction.${of.faction}`);
  }

  /**
   * A piece by its number.
   * @param {number} piece
   */
  piece(piece) {
    if (piece < WRECK_OF) return this.name(piece);
    if (piece < DRIVER_OF) return this.t("chariotmaster.the.wreck", { who: this.name(piece - WRECK_OF) });
    if (piece < OBSTACLE) return this.t("chariotmaster.the.driver", { who: this.name(piece - DRIVER_OF) });
    if (piece >= WALL) return this.t("chariotmaster.the.wall");
    return this.t("chariotmaster.the.obstacle", { n: piece - OBSTACLE + 1 });
  }

  /**
   * A piece, or a part of it.
   * @param {number} piece
   * @param {string} part
   */
  part(piece, part) {
    if (piece >= WRECK_OF || part === "object") return this.piece(piece);
    return this.t(`chariotmaster.part.${part}`, { who: this.piece(piece) });
  }

  /**
   * The number of a piece that notation names.
   * @param {string} text
   */
  number(text) {
    const colours = this.figures.chariots.map((of) => of.name);
    const [, kind, name] = /^(?:(wreck|driver) of )?(.*)$/.exec(text) ?? [];
    if (name?.startsWith("obstacle ")) return OBSTACLE + Number(name.slice(9)) - 1;
    const chariot = colours.indexOf(name);
    return kind === "wreck" ? WRECK_OF + chariot : kind === "driver" ? DRIVER_OF + chariot : chariot;
  }

  /**
   * An attack in notation, in words.
   * @param {string} notation
   */
  attack(notation) {
    let found = /^whip (horses|driver) of (.+)$/.exec(notation);
    if (found) return this.t(`chariotmaster.attack.whip-${found[1]}`, { who: this.name(this.number(found[2])) });
    found = /^bite (.+)$/.exec(notation);
    if (found) return this.t("chariotmaster.attack.bite", { who: this.name(this.number(found[1])) });
    found = /^(?:ram|boars (left|right|front) at) (.+?)(?: (horses|body|driver))?$/.exec(notation);
    if (!found) return notation;
    const what = this.part(this.number(found[2]), found[3] ?? "object");
    return this.t(found[1] ? "chariotmaster.attack.boars" : "chariotmaster.attack.ram", { what });
  }

  /**
   * A choice in notation, in a few words.
   * @param {string} action
   */
  action(action) {
    const plain = `chariotmaster.answer.${action.replaceAll(" ", "-")}`;
    if (has(plain)) return this.t(plain);
    let found = /^tokens? (.+)$/.exec(action);
    if (found) return this.t("chariotmaster.hint.token", { token: found[1].replaceAll(" ", ", ") });
    found = /^(run )?(ahead|left|right) (\d+)(?:, pivot (\d+) (left|right)(?: about (.+))?)?$/.exec(action);
    if (found) {
      const way = `${this.t(`chariotmaster.way.${found[1] ? "run-" : ""}${found[2]}`)} ${this.cm(Number(found[3]))}`;
      return found[4] ? `${way}, ${this.turn(found[5] === "left" ? Number(found[4]) : -Number(found[4]))}` : way;
    }
    found = /^(pivot|u-turn) (\d+)(?: (left|right))?/.exec(action);
    if (found) return `${this.t(`chariotmaster.way.${found[1]}`)}: ${this.turn(found[3] === "left" ? Number(found[2]) : -Number(found[2]))}`;
    found = /^walk (\d+) (\d+) mm$/.exec(action);
    if (found) return `${this.t("chariotmaster.way.walk")} ${this.cm(Number(found[2]))}, ${this.t("chariotmaster.drive.bearing", { n: found[1] })}`;
    found = /^modify die (\d) ([+-]1)$/.exec(action);
    if (found) return this.t("chariotmaster.hint.modify", { die: found[1], change: this.signed(Number(found[2])) });
    return this.attack(action);
  }

  /**
   * Why something cannot be done, with the limit that it did not keep to.
   * @param {Refusal | null} refusal
   */
  why(refusal) {
    if (refusal?.code !== "chariotmaster.not-possible") return refusalWords(refusal);
    const given = /** @type {Refusal} */ (refusal.parameters.why);
    const limited = given.code === "chariotmaster.limit";
    const reason = limited ? /** @type {Refusal} */ (given.parameters.why) : given;
    const text = this.t(`chariotmaster.why.${reason.code.split(".").at(-1)}`);
    if (!limited) return text;
    const { mm, degrees } = /** @type {Refusal} */ (given.parameters.limit).parameters;
    if (typeof mm === "number") return `${text} ${this.t("chariotmaster.why.free", { cm: this.cm(mm) })}`;
    if (typeof degrees === "number") return `${text} ${this.t("chariotmaster.why.turn", { n: degrees })}`;
    return text;
  }

  /**
   * The mark of a chariot: its shape and letter; striped from the seventh on.
   * @param {number} chariot
   * @param {boolean} [long] with its name
   */
  emblem(chariot, long = false) {
    const of = this.figures.chariots[chariot];
    const faction = of?.faction ?? chariot % SHAPES.length;
    const down = faction === 3 ? 2 : 0;
    const mark = svg(
      "svg",
      { class: `shape faction-${faction}${of?.striped ? " cm-striped" : ""}`, viewBox: "-14 -14 28 28", "aria-hidden": true },
      svg("path", { d: SHAPES[faction], transform: faction === 3 ? "translate(0 2) rotate(-90)" : null }),
      svg("text", { y: 0.5 + down, text: of?.letter ?? LETTERS[faction] }),
    );
    return long ? el("span", { class: "emblem" }, mark, nameTag(this.name(chariot))) : mark;
  }
}

/** Where the pips of a die are, for each face. */
const PIPS = [
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];

/**
 * A die.
 * @param {number} face
 * @param {string} [tone] "hit", "miss" or nothing
 */
export function die(face, tone = "") {
  return svg(
    "svg",
    { class: `cm-die ${tone}`, viewBox: "-12 -12 24 24", role: "img", "aria-label": String(face) },
    svg("rect", { x: -11, y: -11, width: 22, height: 22, rx: 4.5 }),
    ...(PIPS[face] ?? []).map(([x, y]) => svg("circle", { cx: x * 5.6, cy: y * 5.6, r: 2.1 })),
  );
}
