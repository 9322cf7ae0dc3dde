// @ts-check
// HTTP requests to the server.

/** A request that the server refused. */
export class Failed extends Error {
  /**
   * @param {string} code
   * @param {string} reason
   */
  constructor(code, reason) {
    super(reason);
    this.code = code;
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
  const answer = await response.json().catch(() => ({ error: "failed", reason: response.statusText }));
  if (!response.ok) throw new Failed(answer.error, answer.reason);
  return answer;
}
