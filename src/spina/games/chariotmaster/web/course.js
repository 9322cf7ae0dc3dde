// @ts-check
// Where things lie on the track, in words' terms: how far along, how far from the walls, and how far they are turned away
// from the way that the track goes there. For descriptions only: the rules count in whole numbers, this does not.

/** @typedef {import("./types.d.ts").Course} Course */
/** A straight or an arc. @typedef {Course["segments"][number]} Segment */

/**
 * A place on the track, in millimetres and degrees.
 * @typedef {object} TrackPlace
 * @property {number} along from the starting line, up to a lap
 * @property {number} offset to the left of the middle
 * @property {number} bearing to the left of the way that the track goes there
 */

const MM = 10;
const RADIANS = Math.PI / 180;

/** An angle between -180 and 180. @param {number} degrees */
const folded = (degrees) => degrees - 360 * Math.round(degrees / 360);

/**
 * How far along a segment and to its left a point lies, and how far outside of its two ends.
 * @param {Segment} segment
 * @param {number} x
 * @param {number} y
 */
function within(segment, x, y) {
  const { heading, radius, angle, begin, end } = segment;
  const length = end - begin;
  if (radius === 0) {
    const [dx, dy] = [x - segment.x, y - segment.y];
    const [cosine, sine] = [Math.cos(heading * RADIANS), Math.sin(heading * RADIANS)];
    const along = dx * cosine + dy * sine;
    return { along, offset: dy * cosine - dx * sine, outside: Math.max(0, -along, along - length), heading };
  }
  const side = Math.sign(radius);
  const [dx, dy] = [x - segment.cx, y - segment.cy];
  const spoke = Math.atan2(dy, dx) / RADIANS;
  // half a turn around the middle of the arc belongs to it on either side
  const turned = angle / 2 + folded(side * (spoke - (heading - side * 90)) - angle / 2);
  const outside = (Math.max(0, -turned, turned - angle) * RADIANS) * Math.abs(radius);
  return { along: (turned / angle) * length, offset: side * (Math.abs(radius) - Math.hypot(dx, dy)), outside, heading: heading + side * turned };
}

/**
 * Where a pose of the rules lies: units of a tenth of a millimetre, tenths of a degree.
 * @param {Course} course
 * @param {{x: number, y: number, heading: number}} pose
 * @returns {TrackPlace}
 */
export function placeOn(course, pose) {
  const found = course.segments.map((segment) => ({ segment, ...within(segment, pose.x, pose.y) }));
  const [{ segment, along, offset, heading }] = found.sort((a, b) => a.outside - b.outside || Math.abs(a.offset) - Math.abs(b.offset));
  let way = segment.begin + along - course.line;
  if (course.closed) way = ((way % course.length) + course.length) % course.length;
  return { along: way / MM, offset: offset / MM, bearing: folded(pose.heading / 10 - heading) };
}

/**
 * What the track does from a place on: the rest of a bend, or the straight up to the next one.
 * @param {Course} course
 * @param {number} along millimetres from the starting line
 * @returns {{bend: boolean, left: boolean, rest: number, next: Segment | null}} `rest` to its end, and the bend after it
 */
export function ahead(course, along) {
  const { segments, closed, length, line } = course;
  let way = along * MM + line;
  if (closed) way = ((way % length) + length) % length;
  const at = Math.max(0, segments.findLastIndex(({ begin }) => begin <= way));
  const [here, kind] = [segments[at], Math.sign(segments[at].radius)];
  let rest = here.end - way;
  for (let step = 1; step < segments.length; step++) {
    const segment = segments[closed ? (at + step) % segments.length : at + step];
    if (!segment || Math.sign(segment.radius) !== kind) return { bend: kind !== 0, left: kind > 0, rest: rest / MM, next: segment?.radius ? segment : null };
    rest += segment.end - segment.begin;
  }
  return { bend: kind !== 0, left: kind > 0, rest: rest / MM, next: null };
}

/** From one place to another along the track, the shorter way round. @param {Course} course @param {number} from @param {number} to */
export function gap(course, from, to) {
  const lap = course.length / MM;
  return course.closed ? to - from - lap * Math.round((to - from) / lap) : to - from;
}
