/** An item with a trade-off between speed and accuracy. */
export interface ParetoItem {
  /** Larger is better. */
  readonly speed: number;
  /** Larger is better. */
  readonly bits: number;
}

/**
 * Returns the Pareto front, the most accurate first: the items to which no other is at least equal in speed and accuracy and superior in
 * one of the two. Equal items are all kept.
 */
export function paretoFront<T extends ParetoItem>(all: readonly T[]): T[] {
  const isBeaten = (one: T) =>
    all.some(
      ({ speed, bits }) => speed >= one.speed && bits >= one.bits && (speed > one.speed || bits > one.bits),
    );
  return all.filter((one) => !isBeaten(one)).sort((a, b) => b.bits - a.bits || b.speed - a.speed);
}
