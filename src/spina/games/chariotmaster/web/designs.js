// @ts-check
// Chariots put together of equipment. What is allowed comes from the server, and the server has the last word.

import { el, shape } from "../../../web/static/js/dom.js";
import { has, t } from "../../../web/static/js/messages.js";

/**
 * @typedef {{name: string, category: string, cost: number, structure: number, skill: number, health: number,
 *   percent: number, top: number, bite: number, luck: number, fright: number, barred: string[]}} Item
 * @typedef {Record<string, any>} Design a table of race and items by category
 * @typedef {{name: string, cost: number} & Design} ReadyMade
 * @typedef {{name: string, title: string, laps: number, offered: number[], most: number}} Scenario
 * @typedef {object} Workshop
 * @property {Scenario[]} scenarios
 * @property {string[]} categories
 * @property {string[]} many
 * @property {number} race_points
 * @property {Item[]} items
 * @property {Record<string, string>} standard
 * @property {Record<string, string>} plain
 * @property {Record<string, Record<string, string>>} races
 * @property {ReadyMade[]} ready_made
 */

const ONE = "o";
const ALWAYS = "x";
const EXTRA = "a";
const OWN = "own";

/**
 * The name of something of an edition: translated where it is one that the house knows.
 * @param {string} kind
 * @param {string} name
 */
export function called(kind, name) {
  const id = `setup.${kind}.${name.replaceAll(" ", "-")}`;
  return has(id) ? t(id) : name;
}

/**
 * What an item does, in a few words.
 * @param {Item} item
 */
function effects(item) {
  const parts = [t("setup.cost", { count: item.cost })];
  for (const key of /** @type {const} */ (["structure", "skill", "health", "bite", "luck"])) {
    if (item[key]) parts.push(t(`setup.effect.${key}`, { value: item[key] }));
  }
  if (item.percent) parts.push(t("setup.effect.percent", { value: item.percent > 0 ? `+${item.percent}` : `−${-item.percent}` }));
  if (item.top) parts.push(t("setup.effect.top", { value: item.top }));
  if (item.fright) parts.push(t("setup.effect.fright"));
  return parts.join(", ");
}

/**
 * What a field of a design is called, with an explanation.
 * @param {string} category
 * @param {string | null} id
 */
function heading(category, id) {
  const name = t(`setup.category.${category}`);
  const label = { "aria-label": t("setup.help", { name }), "data-help": `setup.${category}` };
  return el(
    "span",
    { class: "row tight" },
    id ? el("label", { class: "label", for: id, text: name }) : el("span", { class: "label", text: name }),
    el("button", { type: "button", class: "help", ...label, text: "?" }),
  );
}

/** The chariots of a race, each with a design that was chosen for it, or the usual one. */
export class Designs {
  /** @param {Workshop} workshop */
  constructor(workshop) {
    this.workshop = workshop;
    /** @type {Map<number, string | Design>} */
    this.chosen = new Map();
    this.fantasy = false;
    this.points = 0;
  }

  /**
   * The design of a chariot for which none was chosen, as the server has it.
   * @param {number} chariot
   * @returns {string | Design}
   */
  usual(chariot) {
    if (!this.fantasy) return {};
    const races = Object.keys(this.workshop.races);
    const race = races[chariot % races.length];
    const fitting = this.workshop.ready_made.filter((ready) => ready.race === race && ready.cost <= this.points);
    return fitting.reduce((best, ready) => (ready.cost > best.cost ? ready : best), fitting[0])?.name ?? { race };
  }

  /** @param {number} chariot */
  of(chariot) {
    return this.chosen.get(chariot) ?? this.usual(chariot);
  }

  /** @param {string | null} race */
  marks(race) {
    return (race && this.workshop.races[race]) || this.workshop.plain;
  }

  /** Ready-made chariots that these players may use. */
  ready() {
    return this.workshop.ready_made.filter(
      (ready) => ready.cost <= this.points && (this.fantasy || this.items(ready).every((name) => this.workshop.plain[name] === ONE) && this.workshop.categories.every((category) => [ready[category]].flat().length === 1)),
    );
  }

