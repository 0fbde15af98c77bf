import { Memo } from '../base/memo.ts';
import { createRandom } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Number of consecutive seeds, from a multiple of it on, whose sweeps have no size in common. */
export const SWEEPS = 16;
/** The largest size of each dimension, and the most multiplications of a product. */
const [SIDE, LARGEST] = [48, 2 ** 13];
/** A random stream that no family draws from. */
const STREAM = 3006;
/** Orders of all sizes, kept for the sweeps that share one. */
const orders = new Memo<Uint32Array>(2);

/** Yields the shapes of a sweep, each once: a part of all small ones, in the order of its seed. */
export function* sweptShapes(seed: number): Generator<Shape> {
  const own = Math.floor(seed / SWEEPS);
  const order = orders.get(String(own), () => createRandom(own, STREAM).permutation(SIDE ** 3));
  for (let at = seed % SWEEPS; at < order.length; at += SWEEPS) {
    const place = order[at];
    const m = 1 + Math.floor(place / SIDE ** 2);
    const k = 1 + (Math.floor(place / SIDE) % SIDE);
    const n = 1 + (place % SIDE);
    if (m * k * n <= LARGEST) yield { m, k, n };
  }
}
