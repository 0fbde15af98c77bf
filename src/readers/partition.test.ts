import { expect, it } from 'vitest';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { type ClaimedFringe, claimedFringes, padAsClaimed } from './partition.ts';

const numbered = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, at) => at + 1),
  );
const base = { m: 2, k: 3, n: 1 };

it.each<[ClaimedFringe, number, object]>([
  ['static-pad', 1, { m: 6, k: 6, n: 7 }],
  ['static-pad', 2, { m: 8, k: 9, n: 7 }],
  ['power-pad', 1, { m: 8, k: 9, n: 7 }],
  ['power-pad', 2, { m: 8, k: 9, n: 7 }],
  ['power-pad', 3, { m: 8, k: 27, n: 7 }],
  ['dynamic-pad', 1, { m: 6, k: 6, n: 7 }],
  ['dynamic-pad', 2, { m: 8, k: 9, n: 7 }],
])('%s of %i levels makes 5×4×7 as large as its blocks need', (fringe, levels, shape) => {
  expect(padAsClaimed(fringe, base, levels, { m: 5, k: 4, n: 7 })?.shape).toEqual(shape);
});

it.each(['static-pad', 'power-pad', 'dynamic-pad'] as const)(
  '%s keeps every entry once, among zeros, and takes results from where rows and columns went',
  (fringe) => {
    const [a, b] = [numbered(5, 4), numbered(4, 7)];
    const zeros = padAsClaimed(fringe, base, 2, { m: 5, k: 4, n: 7 });
    const [wide, high] = [zeros!.a(a), zeros!.b(b)];
    expect([wide.rows, wide.cols, high.rows, high.cols]).toEqual([8, 9, 9, 7]);
    for (const [of, from] of [
      [wide, a],
      [high, b],
    ])
      expect([...of.data].filter((x) => x !== 0).sort((x, y) => x - y)).toEqual([...from.data]);
    // A product of padded operands holds that of A and B at the places of the rows of A and the columns of B.
    const times = (x: Matrix, y: Matrix) =>
      matrix(
        x.rows,
        y.cols,
        Float64Array.from({ length: x.rows * y.cols }, (_, e) => {
          const [i, j] = [Math.floor(e / y.cols), e % y.cols];
          let sum = 0;
          for (let p = 0; p < x.cols; p++) sum += x.data[i * x.cols + p] * y.data[p * y.cols + j];
          return sum;
        }),
      );
    expect(zeros!.taken(times(wide, high))).toEqual(times(a, b));
  },
);

it('dynamic-pad adds zeros to each block that is halved, static-pad after all', () => {
  const rowsOf = (fringe: ClaimedFringe) => [
    ...padAsClaimed(fringe, { m: 2, k: 1, n: 1 }, 2, { m: 5, k: 1, n: 1 })!.a(numbered(5, 1)).data,
  ];
  // Halves of 3 and 2 rows, which split into 2 and 1.
  expect(rowsOf('dynamic-pad')).toEqual([1, 2, 3, 0, 4, 5, 0, 0]);
  expect(rowsOf('static-pad')).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
});

it('peeling adds no zeros', () => {
  const shape = { m: 5, k: 4, n: 7 };
  const unpadded = claimedFringes.filter((fringe) => padAsClaimed(fringe, base, 1, shape) === undefined);
  expect(unpadded).toEqual(['static-peel', 'dynamic-peel']);
});