  /**
   * The names of all items of a design.
   * @param {Design} design
   * @returns {string[]}
   */
  items(design) {
    return this.workshop.categories.flatMap((category) => design[category] ?? []);
  }

  /**
   * A design as a complete table.
   * @param {string | Design} design
   * @returns {Design}
   */
  table(design) {
    const { categories, many, items, standard } = this.workshop;
    const given = typeof design === "string" ? (this.workshop.ready_made.find((ready) => ready.name === design) ?? {}) : design;
    const race = this.fantasy ? (given.race ?? Object.keys(this.workshop.races)[0]) : null;
    const marks = this.marks(race);
    /** @type {Design} */
    const table = this.fantasy ? { race } : {};
    for (const category of categories) {
      const all = items.filter((item) => item.category === category).map((item) => item.name);
      const before = /** @type {string[]} */ ([given[category] ?? []].flat());
      const ones = all.filter((name) => marks[name] === ONE);
      const one = before.find((name) => ones.includes(name)) ?? (ones.includes(standard[category]) ? standard[category] : ones[0]);
      const names = [...all.filter((name) => marks[name] === ALWAYS), ...(one ? [one] : []), ...before.filter((name) => marks[name] === EXTRA)];
      table[category] = many.includes(category) ? names : names[0];
    }
    return table;
  }

  /** @param {string | Design} design */
  cost(design) {
    const names = this.items(this.table(design));
    return names.reduce((sum, name) => sum + (this.workshop.items.find((item) => item.name === name)?.cost ?? 0), 0);
  }

  /**
   * What is sent: nothing while every chariot has the usual design.
   * @param {number} chariots
   * @returns {(string | Design)[] | undefined}
   */
  value(chariots) {
    const chosen = [...this.chosen.keys()].some((chariot) => chariot < chariots);
    return chosen ? Array.from({ length: chariots }, (_, chariot) => this.of(chariot)) : undefined;
  }

  /**
   * The form for one chariot.
   * @param {number} chariot
   * @param {number} seat
   * @param {string} label
   * @param {(focus: string) => void} changed
   */
  form(chariot, seat, label, changed) {
    const design = this.of(chariot);
    const own = typeof this.chosen.get(chariot) === "object";
    const id = `design-${chariot}`;
    const cost = this.cost(design);
    /** @param {string | Design} to @param {string} focus */
    const put = (to, focus) => {
      this.chosen.set(chariot, to);
      changed(focus);
    };
    const choice = el(
      "select",
      {
        class: "select",
        id,
        "aria-label": t("setup.design.of", { chariot: label }),
        on: {
          change: (/** @type {Event} */ event) => {
            const { value } = /** @type {HTMLSelectElement} */ (event.target);
            if (value) {
              put(value === OWN ? this.table(design) : value, id);
            } else {
              this.chosen.delete(chariot);
              changed(id);
            }
          },
        },
      },
      this.fantasy ? null : el("option", { value: "", selected: !this.chosen.has(chariot), text: t("setup.design.usual") }),
      ...this.choices(design),
      el("option", { value: OWN, selected: own, text: t("setup.design.own") }),
    );
    return el(
      "li",
      { class: "design" },
      el(
        "div",
        { class: "design-head" },
        el("span", { class: "emblem" }, shape(seat), el("span", { class: "cut", text: label })),
        el("div", { class: "field" }, choice),
        el("span", {
          class: cost > this.points ? "badge bad" : "badge",
          text: t("setup.points.spent", { spent: cost, points: this.points }),
        }),
      ),
      own ? this.parts(chariot, this.table(design), put) : el("p", { class: "soft small", text: this.summary(this.table(design)) }),
      el("p", { class: "problem", id: `problem-design-${chariot}`, role: "alert", hidden: true }),
    );
  }

  /**
   * Options for ready-made chariots, by race where there are races.
   * @param {string | Design} design
   */
  choices(design) {
    /** @param {ReadyMade} ready */
    const option = (ready) =>
      el("option", {
        value: ready.name,
        selected: ready.name === design,
        text: t("setup.design.ready", { name: called("ready", ready.name), cost: ready.cost }),
      });
    if (!this.fantasy) return this.ready().map(option);
    return Object.keys(this.workshop.races).map((race) =>
      el(
        "optgroup",
        { label: called("people", race) },
        ...this.ready()
          .filter((ready) => ready.race === race)
          .map(option),
      ),
    );
  }

