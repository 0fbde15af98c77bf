import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Largest size for shapes with three such sizes. Beyond it, each size has small ones beside it, so that it costs little. */
const TOGETHER = 128;
const BESIDE = 80;
/** One large size in this many has two tiny ones beside it, which registers hold whole. */
const [SELDOM, TINY] = [8, 3];

/** Largest size for which results are also square, with sums of another length. */
const SQUARES = 32;

/**
 * Returns shapes that have each size of each dimension up to the most, since one size alone may select a code path. Where a kernel refuses
 * a shape, the cube of its size replaces it.
 */
export function everySize(random: Random, most: number, takes: (shape: Shape) => boolean): Shape[] {
  const together = Math.min(most, TOGETHER);
  const [m, k, n] = [0, 1, 2].map(() => random.permutation(together));
  const beside = (size: number, key: keyof Shape): Shape => {
    const isTiny = random.int(1, SELDOM) === 1;
    const other = () => (isTiny ? random.int(2, TINY) : random.int(1, BESIDE));
    return { m: other(), k: other(), n: other(), [key]: size };
  };
  const all = [
    ...Array.from(m, (_, at): Shape => ({ m: m[at] + 1, k: k[at] + 1, n: n[at] + 1 })),
    ...Array.from({ length: Math.min(most, SQUARES) }, (_, at): Shape => {
      return { m: at + 1, k: random.int(1, 2 * SQUARES), n: at + 1 };
    }),
    ...Array.from({ length: most - together }, (_, at) => at + together + 1).flatMap((size): Shape[] => [
      beside(size, 'm'),
      beside(size, 'k'),
      beside(size, 'n'),
    ]),
  ];
  return all.flatMap((shape) => {
    const size = Math.max(shape.m, shape.k, shape.n);
    return [shape, { m: size, k: size, n: size }].find(takes) ?? [];
  });
}
