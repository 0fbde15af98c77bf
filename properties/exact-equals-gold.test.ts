import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole, itWhole } from '../src/base/in-short.testing.ts';
import { exactProduct, exactRows } from '../src/exact/exact.ts';
import type { Certificate } from '../src/exact/exact-product.ts';
import { goldProduct } from '../src/exact/gold.ts';
import type { Matrix } from '../src/matrix/dense.ts';
import { matrix } from '../src/matrix/dense.ts';

/**
 * The law: the exact product equals the gold product bit for bit, although they share no arithmetic, and its pair value + low is within the
 * documented error of the exact sum. Both engines give the same bits of both. They give the same certificate too, except for sums without
 * error, which vectors find in more products.
 */

type Family =
  | 'uniform'
  | 'wide'
  | 'cancel'
  | 'near'
  | 'ties'
  | 'integers'
  | 'sparse'
  | 'tiny'
  | 'huge'
  | 'special';
type Width = 'f32' | 'f64';

/** A small recipe of two operands. {@link expand} makes the matrices, so that shrinking stays meaningful. */
interface Descriptor {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly a: Width;
  readonly b: Width;
  readonly family: Family;
  /** Binary exponents of entries spread over ±spread. */
  readonly spread: number;
  readonly seed: number;
}

const size = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.constantFrom(2, 3, 5, 7, 11, 13) },
  { weight: 1, arbitrary: fc.constantFrom(0, 4, 8, 9, 17) },
);
const width = fc.constantFrom<Width>('f32', 'f64');
const descriptors = (...families: Family[]): fc.Arbitrary<Descriptor> =>
  fc.record({
    m: size,
    k: size,
    n: size,
    a: width,
    b: width,
    family: fc.constantFrom(...families),
    spread: fc.oneof(fc.nat(4), fc.nat(40), fc.nat(120), fc.nat(480)),
    seed: fc.nat(2 ** 31 - 1),
  });

/** Returns numbers in [0, 1) with 53 random bits: splitmix-style mixing of a counter. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  };
  return () => (word() * 2 ** 21 + (word() >>> 11)) * 2 ** -53;
}

function expand(d: Descriptor): { a: Matrix; b: Matrix } {
  const next = generator(d.seed);
  const a = fill(d.m * d.k, d.a, () => entry(d, next));
  const b = fill(d.k * d.n, d.b, () => entry(d, next));
  if (d.family === 'cancel' || d.family === 'near') fold(a, b, d, next);
  if (d.family === 'ties') tie(a, b, d, next);
  if (d.family === 'special') strike(a, b, next);
  return { a: matrix(d.m, d.k, a), b: matrix(d.k, d.n, b) };
}

function fill(length: number, kind: Width, make: () => number): Float32Array | Float64Array {
  const data = kind === 'f32' ? new Float32Array(length) : new Float64Array(length);
  for (let i = 0; i < length; i++) data[i] = make();
  return data;
}

const int = (next: () => number, below: number) => Math.floor(next() * below);
const sign = (next: () => number) => (next() < 0.5 ? -1 : 1);

function entry(d: Descriptor, next: () => number): number {
  const kind = d.a === 'f32' || d.b === 'f32' ? 120 : 480;
  const reach = Math.min(d.spread, kind);
  const exponent = int(next, 2 * reach + 1) - reach;
  const significand = sign(next) * (1 + next());
  switch (d.family) {
    case 'integers':
      return int(next, 2 ** 12) - 2 ** 11;
    case 'sparse':
      return next() < 0.6 ? 0 : significand * 2 ** exponent;
    case 'tiny':
      return significand * 2 ** (-int(next, 2) * 60 - (d.a === 'f64' ? int(next, 1074) : int(next, 149)));
    case 'huge':
      return significand * 2 ** (int(next, 40) + (d.a === 'f64' && d.b === 'f64' ? 490 : 87));
    case 'uniform':
      return 2 * next() - 1;
    default:
      return significand * 2 ** exponent;
  }
}

/** Makes the second half of every inner product the negative of the first; 'near' then disturbs a last bit. */
function fold(
  a: Float32Array | Float64Array,
  b: Float32Array | Float64Array,
  d: Descriptor,
  next: () => number,
) {
  const half = d.k >> 1;
  for (let t = 0; t < half; t++) {
    const twin = d.k - 1 - t;
    for (let i = 0; i < d.m; i++) a[i * d.k + twin] = -a[i * d.k + t];
    for (let j = 0; j < d.n; j++) b[twin * d.n + j] = b[t * d.n + j];
  }
  if (d.family === 'near' && a.length > 0) {
    const at = int(next, a.length);
    a[at] *= 1 + 2 ** (a instanceof Float32Array ? -23 : -52);
  }
  if (d.k % 2 === 1 && next() < 0.5) {
    for (let i = 0; i < d.m; i++) a[i * d.k + half] = 0;
  }
}

