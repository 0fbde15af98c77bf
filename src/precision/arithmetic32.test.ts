import { describe, expect, test } from 'vitest';
import { inShort, isWhole } from '../base/in-short.testing.ts';
import { arithmetic32, fma32, MAX32, MIN_NORMAL32 } from './arithmetic32.ts';
import { f32, tinyOf } from './format.ts';

const TINY = tinyOf(f32);

// Exact arithmetic: a binary32 value is an integer in units of 2^-149, a product one in units of 2^-298.
const SCALE = 149;
const QUANTUM = BigInt(SCALE); // of the subnormals, in bits of units of 2^-298

const bits = new DataView(new ArrayBuffer(4));

function fromBits(pattern: number): number {
  bits.setUint32(0, pattern >>> 0);
  return bits.getFloat32(0);
}

function units(x: number): bigint {
  bits.setFloat32(0, x);
  const pattern = bits.getUint32(0);
  const exponent = (pattern >>> 23) & 0xff;
  const fraction = BigInt(pattern & 0x7fffff);
  const magnitude = exponent === 0 ? fraction : (fraction | 0x800000n) << BigInt(exponent - 1);
  return pattern >>> 31 ? -magnitude : magnitude;
}

/** Rounds to a multiple of 2^drop, ties to even. */
function roundBits(x: bigint, drop: bigint): bigint {
  if (drop <= 0n) return x;
  const kept = x >> drop;
  const rest = x - (kept << drop);
  const half = 1n << (drop - 1n);
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  return (kept + (up ? 1n : 0n)) << drop;
}

const bitLength = (x: bigint): bigint => BigInt(x.toString(2).length);
const max = (x: bigint, y: bigint): bigint => (x > y ? x : y);
const SMALLEST = units(MIN_NORMAL32) << QUANTUM;

type Tiny = keyof typeof TINY;
const isTiny: Record<Tiny, (magnitude: bigint) => boolean> = {
  beforeRounding: (x) => x < SMALLEST,
  afterRounding: (x) => roundBits(x, bitLength(x) - 24n) < SMALLEST,
  afterDenormalizing: (x) => roundBits(x, max(bitLength(x) - 24n, QUANTUM)) < SMALLEST,
};

/** Returns the binary32 value nearest to an exact one, in units of 2^-298. The sign of zero is unspecified. */
function rounded(exact: bigint, flush?: Tiny): number {
  const magnitude = exact < 0n ? -exact : exact;
  if (flush !== undefined && isTiny[flush](magnitude)) return 0;
  const nearest = roundBits(magnitude, max(bitLength(magnitude) - 24n, QUANTUM)) >> QUANTUM;
  // At most 24 significant bits, so both factors and the product are exact, or overflow.
  const shift = max(bitLength(nearest) - 24n, 0n);
  const value = Number(nearest >> shift) * 2 ** (Number(shift) - SCALE);
  return (exact < 0n ? -1 : 1) * (value > MAX32 ? Infinity : value);
}

const exactFma = (a: number, b: number, c: number): bigint => units(a) * units(b) + (units(c) << QUANTUM);

type Triple = [number, number, number];

