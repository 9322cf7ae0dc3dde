// The types that modules of the pages share. Nothing here runs.

/**
 * Values for the braces of a message.
 * @typedef {Record<string, string | number | Node>} Params
 */

/**
 * A seat as everyone at the table sees it (`protocol.Person`).
 * @typedef {object} Person
 * @property {number} seat
 * @property {"person" | "screen" | "bot" | "open"} kind
 * @property {string} name
 * @property {string} [bot]
 * @property {boolean} [away]
 * @property {boolean} [here]
 * @property {boolean} [ready]
 */

/**
 * How the table stands for this page (`protocol.State`).
 * @typedef {object} State
 * @property {number} version
 * @property {"open" | "running" | "over" | "left"} status
 * @property {Person[]} seats
 * @property {number[]} own
 * @property {number | null} looking
 * @property {number[]} waiting
 * @property {number | null} deadline seconds left on the clock
 * @property {number} starts seconds until the clock starts by itself; 0: it runs
 * @property {number} watchers
 * @property {any} view
 * @property {any} offer
 * @property {boolean} retractable
 * @property {string} commitment
 * @property {string | null} seed
 * @property {string | null} salt
 * @property {string | null} rematch
 * @property {number | null} begins seconds until the rematch begins without those who have not accepted
 * @property {number | null} [beginsAt] the same as an instant of `performance.now`, noted when the state arrived
 * @property {boolean} hints whether people may ask for hints
 * @property {number[] | null} chances every seat's, for those who may know them
 */

/**
 * Something that happened: `type` is the event's class in Python, the other fields are its own.
 * @typedef {{type: string} & Record<string, any>} GameEvent
 */

/**
 * @typedef {object} Moment
 * @property {number} version
 * @property {number} at
 * @property {string} kind
 * @property {number | null} seat
 * @property {GameEvent[]} events
 */

/**
 * What a considered action would come to.
 * @typedef {object} Considered
 * @property {any} breakdown null if it cannot be done
 * @property {string | null} why
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
 * What the table page gives to the module of a game.
 * @typedef {object} Host
 * @property {string} game
 * @property {string} table id of the table
 * @property {SVGSVGElement} board the board, in the page
 * @property {any} places `Scene.places`
 * @property {Record<string, any>} options of the race
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
 * @property {(action: string) => Promise<Considered>} consider
 * @property {(text: string) => void} announce for screen readers
 * @property {(options: {title: string, text: string, confirm: string}) => Promise<boolean>} confirm for costly choices
 * @property {Motion} motion
 */

/**
 * What the module of a game gives to the table page.
 * @typedef {object} GamePage
 * @property {(view: any, looking: number | null) => void} show puts everything as it stands, without motion
 * @property {(offer: any, view: any) => void} offer shows what can be chosen; null: nothing can
 * @property {(event: GameEvent) => Promise<void>} animate shows one event
 * @property {(event: GameEvent) => Line | null} line
 * @property {(targets: Targets | null) => void} light
 * @property {(view: any) => string[]} describe the race in lines of text
 * @property {(action: string, view: any) => string} phrase an action in a few words; the view may be null
 * @property {(view: any) => boolean} [secret] whether what is chosen now must be hidden from others at the same screen
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
 * @property {Record<string, any>} options
 * @property {number} seats
 * @property {number | null} clock
 * @property {string} watching
 * @property {boolean} first
 * @property {boolean} host whether the visitor has set up the table
 * @property {any} places
 * @property {boolean} replay
 * @property {string} module address of the module that makes the `GamePage`
 */

/**
 * An option of a race (`game.Setting`).
 * @typedef {object} Setting
 * @property {string} name
 * @property {"switch" | "choice" | "number" | "design"} kind "design": the game's own set-up part asks for it
 * @property {any} default
 * @property {string[]} choices
 * @property {number} low
 * @property {number} high
 * @property {number[]} seats seat counts that it is for; all, if empty
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
 * @property {() => Record<string, any>} options chosen values by the name of the setting; the part may change them
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
 * @property {() => Record<string, any>} [values] options that the part asks for itself
 * @property {() => void} [show] shows the part's own section
 * @property {(problem: string) => {place: string, text: string} | null} [problem] the id of the element beside which a
 *   problem is shown, and its text; null: the page finds a place
 */

export {};