/**
 * Makes every entry of the product an odd or even 53-bit integer plus exactly half its last place, or a number that close below a power of
 * two, where the spacing halves. It is scaled by a power of two, in f64 also by one that only the integers of the last tier support, with a
 * random order of terms. About one in two then gets a far smaller term.
 */
function tie(
  a: Float32Array | Float64Array,
  b: Float32Array | Float64Array,
  d: Descriptor,
  next: () => number,
) {
  if (d.k < 3) return;
  a.fill(0);
  b.fill(0);
  const order = Array.from({ length: d.k }, (_, t) => t).sort(() => next() - 0.5);
  const scale = 2 ** (int(next, 21) - 10 - (a instanceof Float64Array && next() < 0.3 ? 950 : 0));
  for (let j = 0; j < d.n; j++) {
    b[order[0] * d.n + j] = 2 ** 19;
    b[order[1] * d.n + j] = 1;
    b[order[2] * d.n + j] = next() < 0.5 ? 0 : sign(next) * 2 ** -int(next, 60);
  }
  for (let i = 0; i < d.m; i++) {
    const s = sign(next);
    const below = next() < 0.3;
    a[i * d.k + order[0]] = s * (2 ** 23 + (below ? 0 : int(next, 2 ** 23))) * 2 ** 10 * scale;
    a[i * d.k + order[1]] = s * (below ? -0.25 * (1 + int(next, 4)) : int(next, 2 ** 22) + 0.5) * scale;
    a[i * d.k + order[2]] = sign(next) * 2 ** -int(next, 60) * scale;
  }
}

function strike(a: Float32Array | Float64Array, b: Float32Array | Float64Array, next: () => number) {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0];
  for (const data of [a, b]) {
    for (let hits = int(next, 4); hits > 0 && data.length > 0; hits--) {
      data[int(next, data.length)] = odd[int(next, odd.length)];
    }
  }
}

/** Returns bit patterns, all NaNs alike, so that −0 and +0 differ and a failure shows every bit. */
function patterns(data: Float64Array): string[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from(data, (x, at) =>
    Number.isNaN(x)
      ? 'NaN'
      : view
          .getBigUint64(8 * at, true)
          .toString(16)
          .padStart(16, '0'),
  );
}

/** Number of entries decided at each tier, over all laws. */
const seen = {
  byExactSum: 0,
  byDoubleDouble: 0,
  byExpansion: 0,
  byBigInt: 0,
  nonFinite: 0,
  overflowed: 0,
};

