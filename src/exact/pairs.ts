/** Error-free sums and products of two doubles, as two doubles. */

/** Returns x + y as the exact sum of two doubles (Knuth). */
export function addExactly(x: number, y: number): readonly [number, number] {
  const sum = x + y;
  const back = sum - x;
  return [sum, x - (sum - back) + (y - back)];
}

const SPLITTER = 2 ** 27 + 1;

/** Returns x·y as the exact sum of two doubles (Veltkamp, Dekker). */
export function multiplyExactly(x: number, y: number): readonly [number, number] {
  const product = x * y;
  const [x1, x2] = split(x);
  const [y1, y2] = split(y);
  return [product, x2 * y2 - (product - x1 * y1 - x2 * y1 - x1 * y2)];
}

function split(x: number): readonly [number, number] {
  const scaled = SPLITTER * x;
  const high = scaled - (scaled - x);
  return [high, x - high];
}
