import { describe, expect, it } from 'vitest';
import { f16, f32 } from '../precision/format.ts';
import { formats } from '../precision/formats/formats.ts';
import { onlyNaN } from './interval.ts';
import { type CodeConversion, floatTarget, formatTarget, wholeTarget } from './target.ts';

const usual: CodeConversion = { rounding: 'nearest', overflow: 'saturate', zeroPoint: 0 };
const int8 = (how: Partial<CodeConversion> = {}) => wholeTarget(formats.find('int8'), { ...usual, ...how });
const e4m3 = (how: Partial<CodeConversion> = {}) => floatTarget(formats.find('e4m3'), { ...usual, ...how });
const point = (x: number) => ({ lo: x, hi: x });

describe('codes of whole numbers', () => {
  it.each<[Partial<CodeConversion>, number, number]>([
    [{}, 2.5, 2],
    [{}, -2.5, -2],
    [{ rounding: 'nearest-away' }, 2.5, 3],
    [{ rounding: 'nearest-away' }, -2.5, -3],
    [{ rounding: 'toward-zero' }, -2.9, -2],
    [{ zeroPoint: 5 }, 2.5, 7],
    [{}, 1e9, 127],
    [{}, Number.NEGATIVE_INFINITY, -128],
    [{ overflow: 'wraps' }, 130, -126],
    [{ overflow: 'wraps', zeroPoint: 10 }, 120, -126],
  ])('%j of %d is %d', (how, x, code) => {
    const target = int8(how);
    expect(target.result(x)).toBe(code);
    expect([code - 1, code, code + 1].map((q) => target.accepts(point(x), q))).toEqual([false, true, false]);
  });

  it('counts the steps to the nearest right code, around the end where codes wrap', () => {
    const range = { lo: 3.4, hi: 5.6 };
    expect([2, 3, 6, 7, 9].map((q) => int8().steps?.(range, q))).toEqual([1, 0, 0, 1, 3]);
    const wrapping = int8({ overflow: 'wraps' });
    expect([126, 127, -128, -127, -126].map((q) => wrapping.steps?.({ lo: 127, hi: 128 }, q))).toEqual([
      1, 0, 0, 1, 2,
    ]);
    expect(int8().steps?.(range, 3.5)).toBeUndefined();
    expect(int8().accepts(range, Number.NaN)).toBe(false);
  });

  it('promises nothing for NaN', () => {
    expect([-128, 0, 127].every((q) => int8().accepts(onlyNaN, q))).toBe(true);
    expect(int8().accepts(onlyNaN, 128)).toBe(false);
  });
});

describe('codes of floating-point numbers', () => {
  it('saturates, or gives NaN where there is no infinity', () => {
    expect([e4m3().result(500), e4m3({ overflow: 'special' }).result(500)]).toEqual([448, Number.NaN]);
    expect(e4m3({ overflow: 'special' }).accepts({ lo: 440, hi: 500 }, Number.NaN)).toBe(true);
    expect(e4m3({ overflow: 'special' }).accepts({ lo: 440, hi: 460 }, Number.NaN)).toBe(false);
    expect(e4m3({ rounding: 'toward-zero' }).result(1.99)).toBe(1.875);
  });

  it('counts steps between numbers, across 0', () => {
    const steps = [1, 1.125, 1.25, 1.1].map((x) => e4m3().steps?.(point(1), x));
    expect(steps).toEqual([0, 1, 2, undefined]);
    expect(e4m3().steps?.(point(2 ** -9), -(2 ** -9))).toBe(2);
  });
});

describe('results of a format', () => {
  it('are right between the roundings of the ends', () => {
    const target = formatTarget(f16);
    const x = { lo: 1 + 2 ** -12, hi: 1 + 3 * 2 ** -11 };
    expect(
      [1 - 2 ** -11, 1, 1 + 2 ** -10, 1 + 2 ** -9, 1 + 3 * 2 ** -10].map((d) => target.accepts(x, d)),
    ).toEqual([false, true, true, true, false]);
  });

  it('may be either neighbor where the rounding is not known', () => {
    const near = point(1 + 2 ** -12);
    const either = formatTarget(f16, { rounding: 'faithful' });
    expect(
      [1, 1 + 2 ** -10].map((d) => [formatTarget(f16).accepts(near, d), either.accepts(near, d)]),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(either.accepts(point(1), 1 + 2 ** -10)).toBe(false);
  });

  it('overflow as claimed, and are NaN only where values may be', () => {
    expect(formatTarget(f16).accepts(point(1e6), Infinity)).toBe(true);
    expect(formatTarget(f16, { overflow: 'saturate' }).accepts(point(1e6), 65504)).toBe(true);
    expect(formatTarget(f32).accepts(onlyNaN, Number.NaN)).toBe(true);
    expect(formatTarget(f32).accepts(point(1), Number.NaN)).toBe(false);
    expect(formatTarget(f32).accepts({ lo: 0, hi: 0, nan: true }, Number.NaN)).toBe(true);
    expect(formatTarget(f16).accepts(point(2 ** -20), 0)).toBe(true);
  });
});
