// @ts-check
// Shows the progress of games that are still being compiled, until they can be raced.

const EVERY = 1500;

/** @typedef {{ready: boolean, done: number, of: number, failed: boolean}} Progress */

const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-game]")]);

/** @param {HTMLElement} card */
const note = (card) => /** @type {HTMLElement} */ (card.querySelector(".harness"));

/**
 * @param {HTMLElement} card
 * @param {Progress} progress
 */
function show(card, progress) {
  const share = progress.of ? progress.done / progress.of : 0;
  /** @type {HTMLElement | null} */ (card.querySelector(".meter"))?.style.setProperty("--share", String(share));
  note(card).hidden = progress.ready || progress.failed;
  const failed = card.querySelector(".failed");
  if (failed instanceof HTMLElement) failed.hidden = !progress.failed;
  const forward = card.querySelector("[data-forward]");
  if (!progress.ready) return;
  if (forward instanceof HTMLFormElement) forward.submit();
  if (forward instanceof HTMLAnchorElement) location.replace(forward.href);
}

async function look() {
  const waiting = cards.filter((card) => !note(card).hidden);
  if (!waiting.length) return;
  try {
    const response = await fetch("/api/ready");
    if (response.ok) {
      const progress = /** @type {Record<string, Progress>} */ (await response.json());
      for (const card of waiting) {
        const own = progress[card.dataset.game ?? ""];
        if (own) show(card, own);
      }
    }
  } catch {
    // the server may be starting again: asked once more below
  }
  window.setTimeout(look, EVERY);
}

void look();
