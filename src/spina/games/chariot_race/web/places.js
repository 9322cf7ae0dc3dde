// @ts-check
// What lessons of Chariot Race call by name on the page.

import { placeFinder } from "../../../web/static/js/places.js";

export const findPlace = placeFinder(
  { dice: "#choice .cr-dice", roll: "#choice .cr-roll", keep: '#choice [data-action="keep"]', go: "#choice .cr-go" },
  { die: "data-die", action: "data-action", end: "data-end" },
);
