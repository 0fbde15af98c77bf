import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { sharedGrowth } from '../../algorithms/growth.ts';
import { inShort, isWhole } from '../../base/in-short.testing.ts';
import { exactProduct } from '../../exact/exact.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { CodedFormat, Format } from '../../precision/format.ts';
import { precisions } from '../../precision/precisions.ts';
import { addendFor } from '../addend.ts';
import { codedPair } from '../coded.ts';
import type { InputFamily } from '../input.ts';
import { findInput, inputs } from '../inputs.ts';
import { editedFamily, inputOf } from './edited-family.ts';
import { editKinds, parseEdits } from './edits.ts';
import { findRanges, indicesOf, parseRanges } from './zero.ts';

const SHAPE = { m: 7, k: 6, n: 7, seed: 3 };
const GROWTH = sharedGrowth(findAlgorithm('strassen'));
const edited = (name: string, edit: string) => editedFamily(findInput(name), parseEdits(edit));
/** Returns the shape of an edit. Squares of 7 are symmetric; other edits get shapes that are not square. */
const shapeFor = (edit: string) => (['symmetric', 'squared'].includes(edit) ? { ...SHAPE, k: 7 } : SHAPE);
const made = (name: string, edit: string, more = {}) =>
  edited(name, edit).generate({ ...shapeFor(edit), ...more });
const isPower = (x: number) => x === 0 || Number.isInteger(Math.log2(Math.abs(x)));

const EXAMPLES = [
  'spread:3',
  'cancel:8',
  'special:4',
  'zero-rows:0-2.5',
  'zero-columns:1',
  'zero-inner:2-4',
  'powers',
  'ones',
  'held',
  'opposed:60',
  'opposed:-60',
  'equal-rows',
  'gram',
  'intercept',
  'patterned',
  'symmetric',
  'near-largest',
  'near-least',
  'minus-zeros',
  'nan:row',
  'nan:last',
  'permuted',
  'rescaled',
  'scaled-lines',
  'resized',
  'dwarfed',
  'embedded',
  'mixed',
  'squared',
  'whole',
  'far-bands:75',
];

const SEEDS = isWhole ? 20 : 5;

describe('a list of edits', () => {
  it('has an example of every kind here', () => {
    expect(new Set(EXAMPLES.map((text) => text.split(':')[0]))).toEqual(
      new Set(editKinds.map(({ name }) => name)),
    );
  });

  it.each([...EXAMPLES, EXAMPLES.join()])('%s is written as it is read', (text) => {
    expect(parseEdits(text).map((edit) => edit.text)).toEqual(text.split(','));
  });

  it.each([
    ['spred:3', /Unknown edit "spred".*Did you mean "spread"/],
    ['spread', /^The argument of the edit spread must be a whole number from 1 to 60, but is ""/],
    ['spread:0', /must be a whole number from 1/],
    ['spread:1.5', /must be a whole number/],
    ['zero-rows:3-1', /must be indices/],
    ['zero-rows:a', /must be indices/],
    ['ones:3', /^The argument of the edit ones must be left out, but is "3"/],
  ])('%s is refused', (text, message) => {
    expect(() => parseEdits(text)).toThrow(message);
  });
});

describe.each(EXAMPLES)('%s', (text) => {
  it('makes the same pair of the same request, and another of another seed', () => {
    expect(made('uniform', text)).toEqual(made('uniform', text));
    expect(made('uniform', text, { seed: 4 })).not.toEqual(made('uniform', text));
  });

  it.each(inShort(['f32', 'f16', 'f64', 'e4m3-f32', 'e3m2-f32', 'e5m2-f32'] as const, 3))(
    'keeps to the format of %s',
    (name) => {
      const precision = precisions.find(name);
      const { a: format } = precision;
      for (const input of ['uniform', 'softmax']) {
        if (!edited(input, text).accepts({ ...shapeFor(text), precision }).ok) continue;
        for (let seed = 1; seed <= SEEDS; seed++) {
          const { a, b } = made(input, text, { precision, seed });
          expect([...a.data, ...b.data].filter((x) => !Object.is(format.round(x), x))).toEqual([]);
        }
      }
    },
  );
});

