// @ts-check
// The panels of the seats: place and lap, cubes, skills, numbers of cards and tokens. The viewer's panel stands beside
// the choice, those of the rivals in a strip under the board.

import { el, svg } from "../../../web/static/js/dom.js";
import { COLOURS, cardPicture, colourMark, signMark, tokenPicture } from "./cards.js";
import { roman } from "./shrine.js";

/** @typedef {import("./types.d.ts").Host} Host */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */

const MOST_CUBES = 4;

/**
 * The panels of all seats.
 * @param {Host} host
 */
export function makePanels(host) {
  const list = el("div", { class: "cx-seats" });
  host.panels.replaceChildren(list);
  /** @type {ReturnType<typeof makePanel>[]} */
  const panels = [];
  /** Whose panel stands beside the choice. @type {number | null | undefined} */
  let shown;

  return {
    /** @param {View} view @param {number | null} looking */
    show(view, looking) {
      while (panels.length < view.chariots.length) {
        panels.push(makePanel(host, panels.length));
      }
      panels.forEach((panel, seat) => {
        panel.root.classList.toggle("mine", seat === looking);
        panel.update(view.chariots[seat]);
      });
      if (shown === looking) return;
      shown = looking;
      host.own.replaceChildren(...panels.filter((_, seat) => seat === looking).map(({ root }) => root));
      list.replaceChildren(...panels.filter((_, seat) => seat !== looking).map(({ root }) => root));
      list.dataset.seats = String(list.childElementCount);
    },
    /** @param {number} seat @param {ChariotView} chariot */
    update: (seat, chariot) => panels[seat]?.update(chariot),
    /** @param {number} seat */
    of: (seat) => panels[seat],
    /** @param {import("../../../web/static/js/types.js").Targets | null} targets */
    light(targets) {
      panels.forEach((panel, seat) => panel.root.classList.toggle("lit", targets?.seats?.includes(seat) ?? false));
    },
  };
}

/** @param {number} count @param {string} [kind] */
function cubes(count, kind = "") {
  const shown = Array.from({ length: Math.min(count, MOST_CUBES) }, () => el("span", { class: `cx-cube ${kind}` }));
  return count > MOST_CUBES ? [shown[0], el("b", { text: `×${count}` })] : shown;
}

/**
 * @param {Host} host
 * @param {number} seat
 */
