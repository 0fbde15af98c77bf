import { describe, expect, it } from 'vitest';
import type { ArithmeticClaims, RunningSum } from '../precision/arithmetic.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { compensatedErrors, leafErrors } from './leaf-sums.ts';
import { additionOf, stagesOf } from './summation-stages.ts';

const single = precisions.find('f32').accumulated;
const u = 2 ** -24;

it.each<[RunningSum, number, number, number]>([
  [{ rounding: 'nearest' }, u, u, 0],
  [{ rounding: 'faithful' }, 2 * u, 2 * u, u],
  [{ rounding: 'stochastic' }, 2 * u, u, 0],
  [{ rounding: 'toward-zero' }, 2 * u, u, u],
  [{ rounding: 'nearest', bits: 11 }, 2 ** -11, 2 ** -11, 0],
  [{ rounding: 'toward-zero', bits: 30 }, 2 ** -29, 2 ** -30, 2 ** -30],
])('an addition of %o loses so much, errs and drifts by so much', (running, loss, deviation, drift) => {
  expect(additionOf(running, single)).toEqual({ loss, deviation, drift, cut: 0 });
});

describe('products that reach sums of more bits than their format', () => {
  const errors = (arithmetic: ArithmeticClaims, name = 'f32') =>
    leafErrors(applyClaims(precisions.find(name), { arithmetic }), 8);

  it.each<[ArithmeticClaims['accumulator'], string?]>([
    [{ bits: 53 }],
    [{ bits: 30 }],
    [{ bits: 53, promoted: 4 }],
    [{ bits: 53, compensated: 'kahan' }],
    [{ bits: 53, compensated: 'neumaier' }],
    [{ bits: 53 }, 'f16-f32'],
    [{ bits: 64 }, 'f64'],
  ])('of %o lose a rounding more unless they are claimed to be whole', (accumulator, name = 'f32') => {
    const own = precisions.find(name).accumulated.unitRoundoff;
    const [open, twice, once] = [{}, { fma: 'twice' }, { fma: 'once' }].map((said) =>
      errors({ accumulator, ...(said as ArithmeticClaims) }, name),
    );
    expect(twice).toEqual(open);
    expect((open.loss - once.loss) / own).toBeCloseTo(1, 4);
    expect((open.terms - once.terms) / own ** 2).toBeCloseTo(1, 4);
  });

  it('lose toward zero where all rounds so', () => {
    const cut: ArithmeticClaims = { rounding: 'toward-zero', accumulator: { bits: 53 } };
    const [open, once] = [errors(cut), errors({ ...cut, fma: 'once' })];
    expect((open.loss - once.loss) / u).toBeCloseTo(2, 4);
    expect((open.mean - once.mean) / u ** 2).toBeCloseTo(1, 4);
  });

  it.each<ArithmeticClaims['accumulator']>([{ bits: 24 }, { bits: 26, terms: 8 }, {}])(
    'lose no more where sums of %o have no more, or take them whole',
    (accumulator) => {
      expect(errors({ accumulator })).toEqual(errors({ accumulator, fma: 'once' }));
    },
  );
});

