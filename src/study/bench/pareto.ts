/** Something that costs accuracy and wins speed. */
export interface Tradable {
  /** Larger is better. */
  readonly speed: number;
  /** Larger is better. */
  readonly bits: number;
}

/**
 * Those than which no other is both as fast and as accurate, and better in one of the two: the Pareto front, the most
 * accurate first. Of equals, all are kept.
 */
export function paretoFront<T extends Tradable>(all: readonly T[]): T[] {
  const isBeaten = (one: T) =>
    all.some(
      ({ speed, bits }) => speed >= one.speed && bits >= one.bits && (speed > one.speed || bits > one.bits),
    );
  return all.filter((one) => !isBeaten(one)).sort((a, b) => b.bits - a.bits || b.speed - a.speed);
}
