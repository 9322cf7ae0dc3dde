// @ts-check
// Dialogs and notices.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./messages.js";

/**
 * Asks for confirmation. True if it is given.
 * @param {{title: string, text: string, confirm: string}} options
 * @returns {Promise<boolean>}
 */
export function confirm({ title, text, confirm: yes }) {
  return new Promise((done) => {
    const dialog = el(
      "dialog",
      { class: "dialog", "aria-labelledby": "confirm-title" },
      el("h2", { id: "confirm-title", text: title }),
      el("p", { text }),
      el(
        "div",
        { class: "actions" },
        el("button", { class: "button", type: "button", text: t("common.cancel"), on: { click: () => dialog.close("") } }),
        el("button", { class: "button primary", type: "button", text: yes, on: { click: () => dialog.close("yes") } }),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * A dialog with the given content.
 * @param {string} title
 * @param {...(Node | string | null)} content
 * @returns {HTMLDialogElement}
 */
export function sheet(title, ...content) {
  const dialog = el(
    "dialog",
    { class: "dialog sheet-dialog", "aria-labelledby": "sheet-title" },
    el(
      "div",
      { class: "row spread" },
      el("h2", { id: "sheet-title", text: title }),
      el("button", {
        class: "button quiet icon",
        type: "button",
        "aria-label": t("common.close"),
        on: { click: () => dialog.close() },
      }, icon("close")),
    ),
    ...content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @type {number | undefined} */
let timer;

/**
 * A short notice that goes away by itself.
 * @param {string} text
 * @param {boolean} [bad]
 */
export function notice(text, bad = false) {
  let box = document.getElementById("notice");
  if (!box) {
    box = el("div", { id: "notice", class: "toast", role: "status", popover: "manual" });
    document.body.append(box);
  }
  box.classList.toggle("bad", bad);
  box.textContent = text;
  if (box.showPopover && !box.matches(":popover-open")) box.showPopover();
  window.clearTimeout(timer);
  timer = window.setTimeout(() => box?.matches(":popover-open") && box.hidePopover(), 3000 + text.length * 60);
}
