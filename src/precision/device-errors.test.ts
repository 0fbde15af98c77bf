import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { type APrioriBound, aPriori } from '../readers/a-priori.ts';
import { analyze } from '../readers/analysis.ts';
import { type Arithmetic, emulated } from './arithmetic.ts';
import { roundingIn } from './claimed-rounding.ts';
import { deviationOf, operandErrorOf, underflowOf, unitRoundoffOf } from './device-errors.ts';
import { applyClaims, type Computation } from './precision.ts';
import { isSampled, precisions } from './precisions.ts';

const mixed = ['f16-f32', 'tf32-f32', 'bf16-f32'] as const;
const u = 2 ** -24;

const inName = (name: string, arithmetic: Arithmetic = emulated): Computation => ({
  precision: precisions.find(name),
  arithmetic,
});

const row = (...entries: number[]) => matrix(1, entries.length, Float32Array.from(entries));
const column = (...entries: number[]) => matrix(entries.length, 1, Float32Array.from(entries));

function analysisOf(precision: string, a: Matrix, b: Matrix) {
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const plan = compile({ algorithm: findAlgorithm('classical'), shape, depth: { levels: 0 } });
  return analyze(plan, a, b, inName(precision));
}

describe.each(mixed)('operands rounded in %s', (precision) => {
  const { unitRoundoff, minSubnormal } = precisions.find(precision).multiplied;
  /** A factor that moves numbers of the format off the format. */
  const off = 1 + 2 ** -20;

  test.each([1, 2, 64])('cost a bound of k = %i two unit roundoffs of theirs beside k of the sums', (k) => {
    const a = row(...Array.from({ length: k }, (_, p) => (1 + p / 3) * off));
    const b = column(...Array.from({ length: k }, (_, p) => (2 - p / 7) * off));
    const size = a.data.reduce((sum, x, p) => sum + Math.abs(x * b.data[p]), 0);
    const bound = analysisOf(precision, a, b).bound.data[0] / size;
    const expected = 2 * unitRoundoff + k * u;
    expect(bound).toBeGreaterThanOrEqual(expected);
    expect(bound).toBeLessThan(expected * (1 + 8 * unitRoundoff));
  });

  test('have variances of their own, independent of those of the sums', () => {
    const sigma = analysisOf(precision, row(3 * off), column(5 * off)).sigma.data[0];
    expect(sigma / (15 * off ** 2 * Math.sqrt(2 * unitRoundoff ** 2 + 1.5 * u ** 2))).toBeCloseTo(1, 4);
  });

  test('lose no more of a subnormal one than half the smallest, in units of the other', () => {
    const [a, b] = [row(minSubnormal * 1.25), column(2 ** 15)];
    const { bound } = analysisOf(precision, a, b);
    expect(bound.data[0]).toBeGreaterThanOrEqual((minSubnormal / 2) * 2 ** 15);
    expect(bound.data[0]).toBeLessThan(minSubnormal * 2 ** 15 * (1 + 4 * unitRoundoff));
    expect(analysisOf(precision, row(0), b).bound.data[0]).toBeLessThan(2 ** -140);
  });

  test('are charged nothing where the format holds them', () => {
    const { bound, sigma } = analysisOf(precision, row(3, 1, 2), column(5, 1, 0));
    expect(bound.data[0]).toBeLessThan(16 * 3 * u * (1 + 4 * u) + 2 ** -140);
    expect(sigma.data[0]).toBeLessThan(16 * 3 * u);
  });

  test('enter the a-priori bound likewise, at the leaf alone', () => {
    const shape = { m: 8, k: 8, n: 8 };
    const of = (name: string, levels: number, operands: number): APrioriBound =>
      aPriori(compile({ algorithm: findAlgorithm(name), shape, depth: { levels } }), u, operands);
    const leaf = of('classical', 0, unitRoundoff);
    const gamma = leaf.kind === 'componentwise' ? leaf.gamma : Number.NaN;
    const expected = 2 * unitRoundoff + 8 * u;
    expect(gamma).toBeGreaterThan(expected);
    expect(gamma).toBeLessThan(expected * (1 + 8 * unitRoundoff));
    expect(of('classical', 1, unitRoundoff).factor).toBe(leaf.factor);
    // To first order, Strassen's level takes the error of a product 12 times: 12·k₀ = 48 times 2·u_in.
    const strassen = of('strassen', 1, unitRoundoff).factor - of('strassen', 1, 0).factor;
    expect(strassen / (48 * 2 * unitRoundoff)).toBeCloseTo(1, 1);
  });
});