describe('what edits do', () => {
  const { a: plainA, b: plainB } = inputOf({ input: 'uniform' }).generate(SHAPE);

  it('spread: each entry by its own power of two', () => {
    const factors = [...made('uniform', 'spread:3').a.data].map((x, at) => x / plainA.data[at]);
    expect(factors.every((factor) => isPower(factor) && factor >= 1 / 8 && factor <= 8)).toBe(true);
    expect(new Set(factors).size).toBeGreaterThan(3);
  });

  it('cancel: dot products of the condition asked for', () => {
    const { a, b } = made('uniform', 'cancel:12');
    const { data } = exactProduct(a, b).product;
    const sizes = exactProduct({ ...a, data: a.data.map(Math.abs) }, { ...b, data: b.data.map(Math.abs) })
      .product.data;
    const conditions = data.map((c, e) => Math.log2(sizes[e] / Math.abs(c)));
    expect(Math.min(...conditions)).toBeGreaterThan(10);
  });

  it('special: NaN, infinities or zeros, which the pair says', () => {
    const pairs = Array.from({ length: 20 }, (_, seed) => made('uniform', 'special:4', { seed }));
    const all = pairs.flatMap(({ a, b }) => [...a.data, ...b.data]);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0]) {
      expect(all.some((x) => Object.is(x, value))).toBe(true);
    }
    for (const { a, b, hasSpecials } of pairs) {
      expect(hasSpecials).toBe([...a.data, ...b.data].some((x) => !Number.isFinite(x)));
    }
  });

  it('zero: the lines that are named, and no others', () => {
    const { a, b } = made('uniform', 'zero-rows:0-2.5,zero-columns:1,zero-inner:4');
    for (let i = 0; i < a.rows; i++) {
      for (let p = 0; p < a.cols; p++) {
        const zero = [0, 1, 2, 5].includes(i) || p === 4;
        expect(a.data[i * a.cols + p]).toBe(zero ? 0 : plainA.data[i * a.cols + p]);
      }
    }
    expect([...b.data].map((x, e) => x === 0 || x === plainB.data[e])).not.toContain(false);
    expect([...b.data].filter((x) => x === 0)).toHaveLength(6 + 7 - 1);
  });

  it('squared: A itself, so that both may be one in memory', () => {
    const { a, b } = made('integers', 'squared');
    expect(b.data).toEqual(a.data);
    expect([...a.data]).not.toEqual(
      [...a.data.keys()].map((at) => a.data[(at % 7) * 7 + Math.floor(at / 7)]),
    );
  });

  it('whole: whole numbers whose products leave the range of 32 bits', () => {
    const { a, b } = made('uniform', 'whole');
    expect([...a.data, ...b.data].every((x) => Number.isInteger(x) && Math.abs(x) <= 2 ** 16)).toBe(true);
    const { data } = exactProduct(a, b).product;
    expect(Math.max(...data.map(Math.abs))).toBeGreaterThan(2 ** 31);
  });

  it('far-bands: the same product, of columns of A and rows of B of two sizes', () => {
    const shape = { m: 5, k: 40, n: 3, seed: 2 };
    const [plain, far] = ['none', 'far-bands:75'].map((edit) =>
      inputOf({ input: 'uniform', edit }).generate(shape),
    );
    expect(exactProduct(far.a, far.b).product).toEqual(exactProduct(plain.a, plain.b).product);
    const factors = [...far.a.data].map((x, at) => x / plain.a.data[at]);
    expect(new Set(factors)).toEqual(new Set([2 ** 75, 2 ** -75]));
    // Factors of one operand only meet no others.
    for (const name of ['uint8-row', 'nbits4']) {
      const { ok } = edited('softmax', 'far-bands:75').accepts({
        ...shape,
        precision: precisions.find(name),
      });
      expect(ok).toBe(name === 'nbits4');
    }
  });

  it('intercept: ones in the first column of A, of exact products and of random ones', () => {
    for (const family of ['integers', 'uniform']) {
      const { a, b } = made(family, 'intercept');
      const plain = inputOf({ input: family }).generate(SHAPE);
      const isFirst = (at: number) => at % a.cols === 0;
      expect([...a.data].every((x, at) => x === (isFirst(at) ? 1 : plain.a.data[at]))).toBe(true);
      expect(b.data).toEqual(plain.b.data);
    }
  });

  it('gram: a symmetric product, of square ones alone', () => {
    const { a, b } = made('uniform', 'gram');
    const { data } = exactProduct(a, b).product;
    for (let i = 0; i < 7; i++) for (let j = 0; j < 7; j++) expect(data[7 * i + j]).toBe(data[7 * j + i]);
    expect(edited('uniform', 'gram').accepts({ m: 7, k: 6, n: 5 }).ok).toBe(false);
  });

  it('gram: of whole numbers no larger than sums leave exact, however few bits these have', () => {
    const shape = { m: 7, k: 556, n: 7, precision: precisions.find('f16') };
    const { a } = edited('integers', 'gram').generate({ ...shape, seed: 330406 });
    expect(Math.max(...a.data.map(Math.abs)) ** 2 * shape.k).toBeLessThanOrEqual(2 ** 11);
  });

  it.each(['f16', 'bf16-f32', 'f32', 'f64'])(
    'near-largest: sums of %s within a binade of the largest number',
    (name) => {
      const precision = precisions.find(name);
      const { a, b } = made('uniform-0-1', 'near-largest', { precision });
      const largest = Math.min(precision.accumulated.maxFinite, precision.d.maxFinite, 2 ** 480);
      const most = Math.max(...exactProduct(a, b).product.data);
      expect(most).toBeLessThanOrEqual(largest);
      expect(most).toBeGreaterThan(largest / 2.1);
      const { a: x, b: y } = made('uniform', 'near-largest', { precision, levels: 2, growth: GROWTH });
      expect(Math.max(...exactProduct(x, y).product.data)).toBeLessThan(largest / 64);
    },
  );

  it.each(['f16', 'f32', 'f64'])('near-least: products of %s that no format flushes', (name) => {
    const precision = precisions.find(name);
    const { precision: bits, minNormal, unitRoundoff } = precision.accumulated;
    const { a, b, hasSubnormals } = made('integers', 'near-least', { precision });
    const sizes = [...exactProduct(a, b).product.data].map(Math.abs).filter((x) => x > 0);
    const least = Math.max(minNormal, 2 ** -480);
    expect(Math.min(...sizes)).toBeLessThan(least * 2 ** (bits + 8));
    expect(Math.min(...sizes) * unitRoundoff).toBeGreaterThanOrEqual(least);
    expect(hasSubnormals).toBe(false);
  });

  it('patterned: whole numbers no larger, of A and B and C alike, in many patterns', () => {
    const family = edited('integers', 'patterned');
    const largest = (data: Iterable<number>) => Math.max(...[...data].map(Math.abs));
    const seen = { a: new Set<string>(), b: new Set<string>(), c: new Set<string>() };
    const shown = { rowsAlike: 0, triangular: 0, oneSign: 0, sorted: 0, asDrawn: 0 };
    for (let seed = 1; seed <= 300; seed++) {
      const plain = findInput('integers').generate({ ...SHAPE, seed });
      const { a, b } = family.generate({ ...SHAPE, seed });
      const c = addendFor(family, SHAPE, seed, precisions.find('f32'), 10);
      for (const [name, { rows, cols, data }] of Object.entries({ a, b, c })) {
        expect(data.every(Number.isInteger)).toBe(true);
        const entries = [...data];
        const isEvery = (holds: (x: number, i: number, j: number) => boolean) =>
          entries.every((x, at) => holds(x, Math.floor(at / cols), at % cols));
        seen[name as 'a'].add(entries.map((x) => Math.sign(x)).join(''));
        shown.rowsAlike += Number(isEvery((x, _, j) => x === entries[j]));
        shown.triangular += Number(rows === 7 && entries[1] === 0 && isEvery((x, i, j) => i >= j || x === 0));
        shown.oneSign += Number(isEvery((x) => x >= 0) || isEvery((x) => x <= 0));
        shown.sorted += Number(entries.every((x, at) => at === 0 || x >= entries[at - 1]));
      }
      expect(largest(a.data)).toBeLessThanOrEqual(largest(plain.a.data));
      expect(largest(b.data)).toBeLessThanOrEqual(largest(plain.b.data));
      shown.asDrawn += Number(a.data.every((x, at) => x === plain.a.data[at]));
    }
    for (const signs of Object.values(seen)) expect(signs.size).toBeGreaterThan(200);
    for (const count of Object.values(shown)) expect(count).toBeGreaterThan(4);
  });

  it('powers and ones: entries so simple, of the same signs', () => {
    const { a: powers } = made('uniform', 'powers');
    const { a: ones } = made('uniform', 'ones');
    plainA.data.forEach((x, at) => {
      expect(isPower(powers.data[at])).toBe(true);
      expect(powers.data[at] / x).toBeGreaterThan(0.5);
      expect(powers.data[at] / x).toBeLessThanOrEqual(1);
      expect(ones.data[at]).toBe(Math.sign(x));
    });
  });
});

