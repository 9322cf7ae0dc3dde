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
 * The sounds that a game can ask for (`sound/catalogue.js`).
 * @typedef {"hooves" | "wheels" | "whip" | "ram" | "crash" | "javelin" | "caltrop" | "dice" | "cards" | "coin" | "knock"
 *   | "cheer" | "gasp" | "fanfare"} SoundName
 */

/**
 * How a sound is wanted.
 * @typedef {object} SoundOptions
 * @property {number} [strength] 0 to 1: louder, faster hooves, more dice, a longer cheer
 * @property {number} [ms] how long hooves go on, at the usual speed of animations
 * @property {number} [pan] from the left (-1) to the right (1)
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
 * @property {HTMLElement} panels the strip where the game puts the rivals' values, all seats' for a spectator
 * @property {HTMLElement} own where the game puts the values of whoever looks
 * @property {HTMLElement} choice where the game shows what can be chosen
 * @property {number} seats
 * @property {boolean} first whether the page explains as it goes
 * @property {(id: string, params?: Params) => string} t a message in the page's language, as text
 * @property {(id: string, params?: Params) => DocumentFragment} rich the same with nodes among the params
 * @property {(seat: number) => string} name
 * @property {(seat: number, long?: boolean) => HTMLElement} badge the faction's shape and letter, with the name if long
 * @property {(seat: number) => number} faction the number of a seat's colour, 0 to 5: chosen with the seat, or the game's own
 * @property {() => State} state
 * @property {(actions: string[]) => Promise<void>} play sends actions in notation, all or none; a refusal is shown
 *   by the page and rejects
 * @property {() => Promise<void>} retract
 * @property {(action: string) => Promise<Considered<Explanation>>} consider
 * @property {(text: string) => void} announce for screen readers
 * @property {(options: {title: string, text: string, confirm: string}) => Promise<boolean>} confirm for costly choices
 * @property {Motion} motion
 * @property {(name: SoundName, options?: SoundOptions) => void} sound plays a sound if the person wants to hear any; a race
 *   must be understood without it
 */

/**
 * A choice with what it leads to, as `Game.outcome` says it.
 * @template [Outcome=any]
 * @typedef {{action: string, outcome: Outcome | null}} Considering
 */

/**
 * A choice that was costly, and the better one. They are told apart by words and outlines, not by colour alone.
 * @template [Outcome=any]
 * @typedef {{seat: number, chosen: Considering<Outcome>, better: Considering<Outcome>}} Compared
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
 * @property {(events: Event[], view: View) => string[]} [brief] what happened, in one sentence for each chariot, for
 *   screen readers; left out: every line of the log that is not quiet
 * @property {(offer: Offer, view: View) => string} [question] what is asked, for screen readers; left out: the heading
 * @property {(action: string, view: View | null) => string} phrase an action in a few words; the view may be null
 * @property {(name: string, value: string | number) => string | number | null} [say] how a value of a reason is said, such as
 *   a chariot's number as its driver's name; null: as it is
 * @property {(action: string | null) => void} [advise] marks what a hint advises, in the question; null: nothing is advised
 * @property {(view: View) => boolean} [secret] whether what is chosen now must be hidden from others at the same screen
 * @property {(seat: number) => number} [faction] the number of a seat's colour, where the game
 *   gives it; left out: the one that was chosen with the seat
 * @property {(name: string) => Element | null} [place] what a lesson calls by this name, if it is there now
 * @property {(key: KeyboardEvent) => boolean} [steer] takes a key that steers something and may be held; true if it was
 *   used. Other keys press what has them: `data-key` of an element of the choice
 * @property {import("./camera.js").Camera} [camera] the window on the board, if there is one
 * @property {{keys: string, text: string}[]} [keys] what the list of keys says of this game: keys, and the id of a message
 * @property {(compared: Compared | null, view: View) => {chosen: Node[], better: Node[]} | null} [compare] shows on the board
 *   where a costly choice and a better one lead, and returns each as cards, dice or figures; null: neither is shown any more
 * @property {(steps: import("./protocol.d.ts").ReplayStep[]) => void} [recall] shows what lay open in the last turn of these
 *   steps, such as cards that were played; the last step is the one that is shown
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
 * @property {boolean} lesson whether a lesson is taken here
 * @property {{id: string, when: Record<string, string | number | boolean>}[]} reminders of the race after a lesson
 * @property {boolean} host whether the visitor has set up the table
 * @property {boolean} colours whether people choose the colours of their seats
 * @property {number} colour the one that the visitor prefers
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
