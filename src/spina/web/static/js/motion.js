// @ts-check
// Animation: speed, skipping and reduced motion.

/** @typedef {import("./types.js").Motion} Motion */

export const SPEEDS = [0.5, 1, 2, 4];
const KEPT = "spina-speed";

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
let chosen = Number(localStorage.getItem(KEPT)) || 1;
/** The speed that was chosen, and how much slower the page shows what matters most. */
let speed = chosen;
let tempo = 1;
let skipping = false;
/** @type {Set<() => void>} */
const under = new Set();

export const currentSpeed = () => chosen;

/** @param {number} value */
export function setSpeed(value) {
  chosen = value;
  speed = chosen * tempo;
  localStorage.setItem(KEPT, String(value));
}

/** Shows what follows at this share of the chosen speed. @param {number} share */
export function setTempo(share) {
  tempo = share;
  speed = chosen * tempo;
}

/** Ends everything that moves, at once, until `resume`. */
export function skip() {
  skipping = true;
  for (const end of [...under]) end();
}

/** Whether motion is being skipped. */
export const skipped = () => skipping;

export function resume() {
  skipping = false;
}

/** A hidden page gets no frames, and a busy one few: every motion ends by itself this long after its time. */
const GRACE = 400;

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") for (const end of [...under]) end();
});

const still = () => skipping || reduced.matches || document.visibilityState === "hidden";

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  // with reduced motion people still need time to read
  if (skipping || document.visibilityState === "hidden") return Promise.resolve();
  return new Promise((done) => {
    const end = () => {
      window.clearTimeout(timer);
      under.delete(end);
      done();
    };
    const timer = window.setTimeout(end, ms / speed);
    under.add(end);
  });
}

/**
 * @param {number} ms
 * @param {(share: number) => void} step
 * @returns {Promise<void>}
 */
function glide(ms, step) {
  if (still()) {
    step(1);
    return Promise.resolve();
  }
  return new Promise((done) => {
    const begun = performance.now();
    let frame = 0;
    const end = () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(late);
      under.delete(end);
      step(1);
      done();
    };
    /** @param {number} now */
    const next = (now) => {
      const share = ((now - begun) * speed) / ms;
      if (share >= 1) end();
      else {
        step(Math.max(0, share));
        frame = requestAnimationFrame(next);
      }
    };
    const late = window.setTimeout(end, ms / speed + GRACE);
    under.add(end);
    frame = requestAnimationFrame(next);
  });
}

/**
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {number} ms
 * @param {string} [easing]
 * @returns {Promise<void>}
 */
async function play(element, frames, ms, easing = "ease-in-out") {
  const animation = element.animate(frames, { duration: Math.max(1, ms / speed), easing, fill: "forwards" });
  const end = () => animation.finish();
  if (still()) end();
  const late = window.setTimeout(end, ms / speed + GRACE);
  under.add(end);
  try {
    await animation.finished;
    animation.commitStyles();
  } catch {
    // the element has left the page
  } finally {
    window.clearTimeout(late);
    under.delete(end);
    animation.cancel();
  }
}

/** @type {Motion} */
export const motion = { still, pause, glide, play };
