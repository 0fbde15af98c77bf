import type { Random } from '../base/random.ts';
import { inputFamily } from './input.ts';

/** Number of plane rotations in which each axis takes part, on average. */
const TURNS = 6;

/** Returns the columns of a product of random plane rotations (Givens) of `axes` axes: orthonormal. */
export function drawRotation(axes: number, random: Random): Float64Array {
  const all = new Float64Array(axes * axes);
  for (let i = 0; i < axes; i++) all[i * axes + i] = 1;
  for (let turn = 0; turn < TURNS * axes && axes > 1; turn++) {
    const p = random.int(0, axes - 1);
    const q = (p + random.int(1, axes - 1)) % axes;
    // By the tangent of half the angle: engines may round trigonometric functions differently.
    const t = random.uniform(-1, 1);
    const [cos, sin] = [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
    for (let i = 0; i < axes; i++) {
      const [x, y] = [all[i * axes + p], all[i * axes + q]];
      all[i * axes + p] = cos * x - sin * y;
      all[i * axes + q] = sin * x + cos * y;
    }
  }
  return all;
}

/** Most axes that are rotated together. Larger matrices have blocks of this size along the diagonal. */
const MOST = 32;

/** Transformations of coordinates: rotations, changes of basis, transforms. */
export const rotations = inputFamily({
  name: 'rotations',
  what: `A is uniform on [−1, 1]; columns of B are orthonormal, in blocks of ${MOST} along the diagonal.`,
  source: 'products of Givens rotations by random angles',
  catches: 'Kernels that recognize changes of coordinates and multiply them with less precision.',
  statistics: 'structured',
  exactness: 'none',
  make: ({ m, k, n, random, fill, uniform }) => {
    const drawn = random(2);
    const blocks = Array.from({ length: Math.ceil(k / MOST) }, (_, at) => {
      const axes = Math.min(MOST, k - at * MOST);
      return { axes, entries: drawRotation(axes, drawn) };
    });
    const b = fill(k, n, (p, j) => {
      // Columns beyond k repeat, as they must.
      const column = k === 0 ? 0 : j % k;
      const { axes, entries } = blocks[Math.floor(p / MOST)];
      const isInside = Math.floor(column / MOST) === Math.floor(p / MOST);
      return isInside ? entries[(p % MOST) * axes + (column % MOST)] : 0;
    });
    return { a: uniform(m, k, -1, 1, 1), b };
  },
});
