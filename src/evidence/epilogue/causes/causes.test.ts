import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../base/random.ts';
import type { GivenStep } from '../../../epilogue/chain.ts';
import { exactProduct } from '../../../exact/exact.ts';
import { type Matrix, matrix, transpose } from '../../../matrix/dense.ts';
import { precisions } from '../../../precision/precisions.ts';
import { drawRow, honestResult } from '../honest.testing.ts';
import { judgeEpilogue } from '../judge-epilogue.ts';
import type { GivenWithEpilogue } from '../product-with-epilogue.ts';
import { weighEpilogue } from '../weigh-epilogue.ts';

const [m, k, n] = [8, 21, 8];
const BATCH = 3;
const random = createRandom(5);

/** Draws numbers from −size to size. */
const draw = (rows: number, cols: number, size = 1): Matrix =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => 2 * size * (random.uniform01() - 0.5)),
  );

const [a, b] = [draw(m, k), draw(k, n)];
const whole = (x: Matrix) =>
  matrix(
    x.rows,
    x.cols,
    x.data.map((value) => Math.round(9 * value)),
  );
const row = drawRow(random, n);
const line = matrix(1, n, row);
const bias = { step: 'bias', values: row };
const residual = { step: 'residual', values: matrix(m, n, drawRow(random, m * n)) };
const scale = { step: 'scale', values: 0.37 };
const codes = (more: object = {}) => ({ step: 'requantize', to: 'int8', scale: 0.02, zeroPoint: 9, ...more });
const clamp = { step: 'clamp', low: -0.7, high: 1.1 };
const rowScale = matrix(
  1,
  n,
  Float32Array.from(row, (_, j) => 0.02 + j / 64),
);

/** Moves entries of a matrix: entry (i, j) comes from another place. */
const moved = (x: Matrix, from: (i: number, j: number) => readonly [i: number, j: number]): Matrix =>
  matrix(
    x.rows,
    x.cols,
    x.data.map((_, e) => {
      const [i, j] = from(Math.floor(e / x.cols), e % x.cols);
      return x.data[i * x.cols + j];
    }),
  );
const nextColumn = (x: Matrix) => moved(x, (i, j) => [i, (j + 1) % x.cols]);
const withValues = (step: { step: string }, values: unknown): GivenStep => ({ ...step, values });

const likely = async (given: GivenWithEpilogue) => {
  const { verdict, looksLike } = judgeEpilogue(await weighEpilogue(given, exactProduct));
  expect(verdict).toBe('fail');
  return looksLike?.says;
};