function makePanel(host, seat) {
  const { places } = host;
  const place = el("span", { class: "cx-place", "data-help": "charioteer.place" });
  const lap = el("span", { class: "cx-lap", "data-help": "charioteer.laps" });
  const ready = el("span", { class: "cx-ready", "data-help": "charioteer.ready" }, signMark("check", "currentColor"));
  const damage = el("span", { class: "cx-cubes" });
  const attack = el("span", { class: "cx-cubes" });
  const cards = el("b");
  const tokens = el("b");
  const spoken = el("p", { class: "unseen" });
  const skills = new Map(COLOURS.map((colour) => [colour, makeSkill(host, colour)]));
  const faction = `faction-${host.faction(seat)}`;

  const root = el(
    "article",
    { class: `cx-seat panel ${faction}`, "data-seat": seat, "aria-label": host.name(seat) },
    el("header", { class: "cx-seat-head" }, place, host.badge(seat, true), ready, lap),
    spoken,
    el(
      "div",
      { class: "cx-boxes", "aria-hidden": true },
      el(
        "span",
        { class: "cx-box" },
        el("span", { class: "cx-cell", "data-help": "charioteer.damage" }, signMark("wheel", "currentColor"), el("i", { text: host.t("charioteer.damage") }), damage),
        el("span", { class: "cx-cell cx-attack", "data-help": "charioteer.attack-boxes" }, attack),
      ),
      el("span", { class: "cx-box cx-count-box", "data-help": "charioteer.cards" }, cardPicture(null), cards),
      el("span", { class: "cx-box cx-count-box", "data-help": "charioteer.tokens" }, tokenPicture(null), tokens),
    ),
    el("div", { class: "cx-skills", "aria-hidden": true }, ...[...skills.values()].map((skill) => skill.root)),
  );

  /** @type {Partial<Pick<ChariotView, "damage" | "attack">>} */
  let last = {};
  return {
    root,
    /** @param {ChariotView} chariot as in the view */
    update(chariot) {
      const count = Object.values(chariot.player_tokens).reduce((sum, n) => sum + Number(n), 0) + chariot.fan_tokens;
      place.textContent = roman(chariot.place);
      const before = chariot.progress < 0;
      const done = chariot.progress >= places.laps * places.spaces.length;
      const now = { lap: roman(chariot.lap), laps: roman(places.laps) };
      const words = done ? host.t("charioteer.lap.done") : before ? host.t("charioteer.lap.start") : host.t("charioteer.lap", now);
      const brief = done ? signMark("check", "currentColor") : `${before ? "–" : now.lap} / ${now.laps}`;
      lap.replaceChildren(el("span", { class: "cx-full", text: words }), el("span", { class: "cx-brief", "aria-hidden": true }, brief));
      root.classList.toggle("is-ready", Boolean(chariot.ready));
      damage.replaceChildren(...cubes(chariot.damage));
      const empty = Math.max(0, places.attack_boxes - chariot.attack);
      attack.replaceChildren(...cubes(chariot.attack, "fresh"), ...Array.from({ length: empty }, () => el("span", { class: "cx-cube none" })));
      cards.textContent = String(chariot.cards);
      tokens.textContent = String(count);
      for (const [colour, skill] of skills) skill.update(chariot.skills[colour]);
      for (const [name, element] of /** @type {["damage" | "attack", HTMLElement][]} */ ([["damage", damage], ["attack", attack]])) {
        if (name in last && last[name] !== chariot[name] && !host.motion.still()) flash(element);
      }
      last = { damage: chariot.damage, attack: chariot.attack };
      spoken.textContent = host.t("charioteer.panel.spoken", {
        place: chariot.place,
        damage: chariot.damage,
        attack: chariot.attack,
        cards: chariot.cards,
        tokens: count,
        skills: COLOURS.map((colour) => `${host.t(`charioteer.colour.${colour}`)} +${chariot.skills[colour].bonus}`).join(", "),
      });
    },
    /** @param {string} colour */
    learned(colour) {
      const skill = skills.get(colour);
      if (skill && !host.motion.still()) flash(skill.root);
    },
  };

  /** @param {Element} element */
  function flash(element) {
    void host.motion.play(element, [{ transform: "scale(1)" }, { transform: "scale(1.18)", offset: 0.35 }, { transform: "scale(1)" }], 420);
  }
}

/**
 * A skill: the track as a row of small marks, then the bonus box.
 * @param {Host} host
 * @param {string} colour
 */
function makeSkill(host, colour) {
  const { skill_spaces: spaces, skill_bonuses: bonuses } = host.places;
  const step = 100 / spaces;
  const pips = Array.from({ length: spaces }, (_, k) =>
    svg("rect", { class: `cx-pip bonus-${Math.min(bonuses[k], 1)}`, x: k * step + 0.8, y: bonuses[k] ? 1 : 3, width: step - 1.6, height: bonuses[k] ? 8 : 4, rx: 1 }),
  );
  const bonus = el("b", { class: "cx-bonus" });
  const root = el(
    "span",
    { class: `cx-skill is-${colour}`, "data-help": `charioteer.skill.${colour}` },
    colourMark(colour),
    svg("svg", { class: "cx-track", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true }, ...pips),
    bonus,
  );
  return {
    root,
    /** @param {{place: number, bonus: number}} skill */
    update(skill) {
      pips.forEach((pip, k) => pip.classList.toggle("on", k <= skill.place));
      root.classList.toggle("boxed", skill.place >= spaces);
      bonus.textContent = `+${skill.bonus}`;
    },
  };
}
