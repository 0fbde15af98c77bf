import { expect, test } from 'vitest';
import { catchParanoiaError } from '../../base/errors.ts';
import { fromHalfBits } from '../../matrix/half-bits.ts';
import type { Encoding } from '../coding/code.ts';
import { formats } from './formats.ts';

const INF = Number.POSITIVE_INFINITY;

/** Numbers beyond the largest one, and infinity, with their standard's conversions with and without saturation. */
const conversions: readonly (readonly [name: string, largest: number, beyond: number, special: number])[] = [
  ['f16', 65504, 65520, INF],
  ['bf16', (2 - 2 ** -7) * 2 ** 127, (2 - 2 ** -8) * 2 ** 127, INF],
  // The tie at 464 goes to the even one of 448 and 480, which would come next.
  ['e4m3', 448, 464 + 2 ** -32, Number.NaN],
  ['e5m2', 57344, 61440, INF],
  ['e4m3fnuz', 240, 248, Number.NaN],
  ['e5m2fnuz', 57344, 61440, Number.NaN],
  ['e3m2', 28, 30, 28],
  ['e2m3', 7.5, 7.75, 7.5],
  ['e2m1', 6, 7, 6],
  ['mxint8', 127 / 64, 127.5 / 64, 127 / 64],
  ['ue4m3', 448, 464 + 2 ** -32, Number.NaN],
  ['e8m0', 2 ** 127, 1.5 * 2 ** 127, Number.NaN],
  ['int8', 127, 127.5, 127],
  ['uint8', 255, 255.5, 255],
  ['int4', 7, 7.5, 7],
  ['uint4', 15, 15.5, 15],
  ['i32', 2 ** 31 - 1, 2 ** 31 - 0.5, 2 ** 31 - 1],
];

test('every format is told of', () => {
  expect(conversions.map(([name]) => name).sort()).toEqual(formats.items.map(({ name }) => name).sort());
});

test.each(conversions)('%s has %d for what is beyond it', (name, largest, beyond, special) => {
  const format = formats.find(name);
  const { code, holds, round } = format;
  const become = (x: number, how?: Encoding) => code.decode(code.encode(x, how));
  for (const x of [beyond, 2 * beyond, 1e300, INF]) {
    expect(become(x)).toBe(special);
    expect(become(x, { overflow: 'saturate' })).toBe(largest);
    // For the bounds, a number beyond a format is not its largest number.
    expect(round(x)).toBe(holds.infinity ? INF : Number.NaN);
    for (const rounding of ['toward-zero', 'down'] as const) {
      expect(become(x, { rounding })).toBe(x === INF ? special : largest);
    }
    expect(become(x, { rounding: 'up' })).toBe(special);
  }
  const before = beyond * (1 - 2 ** -36);
  for (const overflow of ['saturate', 'special'] as const) expect(become(before, { overflow })).toBe(largest);
  expect(round(before)).toBe(largest);
});

test.each(conversions)(
  '%s has the negative of it, or nothing below zero',
  (name, largest, beyond, special) => {
    const { code, holds, round } = formats.find(name);
    const become = (x: number, how?: Encoding) => code.decode(code.encode(x, how));
    const isTwosComplement = name.includes('int') || name === 'i32';
    if (holds.negative) {
      const least = isTwosComplement ? -largest - become(1, {}) * (name === 'mxint8' ? 1 / 64 : 1) : -largest;
      expect(become(-2 * beyond, { overflow: 'saturate' })).toBe(least);
      expect(become(-2 * beyond)).toBe(isTwosComplement ? least : -special);
      expect(round(-2 * beyond)).toBe(holds.infinity ? -INF : Number.NaN);
      expect(round(least)).toBe(least);
    } else {
      for (const x of [-1, -INF]) {
        expect(become(x)).toBe(holds.nan ? Number.NaN : 0);
        expect(round(x)).toBeNaN();
      }
    }
  },
);

test.each(formats.items.map(({ name }) => name))('%s takes NaN, or says that it cannot', (name) => {
  const { code, holds, round } = formats.find(name);
  const become = catchParanoiaError(() => code.encode(Number.NaN, { overflow: 'saturate' }));
  if (holds.nan) expect(code.decode(become as number)).toBeNaN();
  else
    expect(become).toMatchObject({ code: 'not-stored', exitCode: 2, message: expect.stringContaining(name) });
  expect(round(Number.NaN)).toBeNaN();
});

test('a zero keeps its sign where there are two', () => {
  const signed = formats.items.filter(({ code }) => Object.is(code.decode(code.encode(-0)), -0));
  expect(signed.map(({ name }) => name)).toEqual(['f16', 'bf16', 'e4m3', 'e5m2', 'e3m2', 'e2m3', 'e2m1']);
  for (const { name, round } of formats.items.filter(({ name }) => name !== 'e8m0')) {
    expect(Object.is(round(-0), -0)).toBe(signed.some((one) => one.name === name));
  }
});

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);

/** The machine's own conversions of patterns to numbers. */
const native: Readonly<Record<string, (pattern: number) => number>> = {
  f16: fromHalfBits,
  bf16: (pattern) => {
    words[0] = pattern << 16;
    return floats[0];
  },
  ue4m3: formats.find('e4m3').code.decode,
  int8: (pattern) => Int8Array.of(pattern)[0],
  uint8: (pattern) => Uint8Array.of(pattern)[0],
  int4: (pattern) => Int8Array.of(pattern << 4)[0] >> 4,
  uint4: (pattern) => pattern & 15,
  mxint8: (pattern) => Int8Array.of(pattern)[0] / 64,
};

test.each(Object.entries(native))(
  'the patterns of %s are the numbers that the machine reads',
  (name, read) => {
    const { code } = formats.find(name);
    const all = Array.from({ length: 2 ** code.bits }, (_, pattern) => pattern);
    expect(all.filter((pattern) => !Object.is(code.decode(pattern), read(pattern)))).toEqual([]);
  },
);
