// @ts-check
// The panels: how every chariot stands. The viewer's own are detailed, the rivals' short.

import { el, nameTag, svg } from "../../../web/static/js/dom.js";
import { roman } from "./words.js";
import { slug } from "./questions.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {Record<"stamina" | "structure" | "health" | "skill", number>} Points */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */

const KINDS = /** @type {const} */ (["stamina", "structure", "health", "skill"]);
const TOKENS = ["0", "5", "10"];
const THINGS = {
  whip: "M-5 5-1 1Q2-2 4 0T1 4Q-1 3 0 1",
  knife: "M-4 4-1.4 1.4M-2.6 0 0 2.6M-.8.8 5-5Q5.4-1 1 2Z",
  luck: "M0-5 1.4-1.6 5-1.5 2.2.8 3.1 4.4 0 2.4-3.1 4.4-2.2.8-5-1.5-1.4-1.6Z",
};
/** Icons of the four kinds of points. */
const SIGNS = /** @type {Record<string, string>} */ ({
  stamina: "M-2-6 3-6 0-1H4L-3 7-1 1H-5Z",
  structure: "M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0M-6 0H6M0-6V6M-4.2-4.2 4.2 4.2M-4.2 4.2 4.2-4.2",
  health: "M0 6-5.6 0A3.4 3.4 0 0 1 0-4A3.4 3.4 0 0 1 5.6 0Z",
  skill: "M-6 5C-4-2-1-5 6-6M-6 5C0 4 4 1 6-6M-6 5-2 1",
});

/**
 * What has befallen a chariot, the worst first.
 * @param {ChariotView} c
 * @returns {string[]}
 */
export function states(c) {
  const found = [];
  if (c.home) found.push("home");
  else if (c.out) found.push("out");
  if (c.driver !== "aboard") found.push(slug(c.driver));
  if (c.stunned) found.push("stunned");
  if (c.out_of_control && !c.out) found.push("out-of-control");
  if (!c.reins && !c.out && c.driver === "aboard") found.push("reins-lost");
  if (c.dead_horses) found.push("dead-horse");
  if (c.exhausted) found.push("exhausted");
  if (c.wheel) found.push("wheel");
  return found;
}

/**
 * Puts these elements, and no others, into another one, moving none that is where it should be.
 * @param {HTMLElement} into
 * @param {HTMLElement[]} elements
 */
function arrange(into, elements) {
  elements.forEach((element, i) => {
    if (into.children[i] !== element) into.insertBefore(element, into.children[i] ?? null);
  });
  while (into.children.length > elements.length) into.lastElementChild?.remove();
}