let state = 12345;
function random32(): number {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
const below = (n: number): number => random32() % n;
const sign = (): number => (random32() & 1 ? 1 : -1);
const anyFinite = (): number => {
  const x = fromBits(random32());
  return Number.isFinite(x) ? x : anyFinite();
};
const near = (exponent: number): number =>
  sign() * Math.fround(1 + below(2 ** 23) * 2 ** -23) * 2 ** (exponent + below(4) - 2);

/** Ways to draw operands, one for each way in which a fused result may go wrong. */
const draws: Record<string, () => Triple> = {
  'any finite numbers': () => [anyFinite(), anyFinite(), anyFinite()],
  'an addend close to the product': () => {
    const [a, b] = [near(0), near(0)];
    return [a, b, -Math.fround(a * b) * (1 + (below(3) - 1) * 2 ** -23)].map(Math.fround) as Triple;
  },
  // c plus almost exactly half an ulp of c, from either side: the sum in double is the midpoint itself
  'products beside a midpoint': () => {
    const c = fromBits(((1 + below(250)) << 23) | (below(4) === 0 ? 0 : below(2 ** 23)));
    const half = 2 ** (Math.floor(Math.log2(c)) - 24 - below(2));
    const split = Math.max(Math.floor(Math.log2(half) / 2), -126);
    const a = 2 ** split * (1 + (below(3) - 1) * 2 ** -(10 + below(14)));
    const b = (half / 2 ** split) * (1 + (below(3) - 1) * 2 ** -(10 + below(14)));
    return [sign() * Math.fround(a), Math.fround(b), sign() * c];
  },
  'results around the smallest normal number': () =>
    [near(-63), near(-63), near(-127)].map(Math.fround) as Triple,
  'products just below the smallest normal number': () => [
    sign() * 2 ** -63 * (1 - below(4) * 2 ** -24),
    2 ** -63 * (1 + below(3) * 2 ** -23),
    below(2) * sign() * 2 ** -149,
  ],
  'results around overflow': () => [
    sign() * 2 ** (80 + below(3)) * (1 + (below(3) - 1) * 2 ** -23),
    2 ** (22 + below(3)) * (1 + (below(3) - 1) * 2 ** -23),
    sign() * (MAX32 - below(3) * 2 ** 104),
  ],
  'subnormal operands': () => [fromBits(below(2 ** 24)) * sign(), near(0), fromBits(below(2 ** 24)) * sign()],
};

const CASES = isWhole ? 40_000 : 10_000;

/** Returns the first case of each draw in which the two differ; -0 counts as 0. */
function firstDifference(
  draw: () => Triple,
  cases: number,
  got: (...x: Triple) => number,
  want: (...x: Triple) => number,
): { operands: Triple; got: number; want: number } | undefined {
  for (let i = 0; i < cases; i++) {
    const operands = draw();
    const [g, w] = [got(...operands), want(...operands)];
    if (g !== w) return { operands, got: g, want: w };
  }
  return undefined;
}

describe.each(Object.entries(draws))('against exact rational arithmetic, on %s', (_, draw) => {
  test('operands are binary32 values', () => {
    for (let i = 0; i < 1000; i++) {
      const operands = draw();
      expect(operands).toEqual(operands.map(Math.fround));
    }
  });

  test('fma32 rounds once', () => {
    const want = (...x: Triple): number => rounded(exactFma(...x));
    expect(firstDifference(draw, CASES, fma32, want)).toBeUndefined();
  });

  test.each(inShort(Object.keys(TINY) as Tiny[], 3))('results that are tiny %s are flushed', (when) => {
    const subnormals = { operands: false, below: TINY[when] };
    const fused = arithmetic32({ fma: 'once', subnormals });
    const unfused = arithmetic32({ fma: 'twice', subnormals });
    const product = (a: number, b: number): number => rounded(units(a) * units(b), when);
    const sum = (a: number, b: number): number => rounded((units(a) + units(b)) << QUANTUM, when);
    const check = (got: (...x: Triple) => number, want: (...x: Triple) => number): void =>
      expect(firstDifference(draw, CASES / 10, got, want)).toBeUndefined();
    check(fused.mul, product);
    check(fused.add, sum);
    check(fused.fma, (...x) => rounded(exactFma(...x), when));
    check(unfused.fma, (a, b, c) => {
      const p = product(a, b);
      return Number.isFinite(p) ? sum(p, c) : p + c;
    });
  });
});

test.each(['products beside a midpoint', 'results around overflow'])(
  'rounding to double first is caught on %s',
  (name) => {
    const twice = (a: number, b: number, c: number): number => Math.fround(a * b + c);
    expect(firstDifference(draws[name], CASES, twice, fma32)).toBeDefined();
  },
);

test('flushed operands and results are zeros of their sign', () => {
  const { add, mul, fma } = arithmetic32({
    fma: 'once',
    subnormals: { operands: true, below: MIN_NORMAL32 },
  });
  const tiny = 2 ** -130;
  expect(add(tiny, 2 ** -126)).toBe(2 ** -126);
  expect(add(-tiny, -tiny)).toBe(-0);
  expect(add(-(2 ** -126), 1.5 * 2 ** -126)).toBe(0);
  expect(add(2 ** -126, -1.5 * 2 ** -126)).toBe(-0);
  expect(mul(-tiny, 2 ** 100)).toBe(-0);
  expect(mul(-(2 ** -70), 2 ** -70)).toBe(-0);
  expect(fma(-tiny, 1, -0)).toBe(-0);
});

test('infinities and NaN follow IEEE 754', () => {
  expect(fma32(Infinity, 1, -Infinity)).toBeNaN();
  expect(fma32(Infinity, 0, 1)).toBeNaN();
  expect(fma32(MAX32, MAX32, -Infinity)).toBe(-Infinity);
  expect(fma32(MAX32, 2, 0)).toBe(Infinity);
});
