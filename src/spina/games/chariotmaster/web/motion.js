// @ts-check
// Events in motion: moves and pivots in their exact geometry, dice, blows, crashes. The page's picture of the race goes
// along with them, so that everything is right between two messages of the server.

import { el, svg } from "../../../web/static/js/dom.js";
import { DRIVER_OF, WALL, WRECK_OF, between, pointOf, translated } from "./pieces.js";
import { slug } from "./questions.js";
import { die } from "./words.js";

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./pieces.js").Pose} Pose */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {import("./types.d.ts").Moved} Moved */
/** @typedef {import("./types.d.ts").View} View */

const OUT = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const TOKENS = ["0", "5", "10"];
/** Involuntary moves are quick. */
const SUDDEN = ["bounce", "back", "sideways", "hurled", "whipped on", "brake away", "evade", "skid", "collide"];

export class Moving {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.host = page.host;
    this.words = page.words;
    this.t = page.host.t;
    this.tray = el("div", { class: "cm-tray", "aria-hidden": true });
    this.banner = el("div", { class: "cm-banner", "aria-hidden": true });
    page.camera.overlay.append(this.tray, this.banner);
    this.sparks = svg("g", { class: "cm-sparks" });
    page.pieces.top.append(this.sparks);
  }

  /** The page's picture of the race; events are shown only when there is one. */
  get view() {
    return /** @type {View} */ (this.page.view);
  }

  get motion() {
    return this.host.motion;
  }

  /** @param {GameEvent} event */
  async animate(event) {
    if (!this.page.view) return;
    const c = "chariot" in event && event.chariot !== null ? this.view.chariots[event.chariot] : null;
    const act = /** @type {((event: GameEvent, c: ChariotView | null) => unknown) | undefined} */ (this.acts[event.type]);
    await act?.(event, c);
  }

  /**
   * What each event looks like.
   * @type {{[Type in GameEvent["type"]]?: (event: Extract<GameEvent, {type: Type}>, c: ChariotView) => unknown}}
   */
  acts = {
    GameTurn: async (event) => {
      this.view.turn = event.number;
      for (const c of this.view.chariots) if (!c.home) Object.assign(c, { drawn: false, token: null, ready: false });
      this.page.refresh();
      await this.announce(this.t("chariotmaster.turn", { n: event.number }));
    },
    Drawn: async (event, c) => {
      this.view.active = event.chariot;
      Object.assign(c, { token: event.token, drawn: true, out_of_control: event.out_of_control });
      this.page.refresh();
      this.page.pieces.activate(event.chariot);
      this.lookAt(event.chariot);
      await this.float(this.pieceOf(event.chariot), event.token, "coin", 700);
    },
    Rolled: (event) => this.roll(event.chariot, event.what, event.dice),
    RolledBoth: (event) => this.roll(event.chariot, event.what, event.dice, event.other, event.others),
    Modified: (event) => this.show(this.words.name(event.chariot), [die(event.face, "hit")], this.t("chariotmaster.thing.luck"), "good"),
    Tested: async (event) => {
      const sum = event.modifier ? `${event.face} ${event.modifier > 0 ? "+" : "−"} ${Math.abs(event.modifier)} = ${event.face + event.modifier}` : String(event.face);
      const text = this.t(event.passed ? "chariotmaster.test.passed" : "chariotmaster.test.failed", { sum, skill: event.skill });
      await this.show(this.words.name(event.chariot), [die(event.face, event.passed ? "hit" : "miss")], text, event.passed ? "good" : "bad", 800);
    },
    OutOf: async (event) => {
      const text = this.t("chariotmaster.out-of", { what: this.t(`chariotmaster.points.${event.table.split(" ")[0]}`), n: event.result });
      await this.show(this.words.name(event.chariot), [die(event.face)], text, "bad", 800);
    },
    Lost: async (event, c) => {
      Object.assign(c, { [event.what]: event.left });
      this.page.refresh();
      await this.float(this.pieceOf(event.chariot), `−1 ${this.t(`chariotmaster.points.${event.what}`)}`, event.what, 380);
    },
    Changed: async (event) => {
      await this.float(event.chariot, `${event.mm > 0 ? "+" : "−"}${this.words.cm(Math.abs(event.mm))}`, event.mm > 0 ? "good" : "slow", 620);
    },
    Moved: (event) => this.move(event, SUDDEN.includes(event.how)),
    Pivoted: (event) => this.turn(event.piece, event, event.degrees, 260),
    Aligned: (event) => this.turn(event.piece, event, event.degrees, 160),
    TurnedRound: (event) => this.turn(event.chariot, event, event.degrees, 900),
    Skids: async (event) => {
      this.dust(event.chariot, event.direction);
      await this.float(event.chariot, this.t("chariotmaster.skids"), "bad", 480);
    },
    Collided: async (event) => {
      await this.burst(this.meeting(event.initiator, event.target), event.kind === "ram" ? 1.3 : 1);
    },
    Attacked: async (event) => {
      const text = this.t(`chariotmaster.attacking.${slug(event.how)}`);
      await Promise.all([this.strike(event.chariot, event.target, event.how), this.float(event.chariot, text, "bad", 620)]);
    },
    Defended: (event) => this.float(event.chariot, this.t(`chariotmaster.defends.${slug(event.how)}`), "slow", 520),
    Void: (event) => this.float(event.chariot, this.t("chariotmaster.void"), "slow", 420),
    Duelled: (event) =>
      this.show(`${this.words.name(event.chariot)} – ${this.words.name(event.defender)}`, [], `${event.total} : ${event.defence}`, event.total > event.defence ? "bad" : "good", 700),
    Bitten: (event) =>
      this.show(`${this.words.name(event.chariot)} – ${this.words.name(event.defender)}`, [], `${event.hits} : ${event.blows}`, "bad", 700),
    LostControl: (_, c) => this.befall(c, { out_of_control: true }, "out-of-control"),
    LostReins: (_, c) => this.befall(c, { reins: false, out_of_control: true }, "reins-lost"),
    StunnedNow: (_, c) => this.befall(c, { stunned: true }, "stunned"),
    HorseDied: (event, c) =>
      this.befall(c, { horses: event.left, dead_horses: c.dead_horses + 1 }, "dead-horse"),
    LostToken: (event, c) => this.befall(c, { tokens: TOKENS.slice(0, TOKENS.indexOf(event.highest) + 1) }, null),
    IsExhausted: (_, c) => this.befall(c, { exhausted: true }, "exhausted"),
    WheelLoose: (_, c) => this.befall(c, { wheel: true }, "wheel"),
    LostWhip: (_, c) => this.befall(c, { whip: false }, null),
    LostKnife: (_, c) => this.befall(c, { knife: false }, null),
    Crashed: (_, c) => this.crash(c),
    Entangled: async (event, c) => {
      this.become(event.chariot, "team dragging its driver");
      await this.befall(c, { driver: "dragged", out_of_control: true }, "dragged");
    },
    Hurled: (_, c) => this.befall(c, { driver: "on foot" }, null),
    Placed: async (event, c) => {
      c.driver = "on foot";
      this.stand(c, { x: event.x, y: event.y, h: 0 });
      this.page.refresh();
      await this.motion.pause(180);
    },
    Fell: (_, c) => this.befall(c, { driver: "on foot", reins: false, out_of_control: true }, "on-foot"),
    DriverDied: async (event, c) => {
      await this.float(this.pieceOf(event.chariot, true), "†", "death", 900);
      this.page.pieces.remove(DRIVER_OF + event.chariot);
      if (c.driver === "dragged") this.become(event.chariot, "team");
      await this.befall(c, { driver: "dead", out_of_control: true }, null);
    },
    Climbed: (event, c) =>
      this.befall(c, { driver: event.purpose === "reins" ? "on the haft for the reins" : "on the haft to cut", out_of_control: true }, null),
    Grabbed: (_, c) => this.recover(c, { driver: "aboard", reins: true, out_of_control: false }),
    CutFree: (_, c) =>
      this.recover(c, { driver: "aboard", reins: true, out_of_control: false, dead_horses: Math.max(0, c.dead_horses - 1) }),
    CutLoose: async (event, c) => {
      this.become(event.chariot, "team");
      await this.recover(c, { driver: "on foot", reins: false });
    },
    LeftTrack: (event, c) => this.vanish(DRIVER_OF + event.chariot, c, { driver: "off the track" }),
    RanOff: (event, c) => this.vanish(event.chariot, c, {}),
    TeamGone: (event, c) => this.vanish(event.chariot, c, { horses: 0, dead_horses: 0 }),
    Removed: (event, c) => this.vanish(event.chariot, c, {}),
    Destroyed: (event) => this.vanish(event.piece, null, {}),
    Crossed: async (event, c) => {
      c.home = event.place;
      this.page.refresh();
      await this.announce(this.t("chariotmaster.crosses", { who: this.words.name(event.chariot) }), 1100);
    },
    StruckOut: (_, c) => this.befall(c, { home: null }, null),
    Eliminated: (_, c) => this.befall(c, { out: true }, "out"),
    Stands: (event) => this.float(event.chariot, this.t("chariotmaster.stands"), "slow", 420),
    ControlBack: (_, c) => this.recover(c, { out_of_control: false }),
    Awake: (_, c) => this.recover(c, { stunned: false }),
    Clings: (event) => this.float(event.chariot, this.t("chariotmaster.clings"), "slow", 420),
    TurnEnds: async () => {
      this.hideTray();
      await this.motion.pause(90);
    },
    Finished: async (event, c) => {
      c.place = event.place;
      this.page.refresh();
      if (event.place === 1) await this.announce(this.t("chariotmaster.wins", { who: this.words.name(event.chariot) }), 1600);
    },
  };

  // --- pieces

  /**
   * The piece where something about a chariot is best shown: its driver on foot if it has nothing else.
   * @param {number | null} chariot
   * @param {boolean} [driver] rather the driver
   * @returns {number}
   */
  pieceOf(chariot, driver = false) {
    if (chariot === null) return -1;
    const { all } = this.page.pieces;
    if (driver && all.has(DRIVER_OF + chariot)) return DRIVER_OF + chariot;
    return [chariot, DRIVER_OF + chariot, WRECK_OF + chariot].find((number) => all.has(number)) ?? -1;
  }

  /** @param {number} piece */
  lookAt(piece) {
    const found = this.page.pieces.pose(this.pieceOf(piece % WRECK_OF)) ?? null;
    const pose = this.page.pieces.pose(piece) ?? found;
    if (!pose) return;
    // Where it is going matters more than where it comes from.
    const ahead = pointOf(pose, 45, 0);
    const spot = this.page.pieces.spot({ ...ahead, h: 0 });
    this.page.camera.look(spot.x, spot.y);
  }

  /**
   * @param {Moved} event
   * @param {boolean} sudden
   */
  async move(event, sudden) {
    const { pieces } = this.page;
    const to = { x: event.x, y: event.y, h: event.heading };
    let from = pieces.pose(event.piece);
    if (!from && event.piece >= DRIVER_OF && event.chariot !== null) {
      this.stand(this.view.chariots[event.chariot], to);
      from = to;
    }
    if (!from) return;
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const ms = sudden ? 160 + far * 2.2 : 260 + far * 4.2;
    await this.glide(event.piece, from, to, undefined, Math.min(ms, 1100));
  }

  /**
   * @param {number} piece
   * @param {{x: number, y: number, heading: number}} event where it ends
   * @param {number} degrees
   * @param {number} ms
   */
  async turn(piece, event, degrees, ms) {
    const from = this.page.pieces.pose(piece);
    if (!from) return;
    await this.glide(piece, from, { x: event.x, y: event.y, h: event.heading }, degrees || undefined, ms + Math.abs(degrees) * 4);
  }

  /**
   * @param {number} piece
   * @param {Pose} from
   * @param {Pose} to
   * @param {number | undefined} degrees
   * @param {number} ms
   */
  async glide(piece, from, to, degrees, ms) {
    const { pieces, camera } = this.page;
    const way = between(from, to, degrees);
    const followed = piece % WRECK_OF === this.view.active;
    await this.motion.glide(ms, (share) => {
      const eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
      const pose = way(eased);
      pieces.put(piece, pose);
      if (followed && camera.following) {
        const ahead = pieces.spot({ ...pointOf(pose, 45, 0), h: 0 });
        camera.look(ahead.x, ahead.y);
      }
    });
    pieces.put(piece, to);
    this.page.dots();
  }

  /**
   * A piece of another kind where one was.
   * @param {number} number
   * @param {string} kind
   */
  become(number, kind) {
    const { pieces } = this.page;
    const piece = pieces.all.get(number);
    if (piece) pieces.set({ ...piece, kind }, this.view.chariots[number]);
  }

  /**
   * A driver on his feet.
   * @param {ChariotView} c
   * @param {Pose} pose
   */
  stand(c, pose) {
    const size = this.host.places.base[1] / 20;
    this.page.pieces.set({ number: DRIVER_OF + c.chariot, kind: "driver on foot", chariot: c.chariot, length: size, width: size, pose }, c);
  }

  /** @param {ChariotView} c */
  async crash(c) {
    const { pieces } = this.page;
    const piece = pieces.all.get(c.chariot);
    Object.assign(c, { body: false, out_of_control: true });
    if (!piece) return this.page.refresh();
    const { pose, length, width } = piece;
    const quarter = length / 4;
    const burst = this.burst(pointOf(pose, -quarter, 0), 1.8);
    const wreck = { ...pointOf(pose, -quarter - 0.1, 0), h: pose.h };
    c.dead_horses = 0;
    pieces.set({ number: WRECK_OF + c.chariot, kind: "wreck", chariot: c.chariot, length: length / 2, width, pose: wreck }, c);
    if (c.horses > 0) {
      const front = { ...pointOf(pose, quarter, 0), h: pose.h };
      pieces.set({ ...piece, kind: "team", length: length / 2, pose: front }, c);
    } else pieces.remove(c.chariot);
    this.page.refresh();
    await burst;
  }

  /**
   * @param {ChariotView} c
   * @param {Partial<ChariotView>} change
   * @param {string | null} state to say
   */
  async befall(c, change, state) {
    Object.assign(c, change);
    this.page.refresh();
    if (state) await this.float(this.pieceOf(c.chariot), this.t(`chariotmaster.state.${state}`), "bad", 560);
  }

  /** @param {ChariotView} c @param {Partial<ChariotView>} change */
  async recover(c, change) {
    Object.assign(c, change);
    this.page.refresh();
    await this.float(this.pieceOf(c.chariot), "✓", "good", 420);
  }

  /** @param {number} piece @param {ChariotView | null} c @param {Partial<ChariotView>} change */
  async vanish(piece, c, change) {
    const element = this.page.pieces.all.get(piece)?.element;
    if (element) await this.motion.play(element, [{ opacity: 1 }, { opacity: 0 }], 320);
    this.page.pieces.remove(piece);
    if (c) Object.assign(c, change);
    this.page.refresh();
  }

  // --- signs

  /** @param {number} piece */
  spotOf(piece) {
    const pose = this.page.pieces.pose(piece);
    return pose ? this.page.pieces.spot(pose) : null;
  }

  /**
   * Words that rise from a piece.
   * @param {number} piece
   * @param {string} text
   * @param {string} tone
   * @param {number} ms
   */
  async float(piece, text, tone, ms) {
    const spot = this.spotOf(piece);
    if (!spot || this.motion.still()) return;
    const words = svg("g", { class: `cm-float ${tone}` }, tone === "coin" ? svg("circle", { r: 11 }) : null, svg("text", { text, y: tone === "coin" ? 4.5 : 0 }));
    const place = svg("g", { transform: `translate(${spot.x.toFixed(1)} ${(spot.y - 16).toFixed(1)})` }, words);
    this.sparks.append(place);
    const frames = [
      { opacity: 0, transform: "translateY(8px) scale(0.8)" },
      { opacity: 1, transform: "translateY(0) scale(1)", offset: 0.2 },
      { opacity: 1, transform: "translateY(-5px) scale(1)", offset: 0.7 },
      { opacity: 0, transform: "translateY(-12px) scale(1)" },
    ];
    const played = this.motion.play(words, frames, ms * 1.5, OUT);
    played.finally(() => place.remove());
    await this.motion.pause(ms);
  }

  /**
   * Where two pieces meet.
   * @param {number} piece
   * @param {number} other
   */
  meeting(piece, other) {
    const a = this.page.pieces.pose(piece);
    const b = other === WALL ? null : this.page.pieces.pose(other);
    if (a && b) return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    return a ? pointOf(a, 20, 0) : { x: 0, y: 0 };
  }

  /**
   * Dust and splinters, as a star.
   * @param {{x: number, y: number}} at
   * @param {number} size
   */
  async burst(at, size) {
    if (this.motion.still()) return;
    const spot = this.page.pieces.spot({ ...at, h: 0 });
    const rays = [];
    for (let k = 0; k < 22; k++) {
      const angle = (k * Math.PI) / 11;
      const radius = k % 2 ? 9 : 20 + ((k * 7) % 5) * 2;
      rays.push(`${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}`);
    }
    const star = svg("g", { class: "cm-burst" }, svg("path", { d: `M${rays.join("L")}Z` }), svg("circle", { r: 7 }));
    const place = svg("g", { transform: `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)}) scale(${size})` }, star);
    this.sparks.append(place);
    const frames = [
      { opacity: 0.95, transform: "scale(0.3) rotate(0deg)" },
      { opacity: 0.9, transform: "scale(1) rotate(8deg)", offset: 0.35 },
      { opacity: 0, transform: "scale(1.25) rotate(14deg)" },
    ];
    await this.motion.play(star, frames, 420, OUT);
    place.remove();
  }

  /** Dust where it slides. @param {number} chariot @param {number} direction */
  dust(chariot, direction) {
    const pose = this.page.pieces.pose(chariot);
    if (!pose || this.motion.still()) return;
    const back = translated(pose, direction + 180, 16);
    const spot = this.page.pieces.spot(back);
    const cloud = svg("g", { class: "cm-dust" }, svg("circle", { r: 9 }), svg("circle", { cx: 9, cy: 5, r: 6 }), svg("circle", { cx: -8, cy: 4, r: 7 }));
    const place = svg("g", { transform: `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})` }, cloud);
    this.sparks.append(place);
    this.motion
      .play(cloud, [{ opacity: 0.75, transform: "scale(0.5)" }, { opacity: 0, transform: "scale(1.7)" }], 900, OUT)
      .finally(() => place.remove());
  }

  /**
   * A line from attacker to target.
   * @param {number} chariot
   * @param {number} target
   * @param {string} how
   */
  async strike(chariot, target, how) {
    const [a, b] = [this.spotOf(chariot), this.spotOf(target)];
    if (!a || !b || this.motion.still()) return;
    const bend = how.startsWith("whip") ? 18 : 0;
    const path = svg("path", {
      class: `cm-strike ${slug(how)}`,
      d: `M${a.x.toFixed(1)} ${a.y.toFixed(1)}Q${((a.x + b.x) / 2).toFixed(1)} ${((a.y + b.y) / 2 - bend).toFixed(1)} ${b.x.toFixed(1)} ${b.y.toFixed(1)}`,
    });
    this.sparks.append(path);
    await this.motion.play(path, [{ opacity: 0 }, { opacity: 1, offset: 0.25 }, { opacity: 0 }], 520);
    path.remove();
  }

  // --- dice and announcements

  /**
   * @param {number | null} chariot
   * @param {string} what
   * @param {number[]} dice
   * @param {number | null} [other]
   * @param {number[]} [others]
   */
  async roll(chariot, what, dice, other, others) {
    const label = this.t(`chariotmaster.roll.${slug(what)}`);
    const hits = ["collision", "bite"].includes(what);
    /** @param {number} face */
    const one = (face) => die(face, hits ? (face >= 4 ? "hit" : "") : "");
    const shown = /** @type {Node[]} */ (dice.map(one));
    if (others) shown.push(el("span", { class: "cm-versus", text: ":" }), ...others.map(one));
    const who = others ? `${this.words.name(chariot)} – ${this.words.name(other)}` : this.words.name(chariot);
    await this.show(who, shown, label, "", others ? 800 : 420);
  }

  /**
   * Something in the tray at the edge of the board.
   * @param {string} title
   * @param {Node[]} dice
   * @param {string} text
   * @param {string} tone
   * @param {number} [ms]
   */
  async show(title, dice, text, tone, ms = 520) {
    if (this.motion.still()) return;
    this.tray.replaceChildren(
      el("span", { class: "cm-tray-title cut", text: title }),
      el("span", { class: "cm-tray-dice" }, ...dice),
      el("span", { class: `cm-tray-text ${tone}`, text }),
    );
    this.tray.classList.add("shown");
    for (const one of this.tray.querySelectorAll(".cm-die")) {
      this.motion.play(one, [{ transform: "rotate(-140deg) scale(0.4)", opacity: 0 }, { transform: "none", opacity: 1 }], 220, OUT);
    }
    clearTimeout(this.trayTimer);
    this.trayTimer = setTimeout(() => this.hideTray(), 2600);
    await this.motion.pause(ms);
  }

  hideTray() {
    this.tray.classList.remove("shown");
  }

  /** @param {string} text @param {number} [ms] */
  async announce(text, ms = 620) {
    if (this.motion.still()) return;
    this.banner.textContent = text;
    const frames = [
      { opacity: 0, transform: "translateY(10px)" },
      { opacity: 1, transform: "none", offset: 0.25 },
      { opacity: 1, transform: "none", offset: 0.75 },
      { opacity: 0, transform: "translateY(-10px)" },
    ];
    await this.motion.play(this.banner, frames, ms, "ease-out");
  }
}
