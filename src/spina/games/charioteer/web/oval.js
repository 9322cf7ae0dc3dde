// @ts-check
// The geometry of the track: where a chariot is drawn that has come this far along and this deep into the track.

const LANES = 6;

export class Oval {
  /** @param {import("./types.d.ts").Places} places */
  constructor(places) {
    this.spaces = places.spaces;
    this.oval = places.oval;
    /** Of a lap, along the inside. */
    this.length = 2 * (places.oval.straight + places.oval.bend);
    /** Of the track, from its inner to its outer edge. */
    this.depth = Math.max(...places.spaces.map(({ deep }) => deep[1]));
  }

  /** Whether the track turns this far along. @param {number} along */
  inBend(along) {
    const { straight, bend } = this.oval;
    return (((along % this.length) + this.length) % (straight + bend)) > straight;
  }

  /** The point this far along and deep, and the heading there in degrees. @param {number} along @param {number} deep */
  point(along, deep) {
    const at = ((along % this.length) + this.length) % this.length;
    const { left, right, middle, radius, straight, bend } = this.oval;
    const reach = radius + deep;
    if (at < straight) return { x: left + at, y: middle + reach, turn: 0 };
    if (at < straight + bend) {
      const angle = ((at - straight) / bend) * Math.PI;
      return { x: right + reach * Math.sin(angle), y: middle + reach * Math.cos(angle), turn: (-angle * 180) / Math.PI };
    }
    if (at < 2 * straight + bend) return { x: right - (at - straight - bend), y: middle - reach, turn: -180 };
    const angle = ((at - 2 * straight - bend) / bend) * Math.PI;
    return { x: left - reach * Math.sin(angle), y: middle - reach * Math.cos(angle), turn: -180 - (angle * 180) / Math.PI };
  }

  /** How far along and deep the middle of a lane of a space is. @param {number} space @param {number} lane */
  spot(space, lane) {
    const { along, deep } = this.spaces[space];
    return { along, deep: deep[0] + ((deep[1] - deep[0]) * (lane + 0.5)) / Math.max(LANES, lane + 1) };
  }

  /** The shorter way between two distances along the track; negative: backwards. @param {number} from @param {number} to */
  way(from, to) {
    const way = (to - from) % this.length;
    if (way > this.length / 2) return way - this.length;
    return way < -this.length / 2 ? way + this.length : way;
  }
}
