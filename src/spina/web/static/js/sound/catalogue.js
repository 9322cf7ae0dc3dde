// @ts-check
// Every sound by its name: how it is made, how long it is, how loud beside the others, and how often it may come.

import { cards, coin, dice, knock } from "./things.js";
import { MURMUR, SEAM, cheer, crowd, fanfare, gasp } from "./stands.js";
import { caltrop, crash, hooves, javelin, ram, stride, wheels, whip } from "./track.js";

/** @typedef {import("./score.js").Score} Score */
/** @typedef {import("../types.js").SoundName} SoundName */

/** How a sound is wanted: `strength` is 0.25, 0.5, 0.75 or 1. @typedef {{strength: number}} Wish */

/**
 * @typedef {object} Entry
 * @property {(score: Score, wish: Wish) => void} make
 * @property {(strength: number) => number} seconds
 * @property {number} level loudness of its loudest tenth of a second (`balance.js`)
 * @property {number} variants that are made; they take turns
 * @property {number} gap seconds before the same sound may begin again
 * @property {number} stir how much it excites the crowd, 0 to 1
 * @property {boolean} [minor] left out when the race is shown at four times the speed or faster
 * @property {boolean} [wide] in stereo
 * @property {boolean} [repeats] again and again, for as long as the motion takes
 */

/** @type {Record<SoundName | "crowd", Entry>} */
export const CATALOGUE = {
  hooves: { make: hooves, seconds: stride, level: 0.1, variants: 3, gap: 0.2, stir: 0.02, minor: true, repeats: true },
  wheels: { make: wheels, seconds: (strength) => 0.7 + 0.35 * strength, level: 0.1, variants: 2, gap: 0.3, stir: 0.05, minor: true },
  whip: { make: whip, seconds: () => 0.75, level: 0.16, variants: 2, gap: 0.25, stir: 0.15 },
  ram: { make: ram, seconds: () => 0.5, level: 0.19, variants: 2, gap: 0.2, stir: 0.35 },
  crash: { make: crash, seconds: () => 1.6, level: 0.22, variants: 2, gap: 0.4, stir: 0.7 },
  javelin: { make: javelin, seconds: () => 1, level: 0.16, variants: 2, gap: 0.25, stir: 0.25 },
  caltrop: { make: caltrop, seconds: () => 0.75, level: 0.13, variants: 2, gap: 0.2, stir: 0.1 },
  dice: { make: dice, seconds: () => 0.75, level: 0.13, variants: 3, gap: 0.15, stir: 0.03 },
  cards: { make: cards, seconds: () => 0.2, level: 0.1, variants: 3, gap: 0.06, stir: 0, minor: true },
  coin: { make: coin, seconds: () => 0.65, level: 0.1, variants: 1, gap: 0.1, stir: 0.05, minor: true },
  knock: { make: knock, seconds: () => 0.45, level: 0.1, variants: 1, gap: 0.5, stir: 0 },
  cheer: { make: cheer, seconds: (strength) => 2 + 1.4 * strength, level: 0.14, variants: 2, gap: 1, stir: 0.8, wide: true },
  gasp: { make: gasp, seconds: () => 1.7, level: 0.13, variants: 2, gap: 1, stir: 0.5, wide: true },
  fanfare: { make: fanfare, seconds: (strength) => (strength > 0.6 ? 3.6 : 1.9), level: 0.17, variants: 1, gap: 4, stir: 1 },
  crowd: { make: crowd, seconds: () => MURMUR + SEAM, level: 0.2, variants: 1, gap: 0, stir: 0, wide: true },
};
