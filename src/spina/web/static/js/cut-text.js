// @ts-check
// What does not fit and ends with an ellipsis says all of it when it is pointed at. Screen readers read it anyway.

/** Gives cut texts a title while they are cut. */
export function tellCutTexts() {
  document.addEventListener("pointerover", ({ target }) => {
    const cut = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(".cut")) : null;
    if (!cut) return;
    if (cut.scrollWidth > cut.clientWidth) cut.title = cut.textContent ?? "";
    else cut.removeAttribute("title");
  });
}
