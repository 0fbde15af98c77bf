import { describe, expect, test } from 'vitest';
import { inShort, isWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { type Arithmetic, emulated } from './arithmetic.ts';
import { f16, f32, tinyOf } from './format.ts';
import { arithmetic32, fma32, MAX32, MIN_NORMAL32, narrowArithmetic } from './modeled-arithmetic.ts';

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

const TINY16 = tinyOf(f16);
const arithmetic16 = (of: Partial<Arithmetic> = {}) => narrowArithmetic(f16, { ...emulated, ...of });
/** Returns an arithmetic that flushes results below a magnitude. */
const tiny = (below: number) => ({ subnormals: { operands: false, below } });
const UNIT = 24; // binary16 values are integers of units of 2^-24, products of 2^-48

/** Rounds an exact number in units of 2^-48 to binary16, ties to even, in integers only. */
function rounded16(units: bigint): number {
  const size = units < 0n ? -units : units;
  const bits = BigInt(size.toString(2).length);
  const drop = bits - 11n > BigInt(UNIT) ? bits - 11n : BigInt(UNIT);
  const kept = size >> drop;
  const twice = (size - (kept << drop)) * 2n;
  const unit = 1n << drop;
  const up = twice > unit || (twice === unit && kept % 2n === 1n) ? 1n : 0n;
  const value = Number(kept + up) * 2 ** (Number(drop) - 2 * UNIT);
  return (units < 0n ? -1 : 1) * (value > f16.maxFinite ? Number.POSITIVE_INFINITY : value);
}

const whole = (x: number): bigint => BigInt(x * 2 ** UNIT);
const exactFma16 = (a: number, b: number, c: number): bigint =>
  whole(a) * whole(b) + (whole(c) << BigInt(UNIT));

const random = createRandom(16);
const any = (): number => f16.round(random.sign() * (1 + random.uniform01()) * 2 ** random.int(-24, 14));
/** Returns half a unit in the last place of c as a product, or slightly more or less. */
function besideTie(): Triple {
  const exponent = random.int(-6, 15);
  const c = random.sign() * (1024 + random.int(0, 1023)) * 2 ** (exponent - 10);
  const split = random.int(-2, 2);
  const off = () => 1 + random.int(-1, 1) * 2 ** -10;
  const [a, b] = [2 ** (exponent - 8 + split), 2 ** (-3 - split)];
  return [f16.round(random.sign() * a * off()), f16.round(b * off()), f16.round(c)];
}
const draws16: Readonly<Record<string, () => Triple>> = {
  'any numbers': () => [any(), any(), any()],
  'products beside ties': besideTie,
};

describe.each(Object.entries(draws16))('on %s', (_, draw) => {
  const triples = Array.from({ length: isWhole ? 20_000 : 5000 }, draw);
  const expectEach = (got: (...x: Triple) => number, want: (...x: Triple) => number) => {
    const wrong = triples.find((x) => got(...x) !== want(...x));
    expect(wrong && { wrong, got: got(...wrong), want: want(...wrong) }).toBeUndefined();
  };

  test('sums and products are rounded16 once', () => {
    const { add, mul } = arithmetic16();
    expectEach(add, (a, b) => rounded16((whole(a) + whole(b)) << BigInt(UNIT)));
    expectEach(mul, (a, b) => rounded16(whole(a) * whole(b)));
  });

  test('fma is rounded16 once where it is fused, else twice', () => {
    expectEach(arithmetic16({ fma: 'once' }).fma, (...x) => rounded16(exactFma16(...x)));
    expectEach(arithmetic16().fma, (a, b, c) => {
      const product = rounded16(whole(a) * whole(b));
      return Number.isFinite(product) ? rounded16((whole(product) + whole(c)) << BigInt(UNIT)) : product + c;
    });
  });
});

test('a fused multiply-add goes to the side of the tie that the exact sum lies on', () => {
  const { fma } = arithmetic16({ fma: 'once' });
  // 2^15 + 16 is one
  expect(fma(16 + 2 ** -6, 1 - 2 ** -10, 2 ** 15)).toBe(2 ** 15);
  expect(fma(16 + 2 ** -6, 1 - 2 ** -11, 2 ** 15)).toBe(2 ** 15 + 32);
});

describe('flushing', () => {
  const { minNormal, minSubnormal } = f16;

  test('takes subnormal operands for zeros of their sign', () => {
    const { add, mul, fma } = arithmetic16({ subnormals: { operands: true, below: 0 } });
    expect(add(minSubnormal, minNormal)).toBe(minNormal);
    expect(add(-minSubnormal, -minSubnormal)).toBe(-0);
    expect(mul(-minSubnormal, 1024)).toBe(-0);
    expect(fma(minSubnormal, 1024, minNormal)).toBe(minNormal);
    expect(mul(minNormal, 1024)).toBe(2 ** -4);
  });

  test('of results is by what they are before or after they are rounded', () => {
    // exact products of minNormal·(1 − t): t = 2^-12 rounds up to minNormal even with 11 bits, 2^-11 only as a subnormal
    const product = (t: 11 | 12, flushesBelow: number): number => {
      const [a, b] =
        t === 12 ? [2 ** -7 * (1 - 2 ** -6), 2 ** -7 * (1 + 2 ** -6)] : [2 ** -7 * (1 - 2 ** -11), 2 ** -7];
      return arithmetic16(tiny(flushesBelow)).mul(a, b);
    };
    for (const t of [11, 12] as const) {
      expect(product(t, 0)).toBe(minNormal);
      expect(product(t, TINY16.beforeRounding)).toBe(0);
      expect(product(t, TINY16.afterDenormalizing)).toBe(minNormal);
    }
    expect(product(12, TINY16.afterRounding)).toBe(minNormal);
    expect(product(11, TINY16.afterRounding)).toBe(0);
  });

  test('of a fused sum is by the exact one', () => {
    const { fma } = arithmetic16({ fma: 'once', ...tiny(TINY16.beforeRounding) });
    expect(fma(2 ** -7, 2 ** -7, 0)).toBe(minNormal);
    expect(fma(2 ** -13, 2 ** -13, minNormal)).toBe(minNormal);
    expect(fma(-(2 ** -13), 2 ** -13, minNormal)).toBe(0);
    expect(fma(2 ** -13, 2 ** -13, -minNormal)).toBe(-0);
  });
});