export class Panels {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.host = page.host;
    this.words = page.words;
    this.t = page.host.t;
    /** @type {Map<number, HTMLElement>} */
    this.all = new Map();
    /** What each chariot had at first, for the meters. @type {Map<number, Points>} */
    this.full = new Map();
    this.rivals = el("div", { class: "cm-rivals" });
    this.own = el("div", { class: "cm-panels" });
    this.list = el("div", { class: "cm-panels" }, this.rivals);
    /** What each panel shows, so that only what has changed is built anew. @type {Map<number, string>} */
    this.shown = new Map();
    page.host.panels.append(this.list);
    page.host.own.append(this.own);
  }

  /**
   * @param {View} view
   * @param {number | null} looking
   */
  show(view, looking) {
    const order = [...view.chariots].sort((a, b) => {
      // One's own first; the others stay where they are, or the panels would dance while the race goes on.
      const own = Number(b.seat === looking) - Number(a.seat === looking);
      return own || a.chariot - b.chariot;
    });
    for (const c of order) {
      const most = this.full.get(c.chariot) ?? { stamina: 1, structure: 5, health: 5, skill: 6 };
      for (const kind of KINDS) most[kind] = Math.max(most[kind], c[kind]);
      this.full.set(c.chariot, most);
    }
    const panels = order.map((c) => this.kept(c, view, c.seat === looking));
    this.all = new Map(order.map((c, i) => [c.chariot, panels[i]]));
    const lit = [this.own, this.list].flatMap((place) => [...place.querySelectorAll(".lit")]).map((panel) => panel.id);
    const own = panels.filter((panel) => panel.classList.contains("mine"));
    const others = panels.filter((panel) => !own.includes(panel));
    this.rivals.classList.toggle("crowd", order.length > 6);
    arrange(this.rivals, others);
    arrange(this.own, own);
    for (const id of lit) document.getElementById(id)?.classList.add("lit");
  }

  /**
   * The panel that is there, if it is still right.
   * @param {ChariotView} c
   * @param {View} view
   * @param {boolean} own
   */
  kept(c, view, own) {
    const key = JSON.stringify([c, own, c.chariot === view.active, this.words.name(c.chariot)]);
    const there = this.all.get(c.chariot);
    if (there && this.shown.get(c.chariot) === key) return there;
    this.shown.set(c.chariot, key);
    return this.panel(c, view, own);
  }

  /**
   * @param {ChariotView} c
   * @param {View} view
   * @param {boolean} own
   */
  panel(c, view, own) {
    const { words } = this;
    const active = c.chariot === view.active;
    const gone = c.out && !c.home;
    return el(
      "article",
      {
        id: `cm-panel-${c.chariot}`,
        class: `panel cm-panel faction-${this.words.figures.chariots[c.chariot].faction}${own ? " mine" : ""}${active ? " active" : ""}${gone ? " gone" : ""}`,
        "data-seat": c.seat,
        "aria-label": words.name(c.chariot),
        on: { click: () => this.page.visit(c.chariot) },
      },
      el(
        "header",
        { class: "cm-panel-head" },
        el("span", { class: "cm-place", "data-help": "chariotmaster.place", text: c.place ? roman(c.place) : "–" }),
        words.emblem(c.chariot),
        el("div", { class: "cm-who" },
          nameTag(words.name(c.chariot), { tag: "strong" }),
          el("span", { class: "soft small cut", "data-help": "chariotmaster.progress", text: this.where(c, view) }),
        ),
        own ? this.equipment(c) : null,
        this.token(c),
      ),
      this.points(c, own),
      this.states(c, own ? this.kit(c, view) : []),
    );
  }

  /** @param {ChariotView} c @param {View} view */
  where(c, view) {
    const { words, t } = this;
    if (c.home) return t("chariotmaster.panel.home", { place: roman(c.home) });
    const cm = words.t("chariotmaster.cm", { n: words.decimal.format(Math.round(c.progress / 10)) });
    return view.laps > 1 ? t("chariotmaster.panel.lap", { lap: Math.max(c.lap, 1), laps: view.laps, cm }) : cm;
  }

  /** The token that was drawn, one's own that is still in the mug, or a hidden one. @param {ChariotView} c */
  token(c) {
    const { t } = this;
    const state = c.token === null ? "secret" : c.drawn ? "" : "chosen";
    const label = c.token === null ? t(c.ready ? "chariotmaster.token.ready" : "chariotmaster.token.hidden") : t(c.drawn ? "chariotmaster.token.drawn" : "chariotmaster.token.chosen", { token: c.token });
    if (c.out && c.token === null) return null;
    return el("span", { class: `cm-coin small ${state}${c.ready ? " ready" : ""}`, role: "img", "aria-label": label, "data-help": "chariotmaster.token", text: c.token ?? (c.ready ? "✓" : "?") });
  }

  /** @param {ChariotView} c @param {boolean} own */
  points(c, own) {
    const { t } = this;
    const full = this.full.get(c.chariot);
    return el(
      "ul",
      { class: "cm-points-list" },
      ...KINDS.map((kind) => {
        const meter = el("span", { class: "meter", "aria-hidden": true }, el("span", null));
        meter.style.setProperty("--share", String(Math.min(1, c[kind] / (full?.[kind] || 1))));
        return el(
          "li",
          { class: `cm-stat cm-stat-${kind}${c[kind] <= 0 ? " spent" : ""}`, "data-help": `chariotmaster.points.${kind}` },
          svg("svg", { class: "cm-icon", viewBox: "-8 -8 16 16", "aria-hidden": true }, svg("path", { d: SIGNS[kind] })),
          el("span", { class: "unseen", text: t(`chariotmaster.points.${kind}`) }),
          own ? el("span", { class: "cm-stat-name", "aria-hidden": true, text: t(`chariotmaster.points.${kind}`) }) : null,
          el("span", { class: "cm-stat-value", text: c[kind] }),
          own && this.worn(c, kind) ? el("span", { class: "badge bad cm-worn", "data-help": "chariotmaster.worn", text: `+${this.worn(c, kind)}` }) : null,
          meter,
        );
      }),
    );
  }

  /** The modifier of the table that is rolled on when there is nothing left. @param {ChariotView} c @param {string} kind */
  worn(c, kind) {
    const names = Object.keys(c.worn).filter((name) => name.split(" ")[0] === kind);
    return Math.max(0, ...names.map((name) => c.worn[name]));
  }

  /** @param {ChariotView} c */
  equipment(c) {
    const { t } = this;
    const found = TOKENS.map((token) =>
      el("span", { class: `cm-coin tiny${c.tokens.includes(token) ? "" : " lost"}`, "data-help": "chariotmaster.tokens.owned", text: token }));
    for (const [name, d] of Object.entries(THINGS)) {
      if (!c[/** @type {keyof typeof THINGS} */ (name)]) continue;
      found.push(el("span", { class: "cm-thing", "data-help": `chariotmaster.thing.${name}` },
        svg("svg", { class: "cm-icon", viewBox: "-7 -7 14 14", role: "img", "aria-label": t(`chariotmaster.thing.${name}`) }, svg("path", { d })),
        name === "luck" ? el("span", { class: "small", text: c.luck }) : null));
    }
    return el("div", { class: "cm-equipment" }, ...found);
  }

  /**
   * What it was built of, where that is not the same for all.
   * @param {ChariotView} c
   * @param {View} view
   * @returns {string[]}
   */
  kit(c, view) {
    const { designs, points, fantasy } = view.options;
    const design = /** @type {Record<string, string & string[]>[] | undefined} */ (designs)?.[c.chariot];
    if (!design || !(points || fantasy)) return [];
    return [design.race, design.chassis, ...design.horses, design.skill, design.fitness, ...design.other].filter((name) => name && name !== "ordinary");
  }

  /** @param {ChariotView} c @param {string[]} kit */
  states(c, kit) {
    const { t } = this;
    const found = states(c);
    const special = kit.length ? [] : [c.beast !== "horses" && c.beast, c.frightening && "frightening"].filter(Boolean);
    if (!found.length && !special.length && !kit.length && c.seat === this.page.looking) return null;
    return el("div", { class: "cm-states" },
      ...found.map((name) => el("span", { class: `badge ${name === "home" ? "good" : "bad"}`, "data-help": `chariotmaster.state.${name}`, text: t(`chariotmaster.state.${name}`) })),
      ...special.map((name) => el("span", { class: "badge", "data-help": `chariotmaster.state.${name}`, text: t(`chariotmaster.state.${name}`) })),
      ...kit.map((name) => el("span", { class: "badge", "data-help": `chariotmaster.kit.${slug(name)}`, text: t(`chariotmaster.kit.${slug(name)}`) })),
    );
  }

  /** @param {number[]} chariots */
  light(chariots) {
    for (const [chariot, panel] of this.all) panel.classList.toggle("lit", chariots.includes(chariot));
  }
}
