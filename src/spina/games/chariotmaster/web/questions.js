// @ts-check
// Questions of Chariotmaster as cards: tokens, what to do before and after a sub-move, attacks, defence, luck, the haft.

import { el, svg } from "../../../web/static/js/dom.js";
import { number } from "../../../web/static/js/keys.js";
import { rove } from "../../../web/static/js/roving.js";
import { die } from "./words.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").Offer} Offer */
/** @typedef {import("./types.d.ts").Room} Room */
/** @typedef {import("./types.d.ts").TokenOffer} TokenOffer */
/** @typedef {import("./types.d.ts").DrivingView} DrivingView */
/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").AttackOdds} AttackOdds */
/** @typedef {import("./types.d.ts").AttackOffer} AttackOffer */
/** @typedef {import("./types.d.ts").DieOffer} DieOffer */

/** Icons of answers, around (0, 0). */
const ICONS = /** @type {Record<string, string>} */ ({
  stop: "M-6-6H6V6H-6Z",
  brake: "M-8-6V6M-4 0H8M-4 0 1-5M-4 0 1 5",
  spur: "M-8 0H4M0-5 5 0 0 5M8-6V6",
  whip: "M-9 8-2 1Q4-6 8-1T3 6Q0 4 2 1",
  announce: "M-8 4 0-4 8 4M-8-2 0-10 8-2",
  collide: "M-9 0H1M0-8 2-3 8-6 5 0 9 4 3 3 1 9 0 3",
  go: "M-8-4Q-3 4 2-2T8 2M-8 3Q-3 11 2 5T8 8",
  forgo: "M-6-6 6 6M-6 6 6-6",
  "no attack": "M-6-6 6 6M-6 6 6-6",
  "bear it": "M0-8 7-5V1Q6 6 0 9Q-6 6-7 1V-5Z",
  "brake away": "M-8-6V6M-4 0H8M-4 0 1-5M-4 0 1 5",
  evade: "M-8 6Q0 6 0 0T8-6M3-7 8-6 6-1",
  "shy away": "M-8 6Q0 6 0 0T8-6M3-7 8-6 6-1",
  "evade left": "M8 0H-7M-2-5-7 0-2 5",
  "evade right": "M-8 0H7M2-5 7 0 2 5",
  pass: "M-6 0-2 5 7-6",
  stay: "M-6-6H6V6H-6Z",
  "climb for the reins": "M-8 8V3H-3V-2H2V-7H8",
  "climb to cut": "M-8 8-3 3M-6 1-1 6M-3 3 8-8Q8-2 0 4",
  "hang on": "M-3-8V2Q-3 7 2 7T7 2V-2",
  "cut loose": "M-8 8-3 3M-6 1-1 6M-3 3 8-8Q8-2 0 4",
  ram: "M-9 0H1M0-8 2-3 8-6 5 0 9 4 3 3 1 9 0 3",
  "whip at horses": "M-9 8-2 1Q4-6 8-1T3 6Q0 4 2 1",
  "whip at driver": "M-9 8-2 1Q4-6 8-1T3 6Q0 4 2 1",
  bite: "M-8-5Q0 4 8-5L5 1 3-2 0 2-3-2-5 1Z",
  boars: "M-6 6Q-9-4 0-6M6 6Q9-4 0-6M-3 2H3",
});

/** @param {string} name */
export function icon(name) {
  return svg("svg", { class: "cm-icon", viewBox: "-12 -12 24 24", "aria-hidden": true }, svg("path", { d: ICONS[name] ?? ICONS.pass }));
}

/** @param {string} text */
export const slug = (text) => text.replaceAll(" ", "-");

