import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { matrix } from './dense.ts';
import { type Diagonal, diagonals, scaleBack, scalePair } from './diagonal.ts';

const { fround } = Math;
const single = { a: fround, b: fround };
const ways = Object.keys(diagonals) as Diagonal[];

/** Draws entries over many binades, with a random scale for each row and column. */
function drawn(rows: number, cols: number, seed: number) {
  const random = createRandom(seed);
  const [r, c] = [rows, cols].map((length) =>
    Array.from({ length }, () => 2 ** Math.floor(random.uniform(-12, 12))),
  );
  return matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, e) =>
      fround(random.uniform(-1, 1) * r[Math.floor(e / cols)] * c[e % cols]),
    ),
  );
}

const product = (a: { rows: number; cols: number; data: ArrayLike<number> }, b: typeof a) =>
  matrix(
    a.rows,
    b.cols,
    Float64Array.from({ length: a.rows * b.cols }, (_, e) => {
      let sum = 0;
      for (let k = 0; k < a.cols; k++)
        sum += a.data[Math.floor(e / b.cols) * a.cols + k] * b.data[k * b.cols + (e % b.cols)];
      return sum;
    }),
  );

it.each(ways)('%s: the product scaled back is that of the operands, to the last bit', (how) => {
  const [a, b] = [drawn(5, 7, 1), drawn(7, 4, 2)];
  const pair = scalePair({ a, b }, how, single);
  expect(pair.a.data).not.toEqual(a.data);
  // Sums in double of exact products round alike in all units, up to the order of summation: the same k, one after the other.
  expect(scaleBack(product(pair.a, pair.b), pair).data).toEqual(product(a, b).data);
});

it('brings rows of A and columns of B to [1, 2), and what is summed to like sizes', () => {
  const [a, b] = [drawn(6, 6, 3), drawn(6, 6, 4)];
  const outside = scalePair({ a, b }, 'outside', single);
  const rowsOf = ({ rows, cols, data }: typeof outside.a) =>
    Array.from({ length: rows }, (_, i) => Math.max(...data.slice(i * cols, (i + 1) * cols).map(Math.abs)));
  for (const most of rowsOf(outside.a)) {
    expect(most).toBeGreaterThanOrEqual(1);
    expect(most).toBeLessThan(2);
  }
  const inside = scalePair({ a, b }, 'inside', single);
  const columns = (of: typeof inside.a) =>
    Array.from({ length: of.cols }, (_, k) =>
      Math.max(...Array.from({ length: of.rows }, (_, i) => Math.abs(of.data[i * of.cols + k]))),
    );
  for (const [k, most] of rowsOf(inside.b).entries())
    expect(Math.abs(Math.log2(most / columns(inside.a)[k]))).toBeLessThan(2.01);
  expect([...inside.rows, ...inside.cols].every((exponent) => exponent === 0)).toBe(true);
});

it('leaves rows of zeros, and scales nothing where an entry would leave its format', () => {
  const zeros = matrix(2, 2, Float32Array.of(0, 0, 4, 8));
  const pair = scalePair({ a: zeros, b: zeros }, 'repeated-outside-inside', single);
  expect(pair.a.data.slice(0, 2)).toEqual(Float32Array.of(0, 0));
  const far = matrix(1, 2, Float32Array.of(2 ** 100, 2 ** -60));
  const one = matrix(2, 1, Float32Array.of(1, 1));
  expect(scalePair({ a: far, b: one }, 'outside', single)).toMatchObject({ a: far, b: one });
  const special = matrix(1, 2, Float32Array.of(Number.POSITIVE_INFINITY, 1));
  expect(scalePair({ a: special, b: one }, 'outside', single).a.data).toEqual(special.data);
});