describe('a kernel that computed other steps is told so', () => {
  const none = { low: -Number.MAX_VALUE, high: Number.MAX_VALUE };
  it.each<[says: string, epilogue: GivenStep[], computed: GivenStep[], precision?: string]>([
    ['gelu was skipped', [bias, 'gelu'], [bias]],
    ['bias was skipped', [bias, 'gelu'], ['gelu']],
    ['bias was applied after silu', [bias, 'silu'], ['silu', bias]],
    [
      'bias was subtracted',
      [bias, 'relu'],
      [
        withValues(
          bias,
          row.map((x) => -x),
        ),
        'relu',
      ],
    ],
    ['the bias of the next column was taken', [bias, 'relu'], [withValues(bias, nextColumn(line)), 'relu']],
    ['the bias of the first column was taken', [bias, 'gelu'], [withValues(bias, row[0]), 'gelu']],
    [
      'the residual of the next row was taken',
      [residual, 'relu'],
      [
        withValues(
          residual,
          moved(residual.values, (i, j) => [(i + 1) % m, j]),
        ),
        'relu',
      ],
    ],
    [
      'the residual was read as its transpose',
      [residual, 'relu'],
      [withValues(residual, transpose(residual.values)), 'relu'],
    ],
    ['residual was skipped', ['tanh', residual], ['tanh']],
    ['gelu was computed in place of gelu-tanh', ['gelu-tanh'], ['gelu']],
    ['gelu-tanh was computed in place of gelu', [bias, 'gelu'], [bias, 'gelu-tanh']],
    ['relu was computed in place of gelu', [bias, 'gelu'], [bias, 'relu']],
    ['relu was computed in place of leaky-relu', [bias, 'leaky-relu'], [bias, 'relu']],
    ['leaky-relu was computed in place of relu', [bias, 'relu'], [bias, 'leaky-relu']],
    [
      'numbers below 0 were divided by the slope',
      [{ step: 'leaky-relu', slope: 0.2 }],
      [{ step: 'leaky-relu', slope: 5 }],
    ],
    ['the factor 1/2 of gelu was left out', ['gelu'], ['gelu', { step: 'scale', values: 2 }]],
    ['the upper bound of clamp was left out', [clamp], [{ ...clamp, high: none.high }]],
    ['the lower bound of clamp was left out', [clamp], [{ ...clamp, low: none.low }]],
    ['the lower bound of clamp was left out', [{ ...clamp, low: 0 }], [{ ...clamp, low: none.low }]],
    ['the upper bound of clamp was left out', [{ ...clamp, low: 0 }], ['relu']],
    ['clamp was skipped', [clamp], []],
    ['scale was skipped', [scale, bias], [bias]],
    ['scale was applied twice', [scale, 'relu'], [scale, scale, 'relu']],
    ['entries were divided by the scale', [scale, 'relu'], [{ step: 'scale', values: 1 / 0.37 }, 'relu']],
    ['the halves of swiglu changed places', ['swiglu'], ['swiglu:gate-last']],
    ['codes were truncated in place of rounded', [codes()], [codes({ rounding: 'toward-zero' })]],
    [
      'codes beyond the range wrapped around in place of saturating',
      [codes()],
      [codes({ overflow: 'wraps' })],
    ],
    ['codes were saturated at -127', [codes()], [{ ...clamp, low: -136 * 0.02, high: 9 }, codes()]],
    ['the zero point was added twice', ['relu', codes()], ['relu', codes({ zeroPoint: 18 })]],
    ['the zero point was left out', ['relu', codes()], ['relu', codes({ zeroPoint: 0 })]],
    ['the zero point was subtracted', ['relu', codes()], ['relu', codes({ zeroPoint: -9 })]],
    [
      'the requantization scale of the next column was taken',
      [codes({ scale: rowScale })],
      [codes({ scale: nextColumn(rowScale) })],
    ],
    ['entries were multiplied by the scale', [codes({ scale: 0.3 })], [codes({ scale: 1 / 0.3 })]],
    [
      'entries were rounded to bf16 before relu',
      [bias, 'relu', scale],
      [bias, { step: 'round', to: 'bf16' }, 'relu', scale],
    ],
    ['gelu was skipped', [bias, 'gelu'], [bias], 'bf16-f32-bf16'],
    ['the scale was left out', [scale, codes()], [scale, codes({ scale: 1 })], 'int8-i32'],
  ])('%s: %j', async (says, epilogue, computed, precision = 'f32') => {
    const { a: left } = precisions.find(precision);
    const stored = (x: Matrix) =>
      precision === 'int8-i32' ? whole(x) : matrix(x.rows, x.cols, x.data.map(left.round));
    const given = { a: stored(a), b: stored(b), precision };
    const d = honestResult({ ...given, epilogue: computed }, false);
    expect(await likely({ ...given, epilogue, d })).toBe(says);
  });
});

