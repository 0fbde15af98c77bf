import { lookUp } from '../../src/base/objects.ts';
import { createRandom } from '../../src/base/random.ts';
import { type Matrix, matrix, type Shape } from '../../src/matrix/dense.ts';

const FAR = 2 ** 20;

/** Scale factors of a pair, as functions of the place: for the rows and columns of A and of B. */
interface Sizes {
  readonly row: (i: number, m: number) => number;
  readonly inner: (l: number, k: number) => number;
  readonly col: (j: number, n: number) => number;
}
const ONE = () => 1;
const half = (at: number, length: number): number => (at < length / 2 ? 1 : FAR);

/** Pairs that fast algorithms multiply inaccurately, by what is scaled: uniform on [−1, 1] times powers of two. */
export const illScaled: Readonly<Record<string, Sizes>> = {
  'no scaling': { row: ONE, inner: ONE, col: ONE },
  'rows of A': { row: half, inner: ONE, col: ONE },
  'columns of B': { row: ONE, inner: ONE, col: half },
  'columns of A against rows of B': { row: ONE, inner: half, col: ONE },
  'rows, columns and inside': { row: half, inner: half, col: half },
};

/** Makes a pair of binary32 matrices: column l of A is multiplied by `inner(l)`, row l of B is divided by it. */
export function illScaledPair(name: string, { m, k, n }: Shape, seed: number): { a: Matrix; b: Matrix } {
  const { row, inner, col } = lookUp(illScaled, name) as Sizes;
  const fill = (rows: number, cols: number, stream: number, factor: (i: number, j: number) => number) => {
    const random = createRandom(seed, stream);
    return matrix(
      rows,
      cols,
      Float32Array.from(
        { length: rows * cols },
        (_, e) => random.uniform(-1, 1) * factor(Math.floor(e / cols), e % cols),
      ),
    );
  };
  return {
    a: fill(m, k, 1, (i, l) => row(i, m) * inner(l, k)),
    b: fill(k, n, 2, (l, j) => col(j, n) / inner(l, k)),
  };
}
