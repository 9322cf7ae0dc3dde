// @ts-check
// Small signs for buttons, drawn so that they look the same on every device.

import { svg } from "./dom.js";

const SIGNS = {
  play: "M7 4v16l13-8Z",
  pause: "M6 4h4v16H6ZM14 4h4v16h-4Z",
  on: "M6 4l9 8-9 8ZM16 4h3v16h-3Z",
  back: "M18 4l-9 8 9 8ZM5 4h3v16H5Z",
  onTurn: "M3 4l9 8-9 8ZM12 4l9 8-9 8Z",
  backTurn: "M21 4l-9 8 9 8ZM12 4l-9 8 9 8Z",
  first: "M22 4l-8 8 8 8ZM14 4l-8 8 8 8ZM2 4h3v16H2Z",
  last: "M2 4l8 8-8 8ZM10 4l8 8-8 8ZM19 4h3v16h-3Z",
  close: "M5.6 4.2 12 10.6l6.4-6.4 1.4 1.4-6.4 6.4 6.4 6.4-1.4 1.4-6.4-6.4-6.4 6.4-1.4-1.4 6.4-6.4-6.4-6.4Z",
  sound: "M3 9v6h4l5 4.5v-15L7 9ZM14.4 8.2a5.2 5.2 0 0 1 0 7.6l-1.2-1.4a3.4 3.4 0 0 0 0-4.8ZM17.2 5.2a9.4 9.4 0 0 1 0 13.6l-1.3-1.4a7.5 7.5 0 0 0 0-10.8Z",
  silent: "M3 9v6h4l5 4.5v-15L7 9ZM15.3 8.2 18 10.9l2.7-2.7 1.2 1.2-2.7 2.7 2.7 2.7-1.2 1.2-2.7-2.7-2.7 2.7-1.2-1.2 2.7-2.7-2.7-2.7Z",
  keys: "M2 5h20v14H2ZM4 7v10h16V7ZM6 9h2v2H6ZM9.5 9h2v2h-2ZM13 9h2v2h-2ZM16.5 9h2v2h-2ZM7 13.2h10v2H7Z",
  story: "M4 5h16v2.2H4ZM4 10.9h16v2.2H4ZM4 16.8h10V19H4Z",
  link: "M10 14a4 4 0 0 1 0-5.7l3-3a4 4 0 0 1 5.7 5.7l-1.6 1.6-1.4-1.4 1.6-1.6a2 2 0 0 0-2.9-2.9l-3 3a2 2 0 0 0 0 2.9ZM14 10a4 4 0 0 1 0 5.7l-3 3a4 4 0 0 1-5.7-5.7l1.6-1.6 1.4 1.4-1.6 1.6a2 2 0 0 0 2.9 2.9l3-3a2 2 0 0 0 0-2.9Z",
};

/**
 * @param {keyof typeof SIGNS} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  return svg("svg", { class: "icon-sign", viewBox: "0 0 24 24", "aria-hidden": true, fill: "currentColor" }, svg("path", { d: SIGNS[name] }));
}