describe('sums of 64 terms', () => {
  const stage = (leaves: number, terms: number, isHalved = false) => ({ leaves, terms, isHalved });
  const nearest = { loss: u, deviation: u, drift: 0, cut: 0 };

  it.each([
    [{}, [stage(64, 1)]],
    [{ order: 'sequential', parts: 4 } as const, [stage(64, 1)]],
    [{ order: 'blocked', partition: 8 } as const, [stage(8, 1), stage(8, 8)]],
    [{ order: 'split-k', parts: 3 } as const, [stage(64, 1)]],
    [{ order: 'split-k', parts: 3, cut: 'even' } as const, [stage(22, 1), stage(3, 22)]],
    [
      { order: 'split-k', parts: 60, cut: 'even' } as const,
      [stage(2, 1), { ...stage(60, 64 / 60), largest: 2 / 64 }],
    ],
    [
      { order: 'split-k', parts: 3, cut: { tile: 16 } } as const,
      [stage(32, 1), { ...stage(3, 64 / 3), largest: 1 / 2 }],
    ],
    [
      { order: 'split-k', parts: 5, cut: 'rest-last' } as const,
      [stage(16, 1), { ...stage(5, 64 / 5), largest: 1 / 4 }],
    ],
    [{ order: 'split-k', parts: 65, cut: 'rest-last' } as const, [stage(64, 1)]],
    [{ order: 'pairwise', partition: 16 } as const, [stage(16, 1), stage(4, 16, true)]],
    [{ order: 'pairwise' } as const, [stage(64, 1)]],
  ])('%o have stages', (sums, stages) => {
    const running = { rounding: 'nearest' } as const;
    const found = stagesOf(64, { ...sums, running: [running] }, running, single);
    expect(found).toEqual(stages.map((one) => ({ ...one, ...nearest })));
  });

  it('that are promoted are rounded to the format outside, by as few bits as are kept inside', () => {
    const running = { rounding: 'toward-zero', bits: 14, promoted: 16 } as const;
    expect(stagesOf(64, { running: [running] }, running, single)).toEqual([
      { ...stage(16, 1), loss: 2 ** -13, deviation: 2 ** -14, drift: 2 ** -14, cut: 0 },
      { ...stage(4, 16), loss: 2 * u, deviation: u, drift: u, cut: 0 },
    ]);
  });

  it('by four at a time in a window of 27 bits lose of five terms what is behind it, and a rounding', () => {
    const running = { rounding: 'toward-zero', terms: 4, bits: 27 } as const;
    const cut = 2 ** -26;
    expect(stagesOf(64, { running: [running] }, running, single)).toEqual([
      {
        ...stage(16, 4),
        loss: 5 * cut + 2 * u,
        deviation: Math.hypot(Math.sqrt(5 / 3) * cut, u),
        drift: u,
        cut: cut / 2,
      },
    ]);
    const [narrow] = stagesOf(64, { running: [running] }, { ...running, bits: 14 }, single);
    expect(narrow).toMatchObject({ loss: 5 * 2 ** -13 + 2 ** -13, drift: 2 ** -14 });
    const [own] = stagesOf(64, { running: [running] }, { ...running, bits: 24 }, single);
    expect(own.drift).toBe(0);
  });
});

describe('errors of sums wider than their format', () => {
  const wide = (promoted?: number) =>
    leafErrors(
      applyClaims(precisions.find('f32'), {
        arithmetic: { fma: 'once', accumulator: { bits: 30, promoted } },
      }),
      64,
    );

  it('are those of one rounding of the result, or of each group that is promoted', () => {
    expect(wide().result).toBe(u ** 2);
    expect(wide(16).result).toBe(0);
    expect(wide(16).terms - wide().terms).toBeGreaterThan(u ** 2);
    expect(wide().loss).toBeLessThan(1.1 * (u + 64 * 2 ** -30));
  });
});

it.each([
  ['kahan', 2 ** 20, 5.5 * u + 11 * 2 ** 20 * u * u, 4 * 2 ** 20 * u * u],
  ['kahan', 2 ** 46, Infinity, 4 * 2 ** 46 * u * u],
  ['neumaier', 2 ** 20, 2.1 * u + 1.1 * (2 ** -4 / (1 - 2 ** -4)) ** 2, 2 ** 20 * u * u],
  ['neumaier', 2 ** 23, Infinity, 2 ** 23 * u * u],
] as const)('sums compensated as by %s of %i terms lose so much', (compensated, k, loss, second) => {
  const found = compensatedErrors(k, { compensated, rounding: 'nearest' }, single);
  if (loss === Infinity) expect(found.loss).toBe(loss);
  else expect(found.loss / loss).toBeCloseTo(1, 12);
  expect(found.mean / second ** 2).toBeCloseTo(1, 12);
  expect(found).toMatchObject({ terms: 3 * u * u + found.mean, result: u * u, largest: 0, signs: 0 });
});

it.each([
  [{ order: 'split-k', parts: 8, cut: 'even' }, 512, 7],
  [{ order: 'split-k', parts: 8 }, 4096, 7],
  [{ order: 'blocked', partition: 64 }, 64, 63],
  [{ order: 'pairwise', partition: 64 }, 64, 6],
] as const)(
  'compensated sums of 4096 terms, %o, lose as one of %i terms and %i additions do',
  (order, k, h) => {
    const accumulator = { compensated: 'kahan' } as const;
    const { loss } = leafErrors(
      applyClaims(precisions.find('f32'), { ...order, arithmetic: { accumulator } }),
      4096,
    );
    const part = compensatedErrors(k, { ...accumulator, rounding: 'nearest' }, single).loss;
    expect((1 + loss) / (1 + part)).toBeCloseTo(1 + (h * u) / (1 - h * u), 12);
  },
);
