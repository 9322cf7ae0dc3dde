// @ts-check
// A link to a table with its QR code. At an address that only this machine can reach it says so, and offers to open the
// table to the local network.

import { ask } from "./requests.js";
import { el } from "./dom.js";
import { notice } from "./dialogs.js";
import { t } from "./messages.js";

/** @typedef {import("./protocol.d.ts").Reach} Reach */

/** Whether other machines can reach no page at this host name. @param {string} host */
export const isLoopback = (host) => host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Copies a text, where there is a clipboard. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // the link is shown and can be copied by hand
  }
}

/**
 * A link that can be copied, with its QR code.
 * @param {string} url
 * @param {boolean} [far] whether other devices can open it
 */
function shown(url, far = true) {
  return el(
    "div",
    { class: "invitation-link" },
    el(
      "label",
      { class: "field" },
      el("span", { class: "label", text: t("table.link.label") }),
      el("input", { class: "input", readonly: true, value: url, on: { focus: (event) => /** @type {HTMLInputElement} */ (event.target).select() } }),
    ),
    el("button", {
      class: "button",
      type: "button",
      text: t("table.link.copy"),
      on: { click: async () => notice(t((await copy(url)) ? "table.link.copied" : "table.link.made")) },
    }),
    far && el("img", { class: "qr", src: `/qr.svg?link=${encodeURIComponent(url)}`, width: 148, height: 148, alt: t("table.link.qr", { url }) }),
  );
}

/**
 * The link of a path on this server, copied, for a place on the page.
 * @param {string} path
 * @param {(error: unknown) => void} complain
 */
export async function invitation(path, complain) {
  const url = new URL(path, location.href).href;
  const box = el("div", { class: "invitation stack tight" });
  if (!isLoopback(location.hostname)) {
    box.append(shown(url));
    notice(t((await copy(url)) ? "table.link.copied" : "table.link.made"));
    return box;
  }
  /** @param {Reach} reach */
  const show = (reach) => {
    const change = (/** @type {boolean} */ open) =>
      ask("/api/network", { open })
        .then(async (/** @type {Reach} */ now) => {
          show(now);
          if (now.open) await copy(new URL(path, now.addresses[0]).href);
          /** @type {HTMLElement | null} */ (box.querySelector(".network-switch"))?.focus();
          notice(t(now.open ? "table.network.opened" : "table.network.closed"));
        })
        .catch(complain);
    const button = (/** @type {string} */ id, /** @type {boolean} */ open, kind = "") =>
      el("button", { class: `button network-switch ${kind}`, type: "button", id: "network-switch", text: t(id), on: { click: () => void change(open) } });
    if (reach.open && reach.may_open) {
      box.replaceChildren(...reach.addresses.map((origin) => shown(new URL(path, origin).href)), el("p", { class: "small soft", text: t("table.network.meaning") }), button("table.network.close", false));
    } else {
      box.replaceChildren(
        el("p", { class: "unreachable", role: "status", text: t("table.network.unreachable") }),
        ...(reach.may_open ? [el("p", { class: "small", text: t("table.network.meaning") }), button("table.network.open", true, "primary")] : [el("p", { class: "small", text: t("table.network.none") })]),
        shown(url, false),
      );
    }
  };
  const reach = /** @type {Reach} */ (await ask("/api/network"));
  show(reach);
  if (reach.open && reach.may_open) notice(t((await copy(new URL(path, reach.addresses[0]).href)) ? "table.link.copied" : "table.link.made"));
  return box;
}
