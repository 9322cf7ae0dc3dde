// @ts-check
// The script of every page: explanations, texts that are cut, and the menu of the header.

import { tellCutTexts } from "./cut-text.js";
import { explain } from "./explain.js";

void explain();
tellCutTexts();

const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("header details.menu"));
if (menu) {
  document.addEventListener("pointerdown", (event) => {
    if (menu.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  for (const choice of menu.querySelectorAll('input[name="scheme"]')) {
    // seen at once, kept when the form is sent
    choice.addEventListener("change", () => {
      const { value } = /** @type {HTMLInputElement} */ (choice);
      if (value === "auto") delete document.documentElement.dataset.scheme;
      else document.documentElement.dataset.scheme = value;
    });
  }
}
