// @ts-check
// Events in motion: moves and pivots in their exact geometry, dice, blows, crashes. The page's picture of the race goes
// along with them, so that everything is right between two messages of the server.

import { svg } from "../../../web/static/js/dom.js";
import { Effects } from "./effects.js";
import { DRIVER_OF, OBSTACLE, WALL, WRECK_OF, between, pointOf } from "./pieces.js";
import { slug } from "./questions.js";
import { Tray } from "./tray.js";
import { die } from "./words.js";

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./pieces.js").Pose} Pose */
/** @typedef {import("./types.d.ts").ChariotView} ChariotView */
/** @typedef {import("./types.d.ts").Attacked} Attacked */
/** @typedef {import("./types.d.ts").Collided} Collided */
/** @typedef {import("./types.d.ts").Moved} Moved */
/** @typedef {import("./types.d.ts").View} View */

const OUT = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const TOKENS = ["0", "5", "10"];
/** Involuntary moves are quick. */
const SUDDEN = ["bounce", "back", "sideways", "hurled", "whipped on", "brake away", "evade", "skid", "collide"];
/** Events of one drive: the team gallops on between them. */
const DRIVING = ["Moved", "Pivoted", "Aligned"];
/** Millimetres between two clouds of dust. */
const PUFF = 17;
/** Milliseconds that a move takes at least, and more for each millimetre: the longer a move, the faster. */
const PACE = [240, 2.7];
/** How far a team turns ahead of its car in a bend: of the angle, and at most in degrees. */
const LEAN = [0.4, 11];

