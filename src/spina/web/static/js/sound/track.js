// @ts-check
// Sounds of the track: hooves, wheels, whip, ram, crash, javelin, caltrop.

/** @typedef {import("./score.js").Score} Score */
/** @typedef {import("./catalogue.js").Wish} Wish */

/** Seconds of one stride of a gallop. @param {number} strength */
export const stride = (strength) => 0.5 - 0.22 * strength;

/** The four beats of a gallop as shares of a stride; the rest of it the horse is in the air. */
const BEATS = [0, 0.17, 0.33, 0.5];

/** A team's hooves on sand, one stride: faster and harder with the strength. @param {Score} score @param {Wish} wish */
export function hooves(score, { strength }) {
  score.soften(1500 + 700 * strength);
  const length = stride(strength);
  for (const beat of BEATS) {
    for (let horse = 0; horse < 3; horse++) {
      const at = 0.004 + beat * length + horse * score.between(0.004, 0.019);
      const level = (0.35 + 0.65 * score.random()) / (1 + 0.5 * horse);
      score.tone({ at, from: score.between(150, 190), to: 62, glide: 0.045, decay: 0.11, level: 0.7 * level });
      score.burst({ at, from: score.between(380, 760), q: 1.4, decay: 0.07, level: 1.5 * level });
      score.burst({ at, type: "highpass", from: 2600, decay: 0.03, level: (0.08 + 0.12 * strength) * level });
    }
  }
}

/** Iron tyres on sand and stone, in a slide or a sharp bend. @param {Score} score @param {Wish} wish */
export function wheels(score, { strength }) {
  score.soften(2600);
  const seconds = 0.55 + 0.35 * strength;
  const hold = seconds * 0.4;
  score.burst({ at: 0, attack: 0.08, hold, decay: seconds * 0.5, from: 240, to: 150, q: 0.9, level: 1.1 });
  score.burst({ at: 0.02, attack: 0.12, hold: hold * 0.8, decay: seconds * 0.4, from: 1500 + 700 * strength, to: 900, q: 2.2, level: 0.35 + 0.4 * strength });
  // the spokes rattle, ever slower
  for (let at = 0.03, gap = 0.038; at < seconds * 0.8; at += gap, gap *= 1.09) {
    score.struck({ at, partials: [310, 540, 930], decay: 0.05, level: 0.32 * (1 - at / seconds), spread: 0.12 });
  }
}

/** A whip: it swings through the air and cracks. @param {Score} score @param {Wish} wish */
export function whip(score, { strength }) {
  score.echo({ seconds: 0.5, wet: 0.22, dark: 4200 });
  const crack = 0.19;
  score.burst({ at: 0, attack: crack * 0.9, decay: 0.05, from: 380, to: 3000, q: 1.6, level: 0.3 });
  score.burst({ at: crack, attack: 0.0005, type: "highpass", from: 1700, decay: 0.07, level: 0.8 + 0.4 * strength });
  score.burst({ at: crack, attack: 0.0005, from: 1050, q: 0.8, decay: 0.11, level: 0.9 });
  score.burst({ at: crack + 0.023, attack: 0.0005, from: 3400, q: 1, decay: 0.05, level: 0.5 });
}

/** Chariot against chariot: heavy wood, a clank of iron. @param {Score} score @param {Wish} wish */
export function ram(score, { strength }) {
  score.tone({ at: 0, from: 190, to: 58, glide: 0.07, decay: 0.34, level: 1 });
  score.burst({ at: 0, type: "lowpass", from: 1400, to: 300, decay: 0.17, level: 0.9 });
  score.struck({ at: 0.002, partials: [205, 338, 512, 790], decay: 0.2, level: 0.7, spread: 0.06 });
  score.struck({ at: 0.012, partials: [910, 1430, 2240], decay: 0.26, level: 0.1 + 0.14 * strength });
  score.struck({ at: 0.1 + 0.03 * score.random(), partials: [260, 430, 700], decay: 0.12, level: 0.3 * strength, spread: 0.08 });
}

/** A chariot breaks: a blow, splintering wood, a rim that rolls away, dust. @param {Score} score @param {Wish} wish */
export function crash(score, { strength }) {
  score.echo({ seconds: 0.7, wet: 0.14, dark: 1800 });
  score.tone({ at: 0, from: 140, to: 40, glide: 0.16, decay: 0.6, level: 1 });
  score.burst({ at: 0, type: "lowpass", from: 2600, to: 260, decay: 0.5, level: 0.9 });
  const splinters = Math.round(18 + 16 * strength);
  for (let k = 0; k < splinters; k++) {
    const at = 0.01 + 0.75 * score.random() ** 1.7;
    const level = (1 - at) * score.between(0.25, 0.8);
    const hz = score.between(260, 1500);
    score.struck({ at, partials: [hz, hz * 1.63, hz * 2.41], decay: score.between(0.04, 0.11), level: 0.8 * level });
    score.burst({ at, from: hz * 2, q: 1.1, decay: 0.03, level: 1.4 * level });
  }
  for (let at = 0.34, gap = 0.15; at < 1.15; at += gap, gap *= 0.86) {
    score.struck({ at, partials: [545, 1270, 1960], decay: 0.22, level: 0.22 * (1.3 - at), spread: 0.01 });
  }
  score.burst({ at: 0.15, attack: 0.25, decay: 1, from: 520, to: 300, q: 0.6, level: 0.16 });
}

/** Seconds that a javelin flies. */
const FLIGHT = 0.34;

/** A javelin: it hisses, strikes, and its shaft quivers. @param {Score} score */
export function javelin(score) {
  score.burst({ at: 0, attack: FLIGHT * 0.85, decay: 0.08, from: 1900, to: 1000, q: 5, level: 1.5 });
  score.tone({ at: 0.02, attack: FLIGHT * 0.8, decay: 0.06, from: 1320, to: 930, glide: FLIGHT, level: 0.05 });
  score.burst({ at: FLIGHT, type: "lowpass", from: 1700, decay: 0.06, level: 1 });
  score.struck({ at: FLIGHT, partials: [268, 431, 702, 1180], decay: 0.13, level: 0.7 });
  // the shaft beats the air: two strings a little apart
  score.plucked({ at: FLIGHT + 0.01, hz: 92, seconds: 0.6, level: 0.4, damping: 0.35 });
  score.plucked({ at: FLIGHT + 0.01, hz: 103, seconds: 0.5, level: 0.4, damping: 0.35 });
}

/** An iron caltrop falls and tumbles to rest. @param {Score} score */
export function caltrop(score) {
  const spikes = [2380, 3710, 5190, 6870];
  let at = 0;
  for (let gap = 0.15, level = 1; level > 0.12; at += gap, gap *= 0.68, level *= 0.66) {
    const jitter = score.between(0.93, 1.07);
    score.struck({ at, partials: spikes.map((hz) => hz * jitter), decay: 0.13 * level + 0.05, level: 0.5 * level, spread: 0.04 });
    score.burst({ at, type: "highpass", from: 3200, decay: 0.02, level: 0.6 * level });
    score.burst({ at, from: 420, q: 1, decay: 0.05, level: 0.6 * level });
  }
}
