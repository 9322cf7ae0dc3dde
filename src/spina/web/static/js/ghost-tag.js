// @ts-check
// Words beside the ghosts of a costly choice and of the better one.

import { svg } from "./dom.js";
import { t } from "./messages.js";

/**
 * A word beside a ghost on the board: in a dashed frame what was chosen, in a solid one with a star what was better.
 * @param {"chosen" | "better"} kind
 * @param {{x: number, y: number}} spot of the ghost
 * @param {number} size of the letters, in units of the picture
 */
export function ghostTag(kind, { x, y }, size) {
  const text = kind === "better" ? `★ ${t("analysis.better")}` : t("analysis.chosen");
  const [width, height] = [size * (0.62 * text.length + 1.2), size * 1.6];
  const away = size * (kind === "better" ? 2.6 : -2.6);
  return svg(
    "g",
    { class: `ghost-tag ${kind}`, transform: `translate(${x.toFixed(1)} ${(y + away).toFixed(1)})` },
    svg("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 2, "stroke-width": size / 7, "stroke-dasharray": kind === "chosen" ? `${size / 2.5} ${size / 4}` : null }),
    svg("text", { "font-size": size, y: size * 0.35, text }),
  );
}
