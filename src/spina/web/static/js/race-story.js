// @ts-check
// A finished race in three sentences, made of the chances that every seat had turn by turn.

/** @typedef {import("./analysis.js").Point} Point */
/** @typedef {{id: string, params: import("./types.js").Params}} Sentence a message and what stands in it */

/** Chances that change by less than this in a turn do not turn a race. */
const SWING = 0.1;

/** @param {number[]} values */
const highest = (values) => values.indexOf(Math.max(...values));

/**
 * @param {Point[]} points one for each turn
 * @param {number[][]} ranking seats by place
 * @param {{name: (seat: number) => string, percent: (share: number) => string, turn: (turn: number) => string}} words
 * @returns {Sentence[]}
 */
export function raceStory(points, ranking, words) {
  const winner = ranking[0]?.[0];
  const before = points.slice(0, -1); // at the end there is nothing left to expect
  if (winner === undefined || before.length < 3) return [];
  return [lead(before, winner, words), swing(before, words), finish(before, ranking, winner, words)];
}

/**
 * When the winner took the lead for good.
 * @param {Point[]} points @param {number} winner @param {Parameters<typeof raceStory>[2]} words @returns {Sentence}
 */
function lead(points, winner, words) {
  const leaders = points.map(({ chances }) => highest(chances));
  const behind = leaders.findLastIndex((seat) => seat !== winner);
  const name = words.name(winner);
  if (behind < 0) return { id: "race-story.always", params: { name } };
  if (behind === points.length - 1) return { id: "race-story.late", params: { name, other: words.name(leaders[behind]) } };
  const counts = new Map();
  for (const seat of leaders.slice(0, behind + 1)) if (seat !== winner) counts.set(seat, (counts.get(seat) ?? 0) + 1);
  const other = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  return { id: "race-story.lead", params: { name, other: words.name(other), turn: words.turn(points[behind + 1].turn) } };
}

/**
 * The turn that changed somebody's chances most.
 * @param {Point[]} points @param {Parameters<typeof raceStory>[2]} words @returns {Sentence}
 */
function swing(points, words) {
  let most = { change: 0, at: 1, seat: 0 };
  points.slice(1).forEach(({ chances }, index) => {
    chances.forEach((chance, seat) => {
      const change = Math.abs(chance - points[index].chances[seat]);
      if (change > most.change) most = { change, at: index + 1, seat };
    });
  });
  const { change, at, seat } = most;
  if (change < SWING) return { id: "race-story.steady", params: { percent: words.percent(SWING) } };
  const [from, to] = [points[at - 1].chances[seat], points[at].chances[seat]];
  return {
    id: to > from ? "race-story.rise" : "race-story.fall",
    params: { name: words.name(seat), turn: words.turn(points[at].turn), from: words.percent(from), to: words.percent(to) },
  };
}

/**
 * How near the winner was to losing, or who came nearest to winning instead.
 * @param {Point[]} points @param {number[][]} ranking @param {number} winner @param {Parameters<typeof raceStory>[2]} words
 * @returns {Sentence}
 */
function finish(points, ranking, winner, words) {
  const low = points.reduce((a, b) => (b.chances[winner] < a.chances[winner] ? b : a));
  const seats = low.chances.length;
  if (low.chances[winner] < 0.6 / seats) {
    return { id: "race-story.low", params: { name: words.name(winner), turn: words.turn(low.turn), percent: words.percent(low.chances[winner]) } };
  }
  const rivals = ranking.flat().filter((seat) => seat !== winner);
  const best = (/** @type {number} */ seat) => points.reduce((a, b) => (b.chances[seat] > a.chances[seat] ? b : a));
  const nearest = rivals.reduce((a, b) => (best(b).chances[b] > best(a).chances[a] ? b : a));
  const point = best(nearest);
  return { id: "race-story.nearest", params: { name: words.name(nearest), turn: words.turn(point.turn), percent: words.percent(point.chances[nearest]) } };
}