test.each(mixed)('operands of %s err by no more than is charged, subnormal ones too', (name) => {
  const precision = precisions.find(name);
  const { multiplied } = precision;
  for (const rounding of ['nearest', 'toward-zero'] as const) {
    const { round } = roundingIn(multiplied, rounding);
    const charged = operandErrorOf({ ...inName(name), operands: { rounding } });
    const { relative, absolute } = charged as NonNullable<typeof charged>;
    // Just below and just above midpoints, and just below the next number.
    for (const steps of [0.499, 0.501, 0.999, 1.499, 1.999, 2 ** 9 + 0.999]) {
      const x = steps * multiplied.minSubnormal;
      expect(Math.abs(x - round(x)), `${rounding} ${steps}`).toBeLessThanOrEqual(relative * x + absolute);
    }
  }
});

test('an operand that may become infinite has no bound', () => {
  for (const [precision, finite] of [
    ['f16-f32', false],
    ['tf32-f32', true],
  ] as const) {
    const { bound } = analysisOf(precision, row(65520, 1), column(1, 1));
    expect(Number.isFinite(bound.data[0])).toBe(finite);
  }
});

test('the first-order numbers of each precision', () => {
  const table = Object.fromEntries(
    precisions.items.filter(isSampled).map(({ name }) => {
      const of = inName(name);
      return [name, [unitRoundoffOf(of), deviationOf(of), operandErrorOf(of)?.relative]];
    }),
  );
  expect(table).toEqual({
    f16: [2 ** -11, 2 ** -11, undefined],
    f32: [u, u, undefined],
    'f16-f32': [u, u, 2 ** -11],
    'tf32-f32': [u, u, 2 ** -11],
    'bf16-f32': [u, u, 2 ** -8],
    f64: [2 ** -53, 2 ** -53, undefined],
    f32x2: [7.25 * 2 ** -48, 2 ** -48, undefined],
    c32: [u, u, undefined],
    c64: [2 ** -53, 2 ** -53, undefined],
  });
});

test('underflow is that of the working format; a sum of pairs is of many operations', () => {
  expect(underflowOf(inName('f16'))).toEqual({ product: 2 ** -24, sum: 0, operand: 0 });
  expect(underflowOf(inName('f64'))).toEqual({ product: 2 ** -1074, sum: 0, operand: 0 });
  expect(underflowOf(inName('bf16-f32')).product).toBe(2 ** -149);
  expect(underflowOf(inName('f32x2'))).toEqual({ product: 24 * 2 ** -149, sum: 0, operand: 0 });
  const flushing = inName('f32x2', { ...emulated, subnormals: 'either' });
  expect(underflowOf(flushing)).toEqual({ product: 24 * 2 ** -126, sum: 24 * 2 ** -126, operand: 2 ** -126 });
});

/** Truncates a whole number toward zero to `bits` bits. */
function cutOff(x: bigint, bits: number): bigint {
  const beyond = BigInt(Math.max(0, x.toString(2).length - bits));
  return (x >> beyond) << beyond;
}

describe.each(['f16', 'f32', 'f64'])('sums in %s that are cut off', (name) => {
  const precision = precisions.find(name);
  const bits = precision.accumulated.precision;
  // 1, and numbers just below its last place, each of which is lost.
  const k = 48;
  const [one, small] = [2n ** BigInt(2 * bits - 1), 2n ** BigInt(bits) - 1n];
  const terms = [one, ...Array.from({ length: k - 1 }, () => small)];
  const unit = 2 ** (1 - 2 * bits);
  const sum = terms.reduce((before, term) => cutOff(before + term, bits), 0n);
  const error = Number(terms.reduce((x, y) => x + y) - sum) * unit;

  const boundIn = (rounding: Arithmetic['rounding']) => {
    const numbers = (values: readonly number[]) =>
      name === 'f64' ? Float64Array.from(values) : Float32Array.from(values);
    const a = matrix(1, k, numbers(terms.map((term) => Number(term) * unit)));
    const b = matrix(k, 1, numbers(terms.map(() => 1)));
    const plan = compile({ algorithm: findAlgorithm('classical'), shape: { m: 1, k, n: 1 } });
    return analyze(plan, a, b, applyClaims(precision, { arithmetic: { rounding } }, emulated)).bound.data[0];
  };

  test.each(['toward-zero', 'faithful'] as const)(
    'are within the bound of %s, which they nearly reach',
    (rounding) => {
      expect(sum).toBe(one);
      expect(error).toBeLessThanOrEqual(boundIn(rounding));
      expect(error).toBeGreaterThan(0.85 * boundIn(rounding));
    },
  );

  test('exceed that of sums to nearest, which is half as large', () => {
    expect(error).toBeGreaterThan(1.7 * boundIn('nearest'));
    expect(boundIn('toward-zero') / boundIn('nearest')).toBeGreaterThan(1.999);
  });
});
