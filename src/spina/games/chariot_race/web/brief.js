// @ts-check
// What has happened in one sentence for each chariot, for screen readers.

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./words.js").Words} Words */

/** @param {Words} words @param {GameEvent[]} events @param {View} view @returns {string[]} */
export function brief(words, events, view) {
  /** Parts of each chariot's sentence, those who did something first. @type {Map<number, string[]>} */
  const told = new Map();
  /** @param {number} chariot @param {string} id @param {import("../../../web/static/js/types.js").Params} [params] */
  const tell = (chariot, id, params) => {
    const parts = told.get(chariot) ?? [];
    told.set(chariot, parts);
    const text = words.t(`brief.${id}`, params);
    if (!parts.includes(text)) parts.push(text);
  };
  /** Where the last step of a chariot has led. @type {Map<number, string>} */
  const spaces = new Map();
  for (const event of events) {
    switch (event.type) {
      case "Drafted":
        tell(event.chariot, "drafted", { character: words.character(event.character) });
        break;
      case "Placed":
        tell(event.chariot, "placed", { space: event.space });
        break;
      case "Repaired":
        tell(event.chariot, "repaired", { gained: event.gained });
        break;
      case "Rolled":
        if (words.seat(event.chariot) === view.seat) tell(event.chariot, "rolled", { dice: words.dice([...event.dice]) });
        break;
      case "Sped":
        tell(event.chariot, "sped", { speed: event.speed });
        break;
      case "Stepped":
      case "PutBack":
        spaces.set(event.chariot, event.space);
        break;
      case "Cornered":
        tell(event.chariot, "cornered", { damage: event.damage });
        break;
      case "Rammed":
        tell(event.chariot, "rammed", { rammed: words.called(event.rammed) });
        tell(event.rammed, "is-rammed", { condition: event.rammed_condition });
        break;
      case "Spiked":
        tell(event.chariot, "spiked", { space: event.space });
        break;
      case "JavelinThrown":
        tell(event.chariot, "javelin", { target: words.called(event.target) });
        tell(event.target, "is-hit", { condition: event.condition });
        break;
      case "CaltropDropped":
        tell(event.chariot, "caltrop", { space: event.space });
        break;
      case "Crashed":
      case "Wrecked":
        tell(event.chariot, "wrecked", { space: event.space });
        break;
      case "Line":
        if (event.laps > 0) tell(event.chariot, event.laps >= words.host.places.figures.laps ? "home" : "lap", { laps: event.laps });
        break;
      case "Finished":
        if (event.place === 1 && !view.chariots[event.chariot]?.wrecked) tell(event.chariot, "won");
        break;
    }
  }
  for (const [chariot, space] of spaces) {
    const { wrecked, condition, place } = view.chariots[chariot];
    if (!wrecked) tell(chariot, "stands", { space, condition, place });
  }
  return [...told].map(([chariot, parts]) => words.t("brief.chariot", { chariot: words.called(chariot), parts: parts.join(", ") }));
}