describe('a kernel that computed no such steps is told so', () => {
  const sums = honestResult({ a, b, epilogue: [] }, false);
  const at = (i: number, j: number) => sums.data[i * n + j];
  const gated = (entry: (i: number, j: number) => number) =>
    matrix(
      m,
      n / 2,
      Float32Array.from({ length: (m * n) / 2 }, (_, e) => entry(Math.floor(e / (n / 2)), e % (n / 2))),
    );
  const silu = (x: number) => x / (1 + Math.exp(-x));
  const relu = (x: number) => Math.max(0, x);
  const ofTerms = (from: number, to: number, epilogue: GivenStep[]) =>
    honestResult(
      {
        a: matrix(
          m,
          to - from,
          Float32Array.from({ length: m * (to - from) }, (_, e) => {
            const [i, q] = [Math.floor(e / (to - from)), e % (to - from)];
            return a.data[i * k + from + q];
          }),
        ),
        b: matrix(to - from, n, b.data.slice(from * n, to * n)),
        epilogue,
      },
      false,
    );
  it.each<[says: string, epilogue: GivenStep[], d: Matrix]>([
    ['the gate of swiglu was not activated', ['swiglu'], gated((i, j) => at(i, j) * at(i, j + n / 2))],
    ['the gate of swiglu was relu', ['swiglu'], gated((i, j) => relu(at(i, j)) * at(i, j + n / 2))],
    [
      'the gate of swiglu was relu of the other half',
      ['swiglu'],
      gated((i, j) => at(i, j) * relu(at(i, j + n / 2))),
    ],
    [
      'the gate of swiglu was sigmoid',
      ['swiglu'],
      gated((i, j) => (1 / (1 + Math.exp(-at(i, j)))) * at(i, j + n / 2)),
    ],
    [
      'swiglu took even and odd columns in place of halves',
      ['swiglu'],
      gated((i, j) => silu(at(i, 2 * j)) * at(i, 2 * j + 1)),
    ],
    [
      'codes were rounded down in place of to nearest',
      [codes({ scale: 0.125 })],
      matrix(
        m,
        n,
        sums.data.map((x) => Math.floor(x / 0.125) + 9),
      ),
    ],
    ['the last term of k is missing', [bias, 'relu'], ofTerms(0, k - 1, [bias, 'relu'])],
    ['the last 5 terms of k are missing', [bias, 'gelu'], ofTerms(0, k - 5, [bias, 'gelu'])],
    ['the first term of k is missing', [codes()], ofTerms(1, k, [codes()])],
  ])('%s', async (says, epilogue, d) => {
    expect(await likely({ a, b, epilogue, d })).toBe(says);
  });
});

describe('a batch', () => {
  const [lefts, rights] = [draw(BATCH * m, k), draw(BATCH * k, n)];
  const own = matrix(BATCH * m, n, drawRow(random, BATCH * m * n));
  /** Computes each product with its part of a residual. */
  const compute = (residuals: Matrix): Matrix => {
    const part = (x: Matrix, rows: number, p: number) =>
      matrix(rows, x.cols, x.data.slice(p * rows * x.cols, (p + 1) * rows * x.cols));
    const all = Array.from({ length: BATCH }, (_, p) => {
      const epilogue = [withValues({ step: 'residual' }, part(residuals, m, p)), 'relu'];
      return honestResult({ a: part(lefts, m, p), b: part(rights, k, p), epilogue }, false);
    });
    return matrix(BATCH * m, n, Float32Array.from(all.flatMap(({ data }) => [...data])));
  };
  it.each<[place: string, from: (i: number, j: number) => readonly [number, number]]>([
    ['of the next product of the batch', (i, j) => [(i + m) % (BATCH * m), j]],
    ['of the previous product of the batch', (i, j) => [(i + (BATCH - 1) * m) % (BATCH * m), j]],
    ['of the first product of the batch', (i, j) => [i % m, j]],
    ['of the previous row', (i, j) => [Math.floor(i / m) * m + ((i + m - 1) % m), j]],
  ])('the residual %s was taken', async (place, from) => {
    const epilogue = [withValues({ step: 'residual' }, own), 'relu'];
    const given = { a: lefts, b: rights, batch: BATCH, epilogue };
    expect(await likely({ ...given, d: compute(moved(own, from)) })).toBe(`the residual ${place} was taken`);
  });
});

it('a factor is told from the addend that it multiplied', async () => {
  const epilogue = [bias, 'relu'];
  const d = honestResult(
    {
      a: matrix(
        m,
        k,
        a.data.map((x) => 3 * x),
      ),
      b,
      epilogue: [
        withValues(
          bias,
          row.map((x) => 3 * x),
        ),
        'relu',
      ],
    },
    false,
  );
  expect(await likely({ a, b, alpha: 3, epilogue, d })).toBe('bias was multiplied by alpha');
});

it('an entry that many mistakes give is no evidence', async () => {
  const epilogue = [bias, 'relu', codes()];
  const d = honestResult({ a, b, epilogue }, false);
  const at = d.data.findIndex((code) => code > 40);
  for (const found of [d.data[at] - 1, 9]) {
    const off = matrix(
      m,
      n,
      d.data.map((code, e) => (e === at ? found : code)),
    );
    expect(await likely({ a, b, epilogue, d: off })).toBeUndefined();
  }
});
