// @ts-check
// HTTP requests to the server.

/** A request that the server refused. */
export class Failed extends Error {
  /**
   * @param {string} kind
   * @param {import("./types.js").Refusal | null} refusal null: the server has not said why
   */
  constructor(kind, refusal) {
    super(kind);
    this.code = kind;
    this.refusal = refusal;
  }
}

/**
 * @param {string} path
 * @param {unknown} [body] given: a POST
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(path, init);
  const answer = await response.json().catch(() => ({ error: "failed" }));
  if (!response.ok) throw new Failed(answer.error, answer.refusal ?? null);
  return answer;
}
