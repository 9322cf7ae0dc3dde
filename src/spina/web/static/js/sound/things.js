// @ts-check
// Sounds of things on the table: dice, cards, coins, and the knock at the door when a person is asked.

/** @typedef {import("./score.js").Score} Score */
/** @typedef {import("./catalogue.js").Wish} Wish */

/** Dice of bone on a wooden board; the strength says how many. @param {Score} score @param {Wish} wish */
export function dice(score, { strength }) {
  const count = Math.max(1, Math.round(strength * 5));
  for (let k = 0; k < count; k++) {
    const hz = score.between(1500, 2700);
    let at = score.between(0, 0.12);
    for (let gap = score.between(0.1, 0.15), level = 1; level > 0.16; at += gap, gap *= score.between(0.6, 0.78), level *= 0.68) {
      score.struck({ at, partials: [hz, hz * 1.57, hz * 2.31], decay: 0.05, level: 0.45 * level, spread: 0.08 });
      score.burst({ at, from: 3300, q: 0.9, decay: 0.02, level: 0.5 * level });
      score.struck({ at, partials: [340, 560], decay: 0.07, level: 0.4 * level, spread: 0.1 });
    }
  }
}

/** A card slides and is turned over. @param {Score} score */
export function cards(score) {
  score.burst({ at: 0, attack: 0.055, decay: 0.05, from: 1700, to: 5600, q: 1.1, level: 0.5 });
  score.burst({ at: 0.085, type: "lowpass", from: 2100, decay: 0.05, level: 0.9 });
  score.burst({ at: 0.085, type: "highpass", from: 4200, decay: 0.02, level: 0.5 });
  score.struck({ at: 0.086, partials: [235, 410], decay: 0.06, level: 0.4, spread: 0.08 });
}

/** A coin is laid down. @param {Score} score */
export function coin(score) {
  const disc = [1870, 3140, 4730];
  score.burst({ at: 0, type: "highpass", from: 4000, decay: 0.015, level: 0.4 });
  score.struck({ at: 0, partials: disc, decay: 0.55, level: 0.6, spread: 0.004 });
  score.struck({ at: 0.085, partials: disc.map((hz) => hz * 1.003), decay: 0.4, level: 0.3, spread: 0.004 });
}

/** Two knocks on a wooden door. @param {Score} score */
export function knock(score) {
  score.echo({ seconds: 0.25, wet: 0.1, dark: 1500 });
  for (const [at, level] of [[0, 0.85], [0.17, 1]]) {
    score.struck({ at, partials: [335, 562, 905, 1490], decay: 0.14, level, spread: 0.015 });
    score.burst({ at, type: "lowpass", from: 1100, decay: 0.03, level: 0.6 * level });
    score.tone({ at, from: 150, to: 105, glide: 0.03, decay: 0.1, level: 0.5 * level });
  }
}