function equalsGold(d: Descriptor): void {
  const { a, b } = expand(d);
  const { product, low, certificate } = exactProduct(a, b, 'simd');
  expect(patterns(product.data)).toEqual(patterns(goldProduct(a, b).data));
  const plain = exactProduct(a, b, 'typescript');
  expect(patterns(plain.product.data)).toEqual(patterns(product.data));
  expect(patterns(plain.low)).toEqual(patterns(low));
  expect(withoutExactSums(plain.certificate)).toEqual(withoutExactSums(certificate));

  const { entries, byExactSum, byDoubleDouble, byExpansion, byBigInt, nonFinite } = certificate;
  for (const tier of Object.keys(seen) as (keyof typeof seen)[]) seen[tier] += certificate[tier];
  expect(entries).toBe(d.m * d.n);
  expect(byExactSum + byDoubleDouble + byExpansion + byBigInt + nonFinite).toBe(entries);
  if (product.data.every(Number.isFinite)) lowIsTheRest(a, b, product, low, certificate.worstAbsolute);
}

/** Returns the certificate of a product as if all double-double sums without error were the first tier's. */
function withoutExactSums({
  byExactSum,
  byDoubleDouble,
  exactDoubleDouble,
  ...rest
}: Certificate): Certificate {
  return {
    ...rest,
    byExactSum: 0,
    byDoubleDouble: byDoubleDouble + byExactSum,
    exactDoubleDouble: exactDoubleDouble + byExactSum,
  };
}

/** Checks value + low against the gold product of [A | value] and [B; −I], column by column. */
function lowIsTheRest(
  a: Matrix,
  b: Matrix,
  product: Matrix<Float64Array>,
  low: Float64Array,
  worstAbsolute: number,
): void {
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < b.cols; j++) {
      const left = new Float64Array(a.cols + 1);
      const right = new Float64Array(a.cols + 1);
      for (let t = 0; t < a.cols; t++) {
        left[t] = a.data[i * a.cols + t];
        right[t] = b.data[t * b.cols + j];
      }
      const at = i * b.cols + j;
      left[a.cols] = product.data[at];
      right[a.cols] = -1;
      const rest = goldProduct(matrix(1, left.length, left), matrix(right.length, 1, right)).data[0];
      const allowed = worstAbsolute * (1 + 2 ** -40) + Math.abs(rest) * 2 ** -52;
      expect(Math.abs(rest - low[at])).toBeLessThanOrEqual(allowed);
    }
  }
}

describe('exact product = gold product, bit for bit', () => {
  const law = (title: string, numRuns: number, arbitrary: fc.Arbitrary<Descriptor>) =>
    it(title, () => {
      fc.assert(fc.property(arbitrary, equalsGold), { numRuns: isWhole ? numRuns : Math.ceil(numRuns / 20) });
    });

  law('uniform entries and small integers', 150, descriptors('uniform', 'integers'));
  law('wide exponents, structural zeros', 200, descriptors('wide', 'sparse'));
  law('massive and total cancellation', 260, descriptors('cancel', 'near'));
  law('exact ties and ties tipped from far below', 260, descriptors('ties'));
  law('subnormal operands and results', 150, descriptors('tiny'));
  law('overflow and its tail', 300, descriptors('huge'));
  law('NaN, infinities and signed zeros', 200, descriptors('special'));

  itWhole('met every tier often', () => {
    for (const [tier, entries] of Object.entries(seen)) expect(entries, tier).toBeGreaterThan(100);
  });

  it('rows computed apart are the rows of the whole', () => {
    fc.assert(
      fc.property(descriptors('uniform', 'wide', 'cancel'), fc.nat(17), fc.nat(17), (d, p, q) => {
        const { a, b } = expand(d);
        const begin = Math.min(p, q, d.m);
        const end = Math.min(Math.max(p, q), d.m);
        const whole = exactProduct(a, b);
        const part = exactRows(a, b, begin, end);
        const cut = (data: Float64Array) => data.slice(begin * d.n, end * d.n);
        expect(patterns(part.value)).toEqual(patterns(cut(whole.product.data)));
        expect(patterns(part.low)).toEqual(patterns(cut(whole.low)));
        expect(part.stats.entries).toBe((end - begin) * d.n);
      }),
      { numRuns: isWhole ? 100 : 25 },
    );
  });
});
