// @ts-check
// Shows in the corner how far the games are compiled. It goes away when they are, and says so if one of them cannot be.

import { byId } from "./dom.js";

const EVERY = 1500;

/** @typedef {{playing: boolean, ready: boolean, done: number, of: number, failed: boolean}} Progress */

const corner = byId("warm-up");

/** @param {Progress[]} games */
function show(games) {
  const [label, bar, failed] = /** @type {[HTMLElement, HTMLProgressElement, HTMLElement]} */ ([...corner.children]);
  const sum = (/** @type {(game: Progress) => number} */ count) => games.reduce((total, game) => total + count(game), 0);
  bar.value = sum((game) => game.done) / Math.max(1, sum((game) => game.of));
  if (games.every((game) => game.ready)) corner.remove();
  else if (games.every((game) => game.ready || game.failed)) {
    label.hidden = bar.hidden = true;
    failed.hidden = false;
  } else return false;
  return true;
}

async function look() {
  try {
    const response = await fetch("/api/ready");
    if (response.ok && show(Object.values(/** @type {Record<string, Progress>} */ (await response.json())))) return;
  } catch {
    // the server may be starting again: asked once more below
  }
  window.setTimeout(look, EVERY);
}

void look();