export class Questions {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.host = page.host;
    this.words = page.words;
    this.t = page.host.t;
  }

  /**
   * The card for what is asked.
   * @param {Offer} offer
   * @param {View} view
   * @param {ReturnType<import("./drive.js").Drive["open"]>} drive the controls of a move, if one can be made
   * @returns {HTMLElement}
   */
  card(offer, view, drive) {
    if (offer.chariots) return this.tokens(offer, offer.chariots, view);
    const { words, t } = this;
    const chariot = offer.chariot ?? 0;
    const who = words.name(chariot);
    const urgent = ["defence", "side of the evasion"].includes(offer.question);
    const question = slug(offer.question);
    const head = el(
      "header",
      { class: "cm-ask-head" },
      words.emblem(chariot),
      el("div", { class: "grow" },
        el("h2", { class: "cm-ask-title", text: t(`chariotmaster.ask.${question}`, { who }) }),
        el("p", { class: "soft small", text: this.situation(offer, view) }),
      ),
      el("button", { type: "button", class: "help explains", text: "?", "aria-label": t("chariotmaster.ask.why"), "data-help": `chariotmaster.ask.${question}` }),
    );
    const card = el(
      "section",
      { class: `cm-ask cm-ask-${question}${urgent ? " urgent" : ""}`, "data-question": offer.question, "aria-label": t(`chariotmaster.ask.${question}`, { who }) },
      head,
      el(
        "div",
        { class: "cm-ask-body" },
        view.driving && view.active === offer.chariot && !urgent && offer.question !== "walk" ? this.ruler(view.driving) : null,
        ...this.body(offer),
        drive?.controls,
      ),
      el("footer", { class: "cm-ask-foot" }, this.answers(offer), drive?.go),
    );
    number(card.querySelectorAll("[data-action]:not(.cm-suggestion)"));
    return card;
  }

  /** The question for screen readers, with what it depends on. @param {Offer} offer @param {View} view */
  aloud(offer, view) {
    const { t } = this;
    if (offer.chariots) return t("chariotmaster.ask.speed-tokens.short");
    return `${t(`chariotmaster.ask.${slug(offer.question)}`, { who: this.words.name(offer.chariot ?? 0) })} ${this.situation(offer, view)}`;
  }

  /** @param {Offer} offer @param {View} view */
  situation(offer, view) {
    const { words, t } = this;
    const driving = view.driving;
    switch (offer.question) {
      case "drive":
      case "sub-move":
      case "side sweep again":
      case "pivot": {
        if (!driving) return "";
        const c = view.chariots[offer.chariot ?? 0];
        return t(driving.submoves ? "chariotmaster.situation.further" : "chariotmaster.situation.drive", {
          token: c.token ?? "", least: words.decimal.format(Math.max(driving.minimum, 0) / 10), most: words.decimal.format(driving.maximum / 10),
          pivot: driving.pivot, moved: words.decimal.format(driving.moved / 10), count: driving.submoves,
        });
      }
      case "skid":
        return t("chariotmaster.situation.skid", { cm: words.cm(offer.slide ?? 0) });
      case "defence":
        return offer.attack
          ? t(`chariotmaster.situation.${slug(offer.attack.how)}`, { who: words.name(offer.attacker ?? null), what: words.part(offer.attack.target, offer.attack.part) })
          : t("chariotmaster.situation.attacked", { who: words.name(offer.attacker ?? null) });
      case "modify":
        return t("chariotmaster.situation.modify", { what: t(`chariotmaster.roll.${slug(offer.what ?? "")}`), count: offer.luck ?? 0 });
      case "walk":
        return t("chariotmaster.situation.walk", { cm: words.cm(offer.left ?? 0) });
      case "cut loose":
        return t("chariotmaster.situation.cut-loose", { count: offer.health ?? 0 });
      default:
        return t(`chariotmaster.situation.${slug(offer.question)}`);
    }
  }

  /** @param {Offer} offer @returns {(HTMLElement | null)[]} */
  body(offer) {
    if (offer.attacks) return [this.group("cm-options", ...offer.attacks.map((one) => this.attack(one)))];
    if (offer.question === "defence" && offer.attack) return [this.threat(offer, offer.attack)];
    if (offer.dice) return [this.luck(offer, offer.dice)];
    if (offer.sides) {
      const { room } = offer;
      return [this.group("cm-options", ...offer.sides.map((one) => {
        const side = /** @type {keyof Room} */ (one.action.replace("evade ", ""));
        return this.button(one, { detail: this.t("chariotmaster.room", { cm: this.words.cm(room?.[side] ?? 0) }) });
      }))];
    }
    return [];
  }

  // --- tokens

  /** @param {Offer} offer @param {TokenOffer[]} chariots @param {View} view */
  tokens(offer, chariots, view) {
    const { words, t } = this;
    const several = chariots.length > 1;
    /** @type {Map<number, string>} */
    const chosen = new Map();
    const confirm = el("button", { type: "button", class: "button primary large cm-go deciding", "data-choice": "tokens", "data-key": "Enter", disabled: true, text: t("chariotmaster.tokens.confirm") });
    const send = () => this.page.play(`${several ? "tokens" : "token"} ${chariots.map((one) => chosen.get(one.chariot)).join(" ")}`);
    confirm.addEventListener("click", send);
    const rows = chariots.map((one) => {
      const buttons = one.tokens.map((token) => {
        const button = el(
          "button",
          {
            type: "button", class: "cm-token deciding", "data-token": token.token, "data-help": "chariotmaster.token", "aria-pressed": "false",
            on: {
              click: () => {
                chosen.set(one.chariot, token.token);
                for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
                confirm.disabled = chosen.size < chariots.length;
                if (!several) send();
              },
              pointerenter: () => this.page.preview(one.chariot, token),
              pointerleave: () => this.page.preview(null, null),
              focus: () => this.page.preview(one.chariot, token),
              blur: () => this.page.preview(null, null),
            },
          },
          el("span", { class: "cm-coin", "aria-hidden": true, text: token.token }),
          el("span", { class: "unseen", text: t("chariotmaster.token.drawn", { token: token.token }) }),
          el("span", { class: "cm-token-range", text: t("chariotmaster.token.range", { least: words.decimal.format(token.least / 10), most: words.decimal.format(token.most / 10) }) }),
          el("span", { class: "cm-token-fact", text: t("chariotmaster.token.pivot", { n: token.pivot }) }),
          el("span", { class: "cm-token-fact", text: t("chariotmaster.token.test", { chance: words.percent(token.chances[0]) }) }),
        );
        return button;
      });
      const c = view.chariots[one.chariot];
      return el(
        "div",
        { class: "cm-token-row" },
        several ? words.emblem(one.chariot, true) : null,
        rove(el("div", { class: "cm-tokens", role: "toolbar", "aria-label": t("chariotmaster.ask.speed-tokens", { who: words.name(one.chariot) }) }, ...buttons)),
        el("p", { class: "soft small", text: t("chariotmaster.tokens.situation", { room: one.room >= 600 ? words.cm(600) + "+" : words.cm(Math.floor(one.room)), stamina: c.stamina }) }),
      );
    });
    number(rows.flatMap((row) => [...row.querySelectorAll("button")]));
    return el(
      "section",
      { class: "cm-ask cm-ask-tokens", "data-question": offer.question, "aria-label": t("chariotmaster.ask.speed-tokens.short") },
      el(
        "header",
        { class: "cm-ask-head" },
        several ? null : words.emblem(chariots[0]?.chariot ?? 0),
        el("div", { class: "grow" },
          el("h2", { class: "cm-ask-title", text: t("chariotmaster.ask.speed-tokens.short") }),
          el("p", { class: "soft small", text: t("chariotmaster.tokens.secret") }),
        ),
        el("button", { type: "button", class: "help explains", text: "?", "aria-label": t("chariotmaster.ask.why"), "data-help": "chariotmaster.ask.speed-tokens" }),
      ),
      el("div", { class: "cm-ask-body" }, ...rows),
      several ? el("footer", { class: "cm-ask-foot" }, confirm) : null,
    );
  }

  /**
   * While others choose: whose tokens are drawn, whose are still in the mug.
   * @param {View} view
   */
  idle(view) {
    const { words, t } = this;
    const racing = view.chariots.filter((c) => !c.home && (!c.out || c.token !== null));
    return el(
      "section",
      { class: "cm-idle", "aria-label": t("chariotmaster.turn", { n: view.turn }) },
      el("h2", { text: t("chariotmaster.turn", { n: view.turn }) }),
      el("ul", { class: "cm-mug", "data-help": "chariotmaster.mug" }, ...racing.map((c) =>
        el("li", { class: c.chariot === view.active ? "now" : "" }, words.emblem(c.chariot, true), this.page.panels.token(c)))),
    );
  }

  // --- how far the turn has come

  /** @param {DrivingView} driving */
  ruler(driving) {
    const { words, t } = this;
    const whole = Math.max(driving.maximum, driving.moved, driving.minimum, 10);
    /** @param {number} mm */
    const share = (mm) => `${(Math.min(Math.max(mm / whole, 0), 1) * 100).toFixed(2)}%`;
    const done = el("span", { class: "cm-ruler-done" });
    const next = el("span", { class: "cm-ruler-next" });
    const least = el("span", { class: "cm-ruler-least" });
    const over = el("span", { class: "cm-ruler-min" });
    done.style.width = share(driving.moved);
    next.style.left = share(driving.moved);
    least.style.width = share(driving.minimum);
    over.style.left = share(driving.minimum);
    over.hidden = driving.minimum <= 0;
    const label = el("span", { class: "cm-ruler-text" });
    /** @param {number} mm */
    const show = (mm) => {
      next.style.width = `min(${share(mm)}, calc(100% - ${share(driving.moved)}))`;
      label.textContent = t("chariotmaster.ruler", {
        now: words.decimal.format((driving.moved + mm) / 10),
        least: words.decimal.format(Math.max(driving.minimum, 0) / 10),
        most: words.decimal.format(Math.max(driving.maximum, 0) / 10),
      });
    };
    this.page.ruler = show;
    show(0);
    return el("div", { class: "cm-ruler", "data-help": "chariotmaster.ruler" }, el("div", { class: "cm-ruler-bar" }, least, done, next, over), label);
  }

  // --- answers

  /** @param {Offer} offer */
  answers(offer) {
    const answers = offer.answers ?? [];
    if (!answers.length) return null;
    const moving = ["drive", "sub-move"].includes(offer.question);
    const order = ["announce", "stop"];
    const sorted = moving
      ? [...answers].sort((a, b) => (order.indexOf(b.action) + 1 ? 1 : 0) - (order.indexOf(a.action) + 1 ? 1 : 0) || order.indexOf(a.action) - order.indexOf(b.action))
      : answers;
    return this.group(
      `cm-answers${moving ? " many" : ""}`,
      ...sorted.map((answer) => this.button(answer, {
        detail: this.detail(answer, offer),
        wide: moving && (answer.action === "announce" || (answer.action === "stop" && !offer.ways?.length)),
      })),
    );
  }

  /** Answers that are one stop of Tab. @param {string} kind @param {...HTMLElement} buttons */
  group(kind, ...buttons) {
    return rove(el("div", { class: kind, role: "toolbar", "aria-label": this.t("chariotmaster.answers") }, ...buttons));
  }

  /**
   * What an answer leads to, in a few words.
   * @param {Answer} answer
   * @param {Offer} offer
   */
  detail(answer, offer) {
    const { words, t } = this;
    if (answer.test) return t("chariotmaster.chance", { chance: words.percent(answer.test.chance) });
    if (answer.action.startsWith("climb")) return t("chariotmaster.climb.chance", { chance: words.percent(offer.grab?.chance ?? 0), fall: words.percent(offer.fall ?? 0) });
    const id = `chariotmaster.answer.${slug(answer.action)}.detail`;
    const known = ["stop", "brake", "spur", "whip", "collide", "go", "hang on", "shy away", "bear it", "no attack", "pass", "stay", "forgo"];
    return known.includes(answer.action) ? t(id, { cm: words.cm(offer.slide ?? 0) }) : "";
  }

  /**
   * @param {Answer} answer
   * @param {{detail?: string | null, label?: string, icon?: string, wide?: boolean, extra?: Node | null}} look
   */
  button(answer, look) {
    const { t } = this;
    const chance = answer.test?.chance;
    return el(
      "button",
      {
        type: "button", class: `cm-answer deciding${answer.exhausts ? " danger" : ""}${look.wide ? " wide" : ""}`, "data-action": answer.action,
        "data-help": `chariotmaster.answer.${slug(look.icon ?? answer.action)}`,
        on: { click: () => this.choose(answer) },
      },
      icon(look.icon ?? answer.action),
      el("span", { class: "cm-answer-text" },
        el("strong", { text: look.label ?? t(`chariotmaster.answer.${slug(answer.action)}`) }),
        look.detail ? el("span", { class: "small", text: look.detail }) : null,
        look.extra ?? null,
      ),
      answer.price ? this.page.price(answer) : null,
      chance === undefined ? null : this.odds(chance),
    );
  }

  /** @param {number} chance */
  odds(chance) {
    const bar = el("span", { class: "cm-odds", "aria-hidden": true }, el("span", null));
    bar.style.setProperty("--share", String(chance));
    return bar;
  }

  /** @param {Answer} answer */
  async choose(answer) {
    if (answer.exhausts && !(await this.page.sure("exhausts"))) return;
    if (answer.action === "collide" && !(await this.page.sure("collide"))) return;
    await this.page.play(answer.action);
  }

  // --- fights

  /** @param {AttackOdds} one */
  effects(one) {
    const { words, t } = this;
    const found = [];
    if (one.dice) found.push(t("chariotmaster.odds.dice", { dice: one.dice, against: one.against ?? 0 }));
    if (one.costs && one.deals) found.push(t("chariotmaster.odds.deals", { n: words.decimal.format(one.deals), what: t(`chariotmaster.points.${one.costs}`) }));
    if (one.takes) found.push(t("chariotmaster.odds.takes", { n: words.decimal.format(one.takes), what: t(`chariotmaster.points.${one.own}`) }));
    if (one.throws) found.push(t("chariotmaster.odds.throws", { chance: words.percent(one.throws) }));
    if (one.ends) found.push(t("chariotmaster.odds.ends", { chance: words.percent(one.ends) }));
    if (one.hits !== undefined) found.push(t("chariotmaster.odds.hits", { chance: words.percent(one.hits), tie: words.percent(one.disarmed ?? 0) }));
    if (one.wild) found.push(t("chariotmaster.odds.wild", { chance: words.percent(one.wild) }));
    return found;
  }

  /** @param {AttackOffer} one */
  attack(one) {
    const { words, t } = this;
    const facts = this.effects(one);
    if (one.escape !== null) facts.push(t("chariotmaster.odds.escape", { chance: words.percent(one.escape) }));
    const button = this.button(one, {
      label: words.attack(one.action),
      icon: one.how,
      extra: el("span", { class: "cm-effects small" }, ...facts.map((text) => el("span", { text }))),
    });
    const aim = () => this.page.light({ pieces: [one.target] });
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, aim);
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => this.page.light(null));
    return button;
  }

  /** @param {Offer} offer @param {AttackOdds} attack */
  threat(offer, attack) {
    const { words, t } = this;
    const { left, right } = offer.room ?? { left: 0, right: 0 };
    const facts = this.effects({ ...attack, ends: 0 });
    return el(
      "div",
      { class: "cm-threat" },
      el("div", { class: "cm-threat-who" }, words.emblem(offer.attacker ?? 0, true), icon(attack.how), words.emblem(offer.chariot ?? 0, true)),
      el("ul", { class: "cm-facts" }, ...facts.map((text) => el("li", { class: "cm-fact", text }))),
      el("p", { class: "soft small", text: t("chariotmaster.defence.room", {
        left: words.decimal.format(Math.floor(left) / 10), right: words.decimal.format(Math.floor(right) / 10),
      }) }),
    );
  }

  // --- luck

  /** @param {Offer} offer @param {DieOffer[]} dice */
  luck(offer, dice) {
    const { t } = this;
    const passing = offer.passing;
    /** @param {number} face */
    const tone = (face) => (passing ? (passing.includes(face) ? "hit" : "miss") : offer.hits ? (face >= offer.hits ? "hit" : "") : "");
    return el(
      "div",
      { class: "cm-luck" },
      passing ? el("p", { class: "small", text: t("chariotmaster.luck.passing", { n: Math.max(...passing) }) }) : null,
      offer.hits ? el("p", { class: "small", text: t("chariotmaster.luck.hits", { n: offer.hits }) }) : null,
      this.group("cm-luck-dice", ...dice.map((one) =>
        el("div", { class: "cm-luck-die" },
          die(one.face, tone(one.face)),
          ...one.changes.map((change) =>
            el("button", {
              type: "button", class: "button cm-change", "data-action": change.action, "data-help": "chariotmaster.answer.modify",
              "aria-label": t("chariotmaster.luck.change", { die: one.die, face: change.face }),
              on: { click: () => this.page.play(change.action) },
            }, "→", die(change.face, tone(change.face))),
          ),
        ),
      )),
    );
  }
}
