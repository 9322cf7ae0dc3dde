// @ts-check
// Pieces on the board of Charioteer: chariots, the crowd cards and the die on the shrine, the laps; and their motion.

import { LETTERS, svg } from "../../../web/static/js/dom.js";
import { CARD_HEIGHT, CARD_WIDTH, cardGroup, dieGroup, sign } from "./cards.js";

/** @typedef {import("../../../web/static/js/types.js").Host} Host */

/**
 * Where a chariot is: its space, its lane in it (0 is the inside), and how far along and deep in the track it is drawn.
 * @typedef {object} Piece
 * @property {SVGGElement} group
 * @property {SVGTextElement} letter
 * @property {number} space
 * @property {number} lane
 * @property {number} along
 * @property {number} deep
 * @property {number} scale
 */

const LANES = 6;
/** Where the letter stands, behind the middle of the team. */
const CAR = -9.5;
const STEP = 75;
/** Chariots are drawn this much larger than would fit a space lengthwise; on a small screen more. */
const LARGER = 1.25;
const LARGEST = 1.75;
const INKS = ["#fff6e4", "#2a1911", "#fff6e4", "#fff6e4", "#fff6e4", "#2a1911"];
const NUMERALS = ["–", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
const CAPITALS = "'Trajan Pro','Cinzel','Optima','Palatino Linotype','Palatino','Book Antiqua','P052',serif";

/** @param {number} value */
export const roman = (value) => NUMERALS[value] ?? String(value);

/** @param {Host} host */
export function makeBoard(host) {
  const { board, places, motion } = host;
  const { oval } = places;
  const length = 2 * (oval.straight + oval.bend);

  const shrine = svg("g", { class: "cx-shrine" });
  const ghostLayer = svg("g", { class: "cx-ghosts" });
  const chariots = svg("g", { class: "cx-chariots" });
  const effects = svg("g", { class: "cx-effects", "pointer-events": "none" });
  const lapText = svg("text", {
    x: places.lap[0],
    y: places.lap[1],
    "text-anchor": "middle",
    "font-family": CAPITALS,
    "font-size": 46,
    fill: "#e9b93f",
  });
  const frieze = svg("text", {
    x: places.frieze[0],
    y: places.frieze[1],
    "text-anchor": "middle",
    "font-family": CAPITALS,
    "font-size": 12,
    "letter-spacing": 3,
    "font-weight": 700,
    fill: "#8c1d18",
  });
  board.append(shrine, lapText, frieze, chariots, ghostLayer, effects);
  for (const space of board.querySelectorAll("path.space")) {
    const kind = space.classList.contains("outer") ? "outer" : "regular";
    space.setAttribute("data-help", `charioteer.space.${kind}`);
    space.querySelector("title")?.remove();
  }
  board.querySelector(".lap-counter")?.setAttribute("data-help", "charioteer.laps");
  board.querySelector(".line")?.setAttribute("data-help", "charioteer.line");

  /** @type {Piece[]} */
  const pieces = [];
  /** Tags that are rising from each chariot. @type {Map<number, number>} */
  const rising = new Map();
  /** How much larger than drawn things are shown, so that they can be seen on a small screen. */
  let enlarged = LARGER;
  const watcher = new ResizeObserver(() => {
    const width = board.getBoundingClientRect().width || 1600;
    const now = Math.min(LARGEST, Math.max(LARGER, 1050 / width));
    if (Math.abs(now - enlarged) < 0.02) return;
    enlarged = now;
    pieces.forEach(draw);
  });
  watcher.observe(board);

  // --- where things are ---

  /** The point this far along and deep, and the heading there. @param {number} along @param {number} deep */
  function point(along, deep) {
    const at = ((along % length) + length) % length;
    const { left, right, middle, radius, straight, bend } = oval;
    const reach = radius + deep;
    if (at < straight) return { x: left + at, y: middle + reach, turn: 0 };
    if (at < straight + bend) {
      const angle = ((at - straight) / bend) * Math.PI;
      return { x: right + reach * Math.sin(angle), y: middle + reach * Math.cos(angle), turn: (-angle * 180) / Math.PI };
    }
    if (at < 2 * straight + bend) return { x: right - (at - straight - bend), y: middle - reach, turn: -180 };
    const angle = ((at - 2 * straight - bend) / bend) * Math.PI;
    return { x: left - reach * Math.sin(angle), y: middle - reach * Math.cos(angle), turn: -180 - (angle * 180) / Math.PI };
  }

  /** @param {number} space @param {number} lane */
  function spot(space, lane) {
    const { along, deep } = places.spaces[space];
    return { along, deep: deep[0] + ((deep[1] - deep[0]) * (lane + 0.5)) / Math.max(LANES, lane + 1) };
  }

  /** @param {Piece} piece */
  function draw(piece) {
    const { x, y, turn } = point(piece.along, piece.deep);
    const scale = places.scale * enlarged * piece.scale;
    piece.group.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
    piece.letter.style.transform = `translate(${CAR}px, 0px) rotate(${-turn}deg)`;
  }

  /** @param {number} seat @param {string} kind @returns {Piece} */
  function makePiece(seat, kind) {
    const faction = seat % LETTERS.length;
    const letter = svg("text", {
      y: 4.1,
      "text-anchor": "middle",
      "font-family": CAPITALS,
      "font-size": 12,
      "font-weight": "bold",
      fill: INKS[faction],
      text: LETTERS[faction],
    });
    const group = svg(
      "g",
      { class: `${kind} faction-${faction}`, "data-seat": seat },
      svg("ellipse", { class: "cx-glow", rx: 30, ry: 20 }),
      svg("use", { href: `#spina-chariot-${LETTERS[faction].toLowerCase()}` }),
      letter,
    );
    return { group, letter, space: 0, lane: 0, along: 0, deep: 0, scale: 1 };
  }

  /** @param {Piece} piece @param {number} space @param {number} lane */
  function put(piece, space, lane) {
    Object.assign(piece, { space, lane }, spot(space, lane));
    draw(piece);
  }

  /** Moves pieces to where their space and lane are. @param {Piece[]} moving @param {number} ms */
  async function settle(moving, ms) {
    const ways = moving.map((piece) => {
      const to = spot(piece.space, piece.lane);
      let way = (to.along - piece.along) % length;
      if (way > length / 2) way -= length;
      if (way < -length / 2) way += length;
      return { piece, along: piece.along, deep: piece.deep, way, deeper: to.deep - piece.deep };
    });
    await motion.glide(ms, (share) => {
      for (const { piece, along, deep, way, deeper } of ways) {
        piece.along = along + way * share;
        piece.deep = deep + deeper * share;
        draw(piece);
      }
    });
    for (const piece of moving) put(piece, piece.space, piece.lane);
  }

  /** @type {number | null} */
  let inMotion = null;
  /** Gives the chariot that moves a layer of its own. @param {number | null} seat */
  function moving(seat) {
    if (seat === inMotion) return;
    if (inMotion !== null) pieces[inMotion]?.group.classList.remove("moving");
    if (seat !== null) {
      pieces[seat].group.classList.add("moving");
      chariots.append(pieces[seat].group);
    }
    inMotion = seat;
  }

  // --- the ghost: where a considered move ends ---

  /** @type {Map<number, Piece>} */
  const ghosts = new Map();

  /** @param {number} seat @param {{space: number, lane: number, progress: number} | null} target */
  function ghost(seat, target) {
    for (const [other, piece] of ghosts) if (other !== seat || !target) piece.group.classList.remove("seen");
    board.querySelector(".cx-aim")?.classList.remove("cx-aim");
    if (!target) return;
    board.querySelector(`#space-${target.space}`)?.classList.add("cx-aim");
    let piece = ghosts.get(seat);
    if (!piece) {
      piece = makePiece(seat, "cx-ghost");
      ghosts.set(seat, piece);
      ghostLayer.append(piece.group);
    }
    piece.scale = 1.12;
    put(piece, target.space, target.lane);
    piece.group.classList.add("seen");
  }

  // --- the shrine ---

  /** @type {SVGGElement[]} */
  let cards = [];
  /** @param {number} slot */
  const cardPlace = (slot) => {
    const [x, y] = places.crowd[slot];
    const scale = places.card[0] / CARD_WIDTH;
    return `translate(${x - places.card[0] / 2}px, ${y - (CARD_HEIGHT * scale) / 2}px) scale(${scale})`;
  };
  /** @param {string} name @param {number} slot */
  function makeCard(name, slot) {
    const group = svg("g", { class: "cx-crowd", "data-help": `charioteer.crowd.${slot}` }, cardGroup(name));
    group.append(svg("rect", { class: "cx-frame", x: 1, y: 1, width: CARD_WIDTH - 2, height: CARD_HEIGHT - 2, rx: 8 }));
    group.style.transform = cardPlace(slot);
    group.classList.toggle("active", slot === 0);
    return group;
  }
  const die = svg("g", { class: "cx-board-die" });
  const [dieX, dieY] = places.die;
  die.style.transform = `translate(${dieX}px, ${dieY}px)`;
  shrine.append(die);
  let dieFace = "";

  /** @param {string} face */
  function setDie(face) {
    if (face === dieFace) return;
    dieFace = face;
    die.replaceChildren(dieGroup(face));
    die.setAttribute("data-help", `charioteer.emperor.${face}`);
    frieze.textContent = host.t(`charioteer.frieze.${face}`);
  }

  /** @param {string[]} names */
  function setCrowd(names) {
    cards.forEach((card) => card.remove());
    cards = names.map(makeCard);
    shrine.append(...cards);
  }

  /** @param {number} done laps that somebody has completed @param {number} lap of the leader; 0 before the line */
  function setLaps(done, lap) {
    lapText.textContent = lap > 0 ? roman(lap) : "";
    board.querySelectorAll(".lap-counter use.dolphin").forEach((dolphin, k) => {
      const dived = k < done;
      if (dolphin.classList.contains("dived") === dived) return;
      const found = /translate\((\S+) (\S+)\) rotate\(\S+\)(?: scale\((\S+)\))?/.exec(dolphin.getAttribute("transform") ?? "");
      if (!found) return;
      const scale = Number(found[3] ?? 1);
      const y = Number(found[2]) + (dived ? -8 : 8) * scale;
      dolphin.setAttribute("transform", `translate(${found[1]} ${y}) rotate(${dived ? 68 : -8}) scale(${scale})`);
      dolphin.setAttribute("fill", dived ? "#e9b93f" : "#f3ead6");
      dolphin.setAttribute("stroke", dived ? "#a87718" : "#6d5039");
      dolphin.classList.toggle("dived", dived);
    });
  }

  return {
    /** @param {any} view */
    show(view) {
      moving(null);
      effects.replaceChildren();
      rising.clear();
      while (pieces.length < view.chariots.length) {
        const piece = makePiece(pieces.length, "cx-chariot");
        piece.group.setAttribute("data-help", "charioteer.chariot");
        pieces.push(piece);
        chariots.append(piece.group);
      }
      for (const { seat, space, lane } of view.chariots) put(pieces[seat], space, lane);
      setCrowd(view.crowd);
      setDie(view.emperor);
    },
    setLaps,
    ghost,

    /** A chariot enters a space; those outside it in the old one close up. @param {any} event */
    async step({ seat, space, lane, whipped }) {
      moving(seat);
      const piece = pieces[seat];
      const others = pieces.filter((other) => other !== piece && other.space === piece.space && other.lane > piece.lane);
      for (const other of others) other.lane -= 1;
      Object.assign(piece, { space, lane });
      await settle([piece, ...others], whipped ? STEP * 0.75 : STEP);
    },
    /** Two chariots of a space change places. @param {number} seat @param {number} rival */
    async swap(seat, rival) {
      moving(seat);
      const [one, other] = [pieces[seat], pieces[rival]];
      [one.lane, other.lane] = [other.lane, one.lane];
      await settle([one, other], STEP * 1.7);
    },
    /** Lanes as they are drawn, by seat. */
    lanes: () => pieces.map(({ space, lane }) => ({ space, lane })),
    rest: () => moving(null),

    /** @param {string} face */
    async roll(face) {
      const home = `translate(${dieX}px, ${dieY}px)`;
      if (!motion.still()) await motion.play(die, [{ transform: home }, { transform: `${home} rotate(220deg) scale(1.7)` }], 260, "ease-in");
      setDie(face);
      if (!motion.still()) {
        await motion.play(die, [{ transform: `${home} rotate(220deg) scale(1.7)` }, { transform: `${home} rotate(360deg)` }], 340, "ease-out");
      }
      die.style.transform = home;
    },
    /** @param {string[]} names */
    async crowd(names) {
      if (!motion.still() && cards.length === names.length && cards.length > 1) {
        const [gone, ...rest] = cards;
        const away = motion.play(gone, [{ opacity: 1 }, { opacity: 0 }], 220);
        const along = rest.map((card, k) =>
          motion.play(card, [{ transform: cardPlace(k + 1) }, { transform: cardPlace(k) }], 380, "ease-in-out"),
        );
        await Promise.all([away, ...along]);
      }
      setCrowd(names);
      const fresh = cards[cards.length - 1];
      if (fresh && !motion.still()) void motion.play(fresh, [{ opacity: 0 }, { opacity: 1 }], 250);
    },

    /**
     * A sign and words that rise from a chariot.
     * @param {number} seat @param {{sign?: string, text?: string, tone?: string, ms?: number}} what
     */
    async pop(seat, { sign: name, text = "", tone = "", ms = 800 }) {
      if (motion.still()) return;
      // those that are still there keep their place: the next rises above them
      const above = rising.get(seat) ?? 0;
      rising.set(seat, above + 1);
      const { x, y } = point(pieces[seat].along, pieces[seat].deep);
      const scale = Math.min(3, 1.1 * enlarged * enlarged * (enlarged > LARGER ? 0.85 : 0.75));
      const wide = (name ? 34 : 0) + text.length * 12.5 + 22;
      const left = -wide / 2;
      const tag = svg(
        "g",
        { class: `cx-pop ${tone}` },
        svg("rect", { x: left, y: -20, width: wide, height: 40, rx: 20 }),
        name ? sign(name, { x: left + 22, y: 0, scale: 0.95 }) : null,
        svg("text", { x: left + (name ? 38 : 11), y: 7.5, text }),
      );
      const reach = (wide / 2) * scale + 10;
      const at = Math.min(Math.max(x, reach), 1600 - reach);
      const from = Math.max(y - 26 - above * 44 * scale, 60);
      effects.append(tag);
      /** @param {number} lift @param {number} size */
      const frame = (lift, size) => `translate(${at}px, ${from - lift}px) scale(${scale * size})`;
      await motion.play(
        tag,
        [
          { transform: frame(0, 0.6), opacity: 0 },
          { transform: frame(16, 1), opacity: 1, offset: 0.22 },
          { transform: frame(22, 1), opacity: 1, offset: 0.78 },
          { transform: frame(34, 1), opacity: 0 },
        ],
        ms,
        "linear",
      );
      tag.remove();
      rising.set(seat, Math.max(0, (rising.get(seat) ?? 1) - 1));
    },
    /** A ring that spreads from a chariot: an attack. @param {number} seat */
    async burst(seat) {
      if (motion.still()) return;
      const { x, y } = point(pieces[seat].along, pieces[seat].deep);
      const ring = svg("circle", { class: "cx-ring", r: 60 });
      effects.append(ring);
      const place = `translate(${x}px, ${y}px)`;
      await motion.play(ring, [{ transform: `${place} scale(0.2)`, opacity: 0.9 }, { transform: `${place} scale(3.4)`, opacity: 0 }], 480, "ease-out");
      ring.remove();
    },
    /** A cube flies to a chariot, from another or from the emperor. @param {number} seat @param {number | null} by */
    async cube(seat, by) {
      if (motion.still()) return;
      const to = point(pieces[seat].along, pieces[seat].deep);
      const from = by === null ? { x: dieX, y: dieY } : point(pieces[by].along, pieces[by].deep);
      const size = 15 * enlarged;
      const cube = svg("rect", { class: "cx-cube-flying", x: -size / 2, y: -size / 2, width: size, height: size, rx: 2.5 });
      effects.append(cube);
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const lift = 40 + Math.hypot(dx, dy) * 0.16;
      const frames = [0, 0.25, 0.5, 0.75, 1].map((share) => ({
        transform: `translate(${from.x + dx * share}px, ${from.y + dy * share - 4 * lift * share * (1 - share)}px) rotate(${share * 360}deg)`,
      }));
      await motion.play(cube, frames, 300, "linear");
      cube.remove();
    },
    /** @param {import("../../../web/static/js/types.js").Targets | null} targets */
    light(targets) {
      const seats = new Set([...(targets?.seats ?? []), ...(targets?.chariots ?? [])]);
      pieces.forEach((piece, seat) => piece.group.classList.toggle("lit", seats.has(seat)));
      for (const space of board.querySelectorAll(".cx-lit-space")) space.classList.remove("cx-lit-space");
      for (const space of targets?.spaces ?? []) {
        board.querySelector(`#space-${Number(space)}`)?.classList.add("cx-lit-space");
      }
    },
  };
}
