// @ts-check
// The WebSocket between the page and its table. It reconnects by itself, asks for the moments that it missed, and sends
// unanswered requests again; each request has a key, so that the server carries it out once.

/** Something that the table says. @typedef {import("./protocol.d.ts").Message} Message */
/** Something that the page says. @typedef {{type: string, key?: string, [field: string]: unknown}} Request */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const REPLACED = 4029;
const REPLACED_WAIT = 30000;
const REPEATED = new Set(["play", "retract", "say", "back"]);

/** A request that the table refused. */
export class Refused extends Error {
  /**
   * @param {string} kind
   * @param {import("./types.js").Refusal | null} refusal null: the table was not reached
   */
  constructor(kind, refusal) {
    super(kind);
    this.code = kind;
    this.refusal = refusal;
  }
}

export class Line {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, {message: Request, done: (answer: Message) => void, failed: (error: Error) => void}>} */
  #open = new Map();
  #wait = FIRST_WAIT;
  #ended = false;

  /**
   * @param {string} path
   * @param {{heard: (message: Message) => void, state: (connected: boolean) => void, version: () => number | null}} page
   */
  constructor(path, page) {
    this.path = path;
    this.page = page;
    window.addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.connect());
  }

  connect() {
    if (this.#ended || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const version = this.page.version();
    if (version !== null) url.searchParams.set("version", String(version));
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.page.state(true);
    });
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (this.#socket !== socket || this.#ended) return;
      this.#socket = null;
      this.page.state(false);
      for (const [key, open] of this.#open) {
        if (!REPEATED.has(open.message.type)) {
          this.#open.delete(key);
          open.failed(new Refused("lost", null));
        }
      }
      // A page that gave way to newer ones reconnects when it is visible, so that pages do not push each other out.
      const wait = event.code === REPLACED ? REPLACED_WAIT : this.#wait;
      window.setTimeout(() => this.connect(), wait);
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    });
  }

  end() {
    this.#ended = true;
    this.#socket?.close();
  }

  /** @param {Message} message */
  #hear(message) {
    if (message.type === "welcome") {
      this.#wait = FIRST_WAIT; // not when the line opens: a server without its database opens it, and closes it again
      this.page.heard(message);
      for (const open of this.#open.values()) this.#send(open.message);
      return;
    }
    const key = "key" in message ? message.key : null;
    const open = key ? this.#open.get(key) : undefined;
    if (key && open) {
      this.#open.delete(key);
      if (message.type === "refused") open.failed(new Refused(message.code, message.refusal));
      else open.done(message);
      return;
    }
    this.page.heard(message);
  }

  /** @param {Request} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * Sends a message that needs no answer.
   * @param {Request} message
   */
  tell(message) {
    this.#send(message);
  }

  /**
   * Sends a request and waits for its answer.
   * @param {Request} message
   * @returns {Promise<Message>}
   */
  ask(message) {
    const key = newKey();
    const keyed = { ...message, key };
    return new Promise((done, failed) => {
      this.#open.set(key, { message: keyed, done, failed });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#send(keyed);
      else if (!REPEATED.has(message.type)) {
        this.#open.delete(key);
        failed(new Refused("lost", null));
      }
    });
  }
}

/** A unique key. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