  /** @param {Design} table */
  summary(table) {
    return this.items(table)
      .map((name) => called("item", name))
      .join(" · ");
  }

  /**
   * The form for a design that is put together part by part.
   * @param {number} chariot
   * @param {Design} table
   * @param {(design: Design, focus: string) => void} put
   */
  parts(chariot, table, put) {
    const { categories, items, many } = this.workshop;
    const marks = this.marks(table.race);
    const fields = categories.map((category) => {
      const all = items.filter((item) => item.category === category);
      const ones = all.filter((item) => marks[item.name] === ONE);
      const fixed = all.filter((item) => marks[item.name] === ALWAYS);
      const extras = all.filter((item) => marks[item.name] === EXTRA);
      const now = /** @type {string[]} */ ([table[category] ?? []].flat());
      const id = `design-${chariot}-${category}`;
      /** @param {string[]} names @param {string} focus */
      const change = (names, focus) => put({ ...table, [category]: many.includes(category) ? names : names[0] }, focus);
      const select = el(
        "select",
        {
          class: "select",
          id,
          on: {
            change: (/** @type {Event} */ event) => {
              const { value } = /** @type {HTMLSelectElement} */ (event.target);
              change([...now.filter((name) => !ones.some((item) => item.name === name)), value], id);
            },
          },
        },
        ...ones.map((item) =>
          el("option", {
            value: item.name,
            selected: now.includes(item.name),
            text: t("setup.item", { name: called("item", item.name), effects: effects(item) }),
          }),
        ),
      );
      return el(
        "div",
        { class: "field" },
        heading(category, ones.length ? id : null),
        ...fixed.map((item) =>
          el("span", { class: "small", text: t("setup.item.always", { name: called("item", item.name), effects: effects(item) }) }),
        ),
        ones.length ? select : null,
        ...extras.map((item) => this.extra(chariot, item, now, change)),
      );
    });
    return el("div", { class: "design-parts" }, this.fantasy ? this.people(chariot, table, put) : null, ...fields);
  }

  /**
   * @param {number} chariot
   * @param {Design} table
   * @param {(design: Design, focus: string) => void} put
   */
  people(chariot, table, put) {
    const id = `design-${chariot}-race`;
    return el(
      "div",
      { class: "field" },
      heading("race", id),
      el(
        "select",
        {
          class: "select",
          id,
          on: {
            change: (/** @type {Event} */ event) =>
              put(this.table({ ...table, race: /** @type {HTMLSelectElement} */ (event.target).value }), id),
          },
        },
        ...Object.keys(this.workshop.races).map((race) =>
          el("option", { value: race, selected: race === table.race, text: called("people", race) }),
        ),
      ),
    );
  }

  /**
   * An item that can be taken as often as one can pay for it.
   * @param {number} chariot
   * @param {Item} item
   * @param {string[]} now
   * @param {(names: string[], focus: string) => void} change
   */
  extra(chariot, item, now, change) {
    const number = now.filter((name) => name === item.name).length;
    const rest = now.filter((name) => name !== item.name);
    const name = called("item", item.name);
    /** @param {number} to @param {string} id @param {string} sign @param {string} label @param {boolean} disabled */
    const button = (to, id, sign, label, disabled) =>
      el("button", {
        type: "button",
        class: "button icon",
        id,
        "aria-label": label,
        disabled,
        text: sign,
        on: { click: () => change([...rest, ...Array(to).fill(item.name)], id) },
      });
    const id = `design-${chariot}-${item.name.replaceAll(" ", "-")}`;
    return el(
      "span",
      { class: "extra" },
      el("span", { class: "grow small", text: t("setup.item", { name, effects: effects(item) }) }),
      button(number - 1, `${id}-less`, "−", t("setup.extra.less", { name }), number === 0),
      el("output", { text: number }),
      button(number + 1, `${id}-more`, "+", t("setup.extra.more", { name }), number >= 9),
    );
  }
}