/** Returns an entry of a product in binary32, its terms added in order. */
function inOrder(a: Matrix, b: Matrix, entry: number): number {
  const [i, j] = [Math.floor(entry / b.cols), entry % b.cols];
  let sum = 0;
  for (let p = 0; p < a.cols; p++)
    sum = Math.fround(sum + Math.fround(a.data[i * a.cols + p] * b.data[p * b.cols + j]));
  return sum;
}

describe('an edited family', () => {
  const exact = (family: InputFamily) => [family.statistics, family.exactness];

  it('says what holds after the edits', () => {
    expect(exact(edited('uniform', 'spread:3'))).toEqual(['random', 'none']);
    expect(exact(edited('uniform', 'powers'))).toEqual(['structured', 'none']);
    expect(exact(edited('uniform', 'ones'))).toEqual(['structured', 'integers']);
    expect(exact(edited('integers', 'zero-inner:1'))).toEqual(['structured', 'integers']);
    expect(exact(edited('integers', 'powers'))).toEqual(['structured', 'integers']);
    expect(exact(edited('integers', 'spread:3'))).toEqual(['structured', 'none']);
    expect(exact(edited('permutation', 'zero-rows:1'))).toEqual(['structured', 'classical']);
    expect(exact(edited('uniform', 'special:1,ones'))).toEqual(['structured', 'none']);
  });

  it('that promises whole numbers has them', () => {
    for (const family of inputs) {
      for (const text of ['ones', 'powers', 'zero-inner:1,powers']) {
        const after = editedFamily(family, parseEdits(text));
        const square = { ...SHAPE, m: 5, k: 5, n: 5, levels: 2, growth: sharedGrowth() };
        if (after.exactness !== 'integers' || !after.accepts(square).ok) continue;
        const { a, b, hasSpecials } = after.generate(square);
        expect(hasSpecials || [...a.data, ...b.data].every(Number.isInteger)).toBe(true);
      }
    }
  });

  it.each(EXAMPLES)('that promises exact sums has them, with %s', (text) => {
    const shape = { ...SHAPE, m: 7, k: 7, n: 7, precision: precisions.find('f32') };
    for (const family of inputs) {
      const after = editedFamily(family, parseEdits(text));
      if (after.exactness === 'none' || !after.accepts(shape).ok) continue;
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { a, b, hasSpecials } = after.generate({ ...shape, seed });
        if (hasSpecials) continue;
        const { product } = exactProduct(a, b);
        expect(product.data.filter((x, e) => x !== inOrder(a, b, e)).length).toBe(0);
      }
    }
  });

  it('has no ideal product, and is subnormal only while entries are', () => {
    expect(made('inverse-pair', 'powers', { m: 4, k: 4, n: 4 })).not.toHaveProperty('ideal');
    expect(made('subnormals', 'zero-rows:1').hasSubnormals).toBe(true);
    expect(made('subnormals', 'ones').hasSubnormals).toBe(false);
  });

  it.each([
    ['uniform', 'spread:60', 'f16', /entries reach 2\^66/],
    ['wide-exponents', 'spread:10', 'f32', /sums reach 2\^147/],
    // Multiplied first, factors of far lines overflow and meet sums of 0.
    ['softmax', 'far-bands:75', 'uint8-row', /sums reach 2\^162/],
    ['softmax', 'rescaled,far-bands:55', 'mxfp4', /sums reach 2\^134/],
    ['uniform', 'zero-rows:7', 'f32', /counts from 0 to 6, and names 7/],
    ['uniform', 'special:1', 'f32x2', /pairs have no infinities/],
  ] as const)('%s with %s refuses %s', (name, text, precision, why) => {
    expect(() => made(name, text, { precision: precisions.find(precision) })).toThrow(why);
  });

  it('of terms that cancel takes two of them', () => {
    expect(() => made('uniform', 'cancel:3', { k: 1 })).toThrow(/need k ≥ 2/);
  });
});

