// @ts-check
// What Chariotmaster adds to the set-up page: tracks with their laps and room, and chariots built of equipment.

import { el } from "../../../web/static/js/dom.js";
import { t } from "../../../web/static/js/messages.js";
import { called, Designs } from "./designs.js";

/** @typedef {import("../../../web/static/js/types.js").SetupHost} SetupHost */
/** @typedef {import("../../../web/static/js/types.js").SetupPart} SetupPart */
/** @typedef {import("../../../web/static/js/types.js").Refusal} Refusal */
/** @typedef {import("../../../web/static/js/types.js").Setting} Setting */
/** @typedef {import("../../../web/static/js/types.js").Described} Described */

/** @implements {SetupPart} */
class ChariotmasterSetup {
  /** @type {Designs} */
  #designs;
  #ownEdition = false;
  #list = el("ol", { class: "designs" });

  /** @param {SetupHost} host @param {Described} described */
  constructor(host, described) {
    this.host = host;
    host.place.setAttribute("aria-labelledby", "designs-heading");
    host.place.replaceChildren(
      el("h2", { id: "designs-heading", text: t("setup.designs") }),
      el("p", { class: "soft small designs-hint", text: t("setup.designs.hint") }),
      this.#list,
      el("p", { class: "problem", id: "problem-designs", role: "alert", hidden: true }),
    );
    host.place.hidden = false;
    this.#designs = this.take(described);
  }

  /** @param {Described} described */
  take(described) {
    this.#ownEdition = described.edition !== null;
    this.#designs = new Designs(described.setup_data);
    return this.#designs;
  }

  get #workshop() {
    return this.#designs.workshop;
  }

  get #scenario() {
    return this.#workshop.scenarios.find((each) => each.name === this.host.options().scenario);
  }

  /** Chariots in the race: the seats take turns, each with as many as the option says. */
  get #chariots() {
    return this.host.seats() * Number(this.host.options().chariots ?? 1);
  }

  /** @param {Setting} setting */
  choices(setting) {
    switch (setting.name) {
      case "scenario":
        return this.#workshop.scenarios.map(({ name, title }) => ({ value: name, text: this.#ownEdition ? title : called("scenario", name) }));
      case "laps":
        return (this.#scenario?.offered ?? []).map((laps) => ({ value: String(laps), text: String(laps) }));
      case "chariots":
        return this.#chariotCounts(setting).map((count) => ({ value: String(count), text: String(count) }));
      default:
        return null;
    }
  }

  /** The numbers of chariots for each seat that fit the track, and the one that is chosen. @param {Setting} setting */
  #chariotCounts(setting) {
    const most = Math.max(1, Math.floor((this.#scenario?.most ?? setting.high) / this.host.seats()));
    const counts = Array.from({ length: setting.high - setting.low + 1 }, (_, index) => setting.low + index);
    return counts.filter((count) => count <= most || count === this.host.options().chariots);
  }

  /** @param {string} name */
  chosen(name) {
    const options = this.host.options();
    if (name === "scenario") options.laps = this.#scenario?.laps;
    if (name !== "fantasy") return;
    this.#designs.chosen.clear();
    if (options.fantasy && Number(options.points) < this.#workshop.race_points) options.points = this.#workshop.race_points;
  }

  values() {
    const designs = this.#designs.value(this.#chariots);
    return designs ? { designs } : {};
  }

  show() {
    const designs = this.#designs;
    const { fantasy, points, chariots: each } = this.host.options();
    designs.fantasy = Boolean(fantasy);
    designs.points = Number(points);
    this.#list.replaceChildren(
      ...Array.from({ length: this.#chariots }, (_, chariot) => {
        const seat = chariot % this.host.seats();
        const name = this.host.seatName(seat);
        const number = Math.floor(chariot / this.host.seats()) + 1;
        return designs.form(chariot, seat, Number(each) > 1 ? t("setup.design.second", { name, number }) : name, this.host.changed);
      }),
    );
  }

  /** What is wrong with one chariot is shown beside it, with the names that the page has for its parts. @param {Refusal} refusal */
  problem(refusal) {
    const { chariot, why } = refusal.parameters;
    if (refusal.code !== "chariotmaster.design.wrong" || chariot === undefined) return null;
    return { place: `problem-design-${Number(chariot) - 1}`, refusal: /** @type {Refusal} */ (named(why)) };
  }
}

/**
 * A refusal with the page's names of races, categories and items in it.
 * @param {unknown} value
 * @returns {unknown}
 */
function named(value) {
  if (typeof value === "string") return ["item", "race", "category"].map((kind) => called(kind, value)).find((name) => name !== value) ?? value;
  if (Array.isArray(value)) return value.map(named);
  if (value === null || typeof value !== "object") return value;
  const { code, parameters } = /** @type {Refusal} */ (value);
  return { code, parameters: Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, named(each)])) };
}

/**
 * @param {SetupHost} host
 * @param {Described} described
 * @returns {SetupPart}
 */
export default function makeSetup(host, described) {
  return new ChariotmasterSetup(host, described);
}
