// @ts-check
// What lessons of Charioteer call by name on the page.

import { placeFinder } from "../../../web/static/js/places.js";

export const findPlace = placeFinder(
  {
    hand: "#choice .cx-hand",
    crowd: "#choice .cx-crowd-card",
    emperor: "#choice .cx-wish",
    skills: "#own .cx-skills",
    damage: "#own .cx-box",
    reset: "#choice .cx-reset",
    race: "#choice .cx-race",
  },
  { card: "data-slot", token: "data-token", move: "data-symbol" },
);
