// @ts-check
// Sounds of the stands: the murmur of the crowd, its cheer and its gasp, and the horns.

/** @typedef {import("./score.js").Score} Score */
/** @typedef {import("./catalogue.js").Wish} Wish */

/** Seconds of the murmur, which is played in a loop, and of the overlap that hides the seam. */
export const MURMUR = 6;
export const SEAM = 1;

/** The murmur of thousands: far voices, all over each other. @param {Score} score */
export function crowd(score) {
  score.soften(2600);
  score.echo({ seconds: 0.6, wet: 0.5, dark: 1700 });
  const end = MURMUR + SEAM;
  for (let k = 0; k < 100; k++) {
    const pan = score.between(-0.9, 0.9);
    const hz = score.random() < 0.65 ? score.between(95, 165) : score.between(180, 270);
    const vowel = /** @type {const} */ (["a", "o", "e", "u"])[Math.floor(score.random() * 4)];
    const near = score.random() ** 3;
    score.voice({ at: score.between(0, end - 0.2), seconds: score.between(0.14, 0.5), hz, vowel, level: 0.1 + 0.25 * near, rise: score.between(0.95, 1.2), fall: score.between(0.75, 1), pan });
  }
  for (const [pan, hz] of [[-0.7, 430], [0.7, 520], [0, 700]]) {
    score.burst({ at: 0, attack: 0.01, hold: end, decay: 0.1, from: hz, q: 0.7, level: 0.05, pan });
  }
}

/** Many shout together, and clap. @param {Score} score @param {Wish} wish */
export function cheer(score, { strength }) {
  score.soften(3200);
  score.echo({ seconds: 0.8, wet: 0.3, dark: 3000 });
  const seconds = 1.1 + 1.1 * strength;
  const voices = Math.round(26 + 34 * strength);
  for (let k = 0; k < voices; k++) {
    const pan = score.between(-0.9, 0.9);
    const hz = score.random() < 0.55 ? score.between(170, 270) : score.between(300, 460);
    score.voice({ at: 0.45 * score.random() ** 1.5, seconds: seconds * score.between(0.5, 0.95), hz, vowel: score.random() < 0.7 ? "a" : "e", level: score.between(0.1, 0.3), rise: score.between(1.15, 1.4), fall: score.between(0.8, 1), pan });
  }
  score.burst({ at: 0, attack: 0.35, hold: seconds * 0.3, decay: seconds, from: 900, to: 1300, q: 0.6, level: 0.35 });
  for (let k = 0; k < 70 * strength; k++) {
    const pan = score.between(-1, 1);
    score.burst({ at: score.between(0.2, seconds), from: score.between(1100, 2100), q: 1.3, decay: 0.035, level: score.between(0.15, 0.5), pan });
  }
}

/** A gasp goes through the stands. @param {Score} score @param {Wish} wish */
export function gasp(score, { strength }) {
  score.soften(2200);
  score.echo({ seconds: 0.8, wet: 0.3, dark: 2200 });
  for (let k = 0; k < 18 + 22 * strength; k++) {
    const pan = score.between(-0.9, 0.9);
    const hz = score.random() < 0.6 ? score.between(150, 230) : score.between(250, 360);
    score.voice({ at: score.between(0, 0.16), seconds: score.between(0.5, 0.9), hz, vowel: score.random() < 0.75 ? "o" : "u", level: score.between(0.12, 0.3), rise: 1.04, fall: score.between(0.6, 0.75), pan });
  }
  score.burst({ at: 0, attack: 0.12, decay: 0.6, from: 620, to: 400, q: 0.7, level: 0.25 });
}

const [C3, G3, C4, E4, G4, C5] = [130.8, 196, 261.6, 329.6, 392, 523.3];

/** Start, length and pitch of the notes of the winner's fanfare. */
const VICTORY = [
  [0, 0.2, C4], [0, 0.2, G3], [0.24, 0.09, C4], [0.36, 0.09, C4], [0.48, 0.3, E4], [0.48, 0.3, C4],
  [0.84, 0.14, C4], [1, 0.14, E4], [1.16, 1.35, G4], [1.16, 1.35, E4], [1.16, 1.35, C4], [1.16, 1.35, C3], [1.5, 1, C5],
];
/** And of the call at the end of a lap. */
const LAP = [[0, 0.13, C4], [0.15, 0.13, C4], [0.3, 0.5, G4], [0.3, 0.5, E4], [0.3, 0.5, C4]];

/** Horns: for the winner, or with little strength a short call. @param {Score} score @param {Wish} wish */
export function fanfare(score, { strength }) {
  score.echo({ seconds: 1.2, wet: 0.2, dark: 3200 });
  for (const [at, seconds, hz] of strength > 0.6 ? VICTORY : LAP) score.brass({ at, seconds, hz, level: 0.3 });
}
