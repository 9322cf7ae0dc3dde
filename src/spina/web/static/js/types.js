// The types that modules of the pages share. Nothing here runs.

/**
 * Values for the braces of a message.
 * @typedef {Record<string, string | number | Node>} Params
 */

/** A seat as everyone at the table sees it. @typedef {import("./protocol.d.ts").Person} Person */

/**
 * How the table stands for this page. `beginsAt` is `begins` as an instant of `performance.now`, noted when the state
 * arrived.
 * @typedef {import("./protocol.d.ts").State & {beginsAt?: number | null}} State
 */

/**
 * Something that happened in a game: `type` is the event's class in Python. Each game's `types.d.ts` has its own.
 * @typedef {import("./protocol.d.ts").GameEvent} GameEvent
 */

/** What happened at one version. @typedef {import("./protocol.d.ts").Moment} Moment */

/**
 * Why the server refused something: the page has a message `refused.CODE`. A parameter is a name, a number, a list, or
 * a refusal itself.
 * @typedef {import("./protocol.d.ts").Coded} Refusal
 */

/**
 * What a considered action would come to: a `breakdown`, or null with the refusal that says why it cannot be done.
 * @template [Explanation=object]
 * @typedef {Pick<import("./protocol.d.ts").Considered, "refusal"> & {breakdown: Explanation | null}} Considered
 */

/**
 * What a line of the log is about, so that it can be highlighted.
 * @typedef {object} Targets
 * @property {number[]} [seats]
 * @property {number[]} [chariots]
 * @property {(number | string)[]} [spaces]
 * @property {number[]} [pieces]
 */

/**
 * A line of the log: a message and what it is about.
 * @typedef {object} Line
 * @property {string} id
 * @property {Params} [params]
 * @property {Targets} [targets]
 * @property {"turn" | "quiet" | "grave" | "grand"} [tone] a heading; less than usual; damage; a triumph
 */

/**
 * How fast things move. Durations are given for the usual speed.
 * @typedef {object} Motion
 * @property {() => boolean} still whether nothing should move: reduced motion, skipping, or a hidden page
 * @property {(element: Element, frames: Keyframe[], ms: number, easing?: string) => Promise<void>} play
 *   animates, then leaves the element in the last frame's state; only transform and opacity should be animated
 * @property {(ms: number) => Promise<void>} pause
 * @property {(ms: number, step: (share: number) => void) => Promise<void>} glide calls step with 0..1 every frame
 */

/**
 * What the table page gives to the module of a game. A game names the types of its places and explanations.
 * @template [Places=Record<string, unknown>]
 * @template [Explanation=object]
 * @typedef {object} Host
 * @property {string} game
 * @property {string} table id of the table
 * @property {SVGSVGElement} board the board, in the page
 * @property {Places} places `Scene.places`
 * @property {Record<string, unknown>} options of the race
 * @property {HTMLElement} panels where the game puts the panels of all seats
 * @property {HTMLElement} choice where the game shows what can be chosen
 * @property {number} seats
 * @property {boolean} first whether the page explains as it goes
 * @property {(id: string, params?: Params) => string} t a message in the page's language, as text
 * @property {(id: string, params?: Params) => DocumentFragment} rich the same with nodes among the params
 * @property {(seat: number) => string} name
 * @property {(seat: number, long?: boolean) => HTMLElement} badge the faction's shape and letter, with the name if long
 * @property {() => State} state
 * @property {(actions: string[]) => Promise<void>} play sends actions in notation, all or none; a refusal is shown
 *   by the page and rejects
 * @property {() => Promise<void>} retract
 * @property {(action: string) => Promise<Considered<Explanation>>} consider
 * @property {(text: string) => void} announce for screen readers
 * @property {(options: {title: string, text: string, confirm: string}) => Promise<boolean>} confirm for costly choices
 * @property {Motion} motion
 */

/**
 * What the module of a game gives to the table page, in the game's own types, which the table does not know.
 * @template [View=any]
 * @template [Offer=any]
 * @template [Event=any]
 * @typedef {object} GamePage
 * @property {(view: View, looking: number | null) => void} show puts everything as it stands, without motion
 * @property {(offer: Offer | null, view: View) => void} offer shows what can be chosen; null: nothing can
 * @property {(event: Event) => Promise<void>} animate shows one event
 * @property {(event: Event) => Line | null} line
 * @property {(targets: Targets | null) => void} light
 * @property {(view: View) => string[]} describe the race in lines of text
 * @property {(action: string, view: View | null) => string} phrase an action in a few words; the view may be null
 * @property {(view: View) => boolean} [secret] whether what is chosen now must be hidden from others at the same screen
 * @property {(seat: number) => number} [faction] whose colour a seat has; left out: that of its number
 * @property {(key: KeyboardEvent) => boolean} [key] a key that was pressed outside text fields; true if it was used
 */

/**
 * What the page knows of its table from the start.
 * @typedef {object} Boot
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {string} turnWord
 * @property {Record<string, unknown>} options
 * @property {number} seats
 * @property {number | null} clock
 * @property {string} watching
 * @property {boolean} first
 * @property {boolean} host whether the visitor has set up the table
 * @property {Record<string, unknown>} places
 * @property {boolean} replay
 * @property {string} module address of the module that makes the `GamePage`
 */

/**
 * An option of a race. A "design" is asked for by the game's own set-up part.
 * @typedef {Required<import("./protocol.d.ts").Setting>} Setting
 */

/**
 * The options of a race with an edition.
 * @typedef {object} Described
 * @property {Setting[]} settings
 * @property {any} setup_data `Game.setup_data`
 * @property {string | null} edition name of an edition that was loaded; null: the reference
 */

/**
 * What the set-up page gives to the set-up module of a game.
 * @typedef {object} SetupHost
 * @property {HTMLElement} place a hidden section of the page, for what the game itself asks
 * @property {() => Record<string, unknown>} options chosen values by the name of the setting; the part may change them
 * @property {() => number} seats how many there are
 * @property {(seat: number) => string} seatName
 * @property {(focus?: string) => void} changed shows everything anew and has the server check it; `focus` is the id of
 *   the element that has the focus afterwards
 */

/**
 * What the set-up module of a game gives to the set-up page.
 * @typedef {object} SetupPart
 * @property {(described: Described) => void} take another edition is used from now on
 * @property {(setting: Setting) => {value: string, text: string}[] | null} [choices] of a setting; null: the usual ones
 * @property {(name: string) => void} [chosen] a setting was changed
 * @property {() => Record<string, unknown>} [values] options that the part asks for itself
 * @property {() => void} [show] shows the part's own section
 * @property {(refusal: Refusal) => {place: string, refusal: Refusal} | null} [problem] the id of the element beside
 *   which a refusal is shown, and what is shown of it; null: the page finds a place
 */

export {};
