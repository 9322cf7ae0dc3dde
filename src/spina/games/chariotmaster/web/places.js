// @ts-check
// What lessons of Chariotmaster call by name on the page.

import { placeFinder } from "../../../web/static/js/places.js";

export const findPlace = placeFinder(
  { tokens: "#choice .cm-tokens", ghost: ".cm-ghost .cm-ghost-body", pivot: ".cm-ghost .cm-handle", go: "#choice .cm-go" },
  { token: "data-token", action: "data-action", sweep: "data-way" },
);