it('index ranges are read and written', () => {
  expect(indicesOf(parseRanges('5.0-2.1-3') ?? [])).toEqual([0, 1, 2, 3, 5]);
  expect(findRanges([5, 3, 1, 2, 0, 3])).toEqual([
    [0, 3],
    [5, 5],
  ]);
});

describe('an edited pair', () => {
  const wide = { 'opposed:60': 'opposed:100', 'spread:3': 'spread:48' } as Readonly<Record<string, string>>;
  /** True if a format has a number, or a bit pattern for NaN or infinity. */
  const holds = (format: Format | CodedFormat, x: number) =>
    Number.isFinite(x) ||
    ('holds' in format ? format.holds[Number.isNaN(x) ? 'nan' : 'infinity'] : format.exceptions);

  it.each(['uint8-i32', 'int4-i32', 'e2m1-f32', 'mxfp4', 'nbits8', 'int8-row'])(
    'has entries of %s alone',
    (name) => {
      const precision = precisions.find(name);
      const asked = { m: 5, k: 5, n: 5, seed: 1, levels: 0, precision };
      for (const family of inputs.filter((_, at) => isWhole || at % 7 === 1))
        for (const example of EXAMPLES) {
          const own = edited(family.name, wide[example] ?? example);
          if (!own.accepts(asked).ok) continue;
          const { a, b } = codedPair(own.generate(asked), precision, 1);
          expect([...a.data].every((x) => holds(precision.a, x))).toBe(true);
          expect([...b.data].every((x) => holds(precision.b, x))).toBe(true);
        }
    },
  );

  it('has factors at their ends only where they were chosen', () => {
    const precision = precisions.find('mxfp4');
    expect(edited('factor-ends', 'spread:48').accepts({ m: 4, k: 70, n: 6, precision })).toEqual({
      ok: false,
      reason: 'its elements and factors are chosen together',
    });
  });
});