export class Moving {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.host = page.host;
    this.words = page.words;
    this.t = page.host.t;
    this.tray = new Tray(page.host, page.words, page.camera.overlay);
    this.sparks = svg("g", { class: "cm-sparks" });
    page.pieces.top.append(this.sparks);
    this.effects = new Effects(page.host.motion, this.sparks, 1);
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
    if (!DRIVING.includes(event.type)) this.page.pieces.halt();
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
      await this.tray.announce(this.t("chariotmaster.turn", { n: event.number }));
    },
    Drawn: async (event, c) => {
      this.view.active = event.chariot;
      Object.assign(c, { token: event.token, drawn: true, out_of_control: event.out_of_control });
      this.page.refresh();
      this.page.pieces.activate(event.chariot);
      this.lookAt(event.chariot);
      this.host.sound("coin");
      await this.float(this.pieceOf(event.chariot), event.token, "coin", 700);
    },
    Rolled: (event) => this.tray.roll(event.chariot, event.what, event.dice),
    RolledBoth: (event) => this.tray.roll(event.chariot, event.what, event.dice, event.other, event.others),
    Modified: (event) => this.tray.show(this.words.name(event.chariot), [die(event.face, "hit")], this.t("chariotmaster.thing.luck"), "good"),
    Tested: async (event) => {
      const sum = event.modifier ? `${event.face} ${event.modifier > 0 ? "+" : "−"} ${Math.abs(event.modifier)} = ${event.face + event.modifier}` : String(event.face);
      const text = this.t(event.passed ? "chariotmaster.test.passed" : "chariotmaster.test.failed", { sum, skill: event.skill });
      await this.tray.show(this.words.name(event.chariot), [die(event.face, event.passed ? "hit" : "miss")], text, event.passed ? "good" : "bad", 800);
    },
    OutOf: async (event) => {
      const text = this.t("chariotmaster.out-of", { what: this.t(`chariotmaster.points.${event.table.split(" ")[0]}`), n: event.result });
      await this.tray.show(this.words.name(event.chariot), [die(event.face)], text, "bad", 800);
    },
    Lost: async (event, c) => {
      Object.assign(c, { [event.what]: event.left });
      this.page.refresh();
      await this.float(this.pieceOf(event.chariot), `−1 ${this.t(`chariotmaster.points.${event.what}`)}`, event.what, 380);
    },
    Changed: async (event) => {
      const spot = this.spotOf(event.chariot);
      if (event.how === "whips") this.host.sound("whip");
      if (spot) void (event.mm < 0 ? this.effects.brake(spot) : this.effects.hasten(spot, event.how === "whips" ? 3 : 1));
      await this.float(event.chariot, `${event.mm > 0 ? "+" : "−"}${this.words.cm(Math.abs(event.mm))}`, event.mm > 0 ? "good" : "slow", 620);
    },
    Moved: (event) => this.move(event, SUDDEN.includes(event.how)),
    Pivoted: (event) => this.turn(event.piece, event, event.degrees, 260),
    Aligned: (event) => this.turn(event.piece, event, event.degrees, 160),
    TurnedRound: (event) => this.turn(event.chariot, event, event.degrees, 900),
    Skids: async (event) => {
      this.host.sound("wheels", { strength: 1 });
      const spot = this.spotOf(event.chariot);
      // the direction is anticlockwise: it slides to the right of its heading where that is smaller
      if (spot) void this.effects.skid(spot, Math.sin(((event.direction + spot.turn) * Math.PI) / 180) > 0 ? -1 : 1);
      await this.float(event.chariot, this.t("chariotmaster.skids"), "bad", 480);
    },
    Collided: async (event) => {
      const ram = event.kind === "ram";
      this.host.sound("ram", { strength: ram ? 1 : 0.6 });
      await this.collide(event, ram);
    },
    Attacked: async (event) => {
      const text = this.t(`chariotmaster.attacking.${slug(event.how)}`);
      if (event.how.startsWith("whip")) this.host.sound("whip", { strength: 1 });
      await Promise.all([this.strike(event), this.float(event.chariot, text, "bad", 620)]);
    },
    Defended: (event) => this.float(event.chariot, this.t(`chariotmaster.defends.${slug(event.how)}`), "slow", 520),
    Void: (event) => this.float(event.chariot, this.t("chariotmaster.void"), "slow", 420),
    Duelled: (event) =>
      this.tray.show(`${this.words.name(event.chariot)} – ${this.words.name(event.defender)}`, [], `${event.total} : ${event.defence}`, event.total > event.defence ? "bad" : "good", 700),
    Bitten: (event) =>
      this.tray.show(`${this.words.name(event.chariot)} – ${this.words.name(event.defender)}`, [], `${event.hits} : ${event.blows}`, "bad", 700),
    LostControl: (_, c) => this.befall(c, { out_of_control: true }, "out-of-control", (spot) => this.effects.bolt(spot)),
    LostReins: (_, c) => this.befall(c, { reins: false, out_of_control: true }, "reins-lost", (spot) => this.effects.reins(spot)),
    StunnedNow: (_, c) => this.befall(c, { stunned: true }, "stunned", (spot) => this.effects.daze(spot)),
    HorseDied: (event, c) =>
      this.befall(c, { horses: event.left, dead_horses: c.dead_horses + 1 }, "dead-horse", (spot) => this.effects.cloud(spot, 12)),
    LostToken: (event, c) => this.befall(c, { tokens: TOKENS.slice(0, TOKENS.indexOf(event.highest) + 1) }, null),
    IsExhausted: (_, c) => this.befall(c, { exhausted: true }, "exhausted", (spot) => this.effects.sweat(spot)),
    WheelLoose: (_, c) => this.befall(c, { wheel: true }, "wheel", (spot) => this.effects.wobble(spot)),
    LostWhip: (_, c) => this.befall(c, { whip: false }, null),
    LostKnife: (_, c) => this.befall(c, { knife: false }, null),
    Crashed: (_, c) => this.crash(c),
    Entangled: async (event, c) => {
      this.become(event.chariot, "team dragging its driver");
      this.host.sound("gasp");
      await this.befall(c, { driver: "dragged", out_of_control: true }, "dragged", (spot) => this.effects.drag(spot, this.man(c)));
    },
    Hurled: (_, c) => this.befall(c, { driver: "on foot" }, null, (spot) => this.effects.tumble(spot, this.man(c))),
    Placed: async (event, c) => {
      c.driver = "on foot";
      this.stand(c, { x: event.x, y: event.y, h: 0 });
      this.page.refresh();
      await this.motion.pause(180);
    },
    Fell: (_, c) => this.befall(c, { driver: "on foot", reins: false, out_of_control: true }, "on-foot", (spot) => this.effects.tumble(spot, this.man(c))),
    DriverDied: async (event, c) => {
      this.host.sound("gasp", { strength: 1 });
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
      this.host.sound("cheer", { strength: 0.75 });
      this.page.refresh();
      const spot = this.spotOf(event.chariot);
      if (spot) void this.effects.laurel(spot, String(event.place));
      await this.tray.announce(this.t("chariotmaster.crosses", { who: this.words.name(event.chariot) }), 1100);
    },
    StruckOut: (_, c) => this.befall(c, { home: null }, null),
    Eliminated: (_, c) => this.befall(c, { out: true }, "out"),
    Stands: (event) => this.float(event.chariot, this.t("chariotmaster.stands"), "slow", 420),
    ControlBack: (_, c) => this.recover(c, { out_of_control: false }),
    Awake: (_, c) => this.recover(c, { stunned: false }),
    Clings: (event) => this.float(event.chariot, this.t("chariotmaster.clings"), "slow", 420),
    TurnEnds: async () => {
      this.tray.hide();
      await this.motion.pause(90);
    },
    Finished: async (event, c) => {
      c.place = event.place;
      this.page.refresh();
      if (event.place === 1) this.host.sound("fanfare", { strength: 1 });
      if (event.place === 1) await this.tray.announce(this.t("chariotmaster.wins", { who: this.words.name(event.chariot) }), 1600);
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
    const ms = Math.min(sudden ? 160 + far * 2.2 : PACE[0] + far * PACE[1], 1100);
    const drawn = event.piece < WRECK_OF;
    if (drawn && !sudden) this.host.sound("hooves", { strength: far / 180, ms });
    if (drawn && !sudden && !this.motion.still()) pieces.gallop(event.piece, far / ms);
    if (drawn && event.how === "run away") void this.effects.bolt(pieces.spot(from));
    await this.glide(event.piece, from, to, undefined, ms, drawn && far > PUFF ? this.trail(event.piece, from, sudden ? 2 : (far / ms) * 38) : undefined);
  }

  /**
   * Leaves dust, or the furrow of a man who is dragged, behind a piece that moves.
   * @param {number} piece
   * @param {Pose} from
   * @param {number} speed from 0 to 10
   * @returns {(pose: Pose) => void} to be told where it is
   */
  trail(piece, from, speed) {
    const { pieces } = this.page;
    const dragging = pieces.all.get(piece)?.kind === "team dragging its driver";
    let last = from;
    return (pose) => {
      if (Math.hypot(pose.x - last.x, pose.y - last.y) < PUFF) return;
      last = pose;
      const spot = pieces.spot(pose);
      this.effects.dust(spot, Math.min(speed, 10));
      if (dragging) this.effects.furrow(spot);
    };
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
   * @param {(pose: Pose) => void} [passes] told of every pose on the way
   */
  async glide(piece, from, to, degrees, ms, passes) {
    const { pieces, camera } = this.page;
    const way = between(from, to, degrees);
    const followed = piece % WRECK_OF === this.view.active;
    const lean = Math.max(-LEAN[1], Math.min(LEAN[1], (degrees ?? 0) * LEAN[0]));
    await this.motion.glide(ms, (share) => {
      const eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
      const pose = way(eased);
      pieces.put(piece, pose);
      if (lean) pieces.lean(piece, lean * Math.sin(Math.PI * share));
      passes?.(pose);
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
    for (const name of /** @type {const} */ (["crash", "gasp"])) this.host.sound(name, { strength: 1 });
    const burst = this.effects.crash(pieces.spot({ ...pointOf(pose, -quarter, 0), h: pose.h }));
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
   * @param {(spot: import("./effects.js").Spot) => Promise<unknown>} [moment] what it looks like
   */
  async befall(c, change, state, moment) {
    Object.assign(c, change);
    this.page.refresh();
    const spot = this.spotOf(this.pieceOf(c.chariot));
    const seen = spot && moment?.(spot);
    if (seen && !state) await seen;
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

  /** A driver as he lies in the sand. @param {ChariotView} c */
  man(c) {
    return svg("use", { href: `#spina-lying-${c.chariot}` });
  }

  /** Two pieces meet. @param {Collided} event @param {boolean} ram */
  async collide({ initiator, target, kind }, ram) {
    const { pieces } = this.page;
    const [a, b] = [pieces.pose(initiator), target === WALL ? null : pieces.pose(target)];
    if (!a) return;
    const at = pieces.spot({ ...(b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : pointOf(a, 20, 0)), h: a.h });
    if (kind === "run-through") return this.effects.trample(at);
    const stone = target >= OBSTACLE;
    await Promise.all([
      this.effects.clash(at, ram ? 1.25 : 0.75),
      stone ? this.effects.rubble(at) : null,
      this.effects.shake(pieces.body(initiator), ram ? 5 : 3),
      this.effects.shake(pieces.body(target), ram ? 7 : 3),
    ]);
  }

  /** An attack. @param {Attacked} event */
  async strike({ chariot, target, how }) {
    const [a, b] = [this.spotOf(chariot), this.spotOf(target)];
    if (!a || !b) return;
    if (how.startsWith("whip")) await this.effects.whip(a, b);
    else if (how === "bite") await this.effects.bite(b);
    else if (how === "boars") await this.effects.gore(a, b);
    else await this.effects.lunge(a, b, this.page.pieces.body(chariot));
  }
}
