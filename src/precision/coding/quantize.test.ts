import { describe, expect, test } from 'vitest';
import { catchParanoiaError } from '../../base/errors.ts';
import { mapNumbers } from '../../base/numbers.ts';
import { createRandom, type Random } from '../../base/random.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import type { CodedMatrix } from '../../matrix/operands.ts';
import { type CodedFormat, f16 } from '../format.ts';
import { holdsExactly } from '../formats/neighbours.testing.ts';
import { type Coding, hasMinima, lineAccessOf, listBlocks, type Operand, scaleAt } from './coding.ts';
import { codings } from './codings.ts';
import { decodeCoded } from './decode-coded.ts';
import { endsOf } from './fill.ts';
import { quantize } from './quantize.ts';

const random = createRandom(77);

/** Sizes for which blocks are whole, cut off, single or absent. */
const sizes = [
  [3, 41],
  [129, 2],
  [1, 1],
  [5, 0],
  [0, 5],
] as const;

const families: Readonly<Record<string, (at: number) => number>> = {
  uniform: () => random.uniform(-1, 1),
  positive: () => random.uniform(0.5, 3),
  negative: () => -random.uniform(0, 1e-3),
  'far apart': () => random.sign() * (1 + random.uniform01()) * 2 ** random.int(-40, 40),
  huge: () => random.uniform(-1, 1) * 2 ** 127,
  tiny: () => random.int(-8, 8) * 2 ** -149,
  'tiny beside large': (at) => (at % 17 === 3 ? 1000 : random.uniform(-1, 1) * 2 ** -20),
  'whole numbers': () => random.int(-3, 4),
  'mostly zeros': (at) => (at % 41 === 7 ? random.uniform(-1, 1) : 0),
  zeros: (at) => (at % 2 === 0 ? 0 : -0),
};

const drawn = (rows: number, cols: number, of: (at: number) => number): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, (_, at) => of(at)),
});

/** True if numbers are the same, bit for bit. */
const same = (a: Matrix, b: Matrix): boolean =>
  a.data.length === b.data.length && a.data.every((x, at) => Object.is(x, b.data[at]));

const all = codings.items.flatMap(({ name, coded }) =>
  (['a', 'b'] as const).flatMap((side) =>
    coded[side] === undefined ? [] : [[name, side, coded[side]] as const],
  ),
);

describe.each(all)('%s of %s', (_, side, coding) => {
  const { element, scales } = coding;
  const matrices = Object.entries(families).flatMap(([family, of]) =>
    sizes.map(([rows, cols]) => [family, drawn(rows, cols, of)] as const),
  );

  test('coding what it decodes to changes nothing, bit for bit, whatever was drawn', () => {
    const draws = createRandom(3);
    const changed = matrices.filter(([, x], at) => {
      const { coded, decoded } = quantize(x, side, coding, at % 3 === 0 ? draws : undefined);
      const again = quantize(decoded, side, coding).decoded;
      return !same(again, decoded) || !same(decodeCoded(coded, side, coding), decoded);
    });
    expect(changed.map(([family, { rows, cols }]) => `${family} ${rows}×${cols}`)).toEqual([]);
  });

  test('each number becomes the nearest that its block has', () => {
    const wrong = matrices.flatMap(([family, x]) =>
      [...errorsOf(x, side, coding)]
        .filter(({ error, most }) => error > most)
        .map((found) => ({ family, ...found })),
    );
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test('the largest entry of a block becomes an element near the largest', () => {
    const least = scales[0].format.precision === 1 ? 0.49 : 0.9;
    const wrong = matrices.flatMap(([family, x]) => {
      if (family !== 'uniform' && family !== 'positive') return [];
      const { coded: made } = quantize(x, side, coding);
      return largestElements(made, side, coding).filter((size) => size < least * element.maxFinite);
    });
    // With two levels, the smallest blocks may lie below the reach of the first level's factors.
    if (scales.length === 1) expect(wrong).toEqual([]);
  });

  test('whole numbers stay exact whatever is drawn, and factors of neighbouring blocks differ', () => {
    const draws = createRandom(5);
    const { numbers } = element;
    // Elements of 2 or 3 bits hold no more; a table, multiples of one number.
    const held = (x: number) => (element.maxFinite < 7 ? Math.max(-1, Math.min(2, x)) : numbers ? 13 : x);
    const whole = matrices
      .filter(([family]) => family === 'whole numbers' || (family === 'zeros' && numbers === undefined))
      .map(([family, x]) => [family, { ...x, data: x.data.map(held) }] as const);
    const alike = whole.flatMap(([family, x]) => {
      const { coded, decoded } = quantize(x, side, coding, draws);
      expect(mapNumbers(decoded.data, (value) => value + 0)).toEqual(
        mapNumbers(x.data, (value) => value + 0),
      );
      expect(same(decodeCoded(coded, side, coding), decoded)).toBe(true);
      const [{ data }] = coded.scales;
      return data.length > 8 && new Set(data).size === 1 ? [family] : [];
    });
    expect(alike).toEqual([]);
  });

  test('NaN and infinities are the elements’, or refused', () => {
    const { holds: kinds } = element as CodedFormat;
    for (const special of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const x = drawn(2, 40, (at) => (at === 50 ? special : at));
      const made = catchParanoiaError(() => quantize(x, side, coding));
      if (!kinds.nan) expect(made).toMatchObject({ code: 'not-stored', exitCode: 2 });
      else
        expect(made).toMatchObject({
          decoded: { data: expect.objectContaining({ 50: kinds.infinity ? special : Number.NaN }) },
        });
    }
  });
});

/** Yields the error of each number and its bound: half a unit of its element, or the part beyond the ends of the elements. */
function* errorsOf(x: Matrix, side: Operand, coding: Coding) {
  const { element, scales, zero } = coding;
  const lower = hasMinima(coding);
  const { coded, decoded } = quantize(x, side, coding);
  const { lines, entries, at } = lineAccessOf(x, side);
  const { least, most } = endsOf(element);
  for (const block of listBlocks({ lines: [0, lines], entries: [0, entries] }, scales[0])) {
    const factors = scales.map(
      (of, level) => coded.scales[level].data[scaleAt(block, of, coded.scales[level])],
    );
    const product = (of: readonly number[]) => of.reduce((all, one) => all * one, 1);
    const factor = lower ? factors[0] * factors[2] : product(factors);
    const point = lower
      ? (factors[1] * factors[3]) / factor
      : zero === undefined
        ? 0
        : (coded.zeros?.data[scaleAt(block, scales[0], coded.scales[0])] ?? 0);
    for (let line = block.lines[0]; line < block.lines[1]; line++) {
      for (let entry = block.entries[0]; entry < block.entries[1]; entry++) {
        const [value, found] = [x, decoded].map(({ data }) => data[at(line, entry)]);
        const units = value / factor + point;
        const beyond = Math.max(0, units - most, least - units);
        const clamped = Math.min(most, Math.max(least, units));
        const half =
          element.numbers === undefined
            ? Math.max(element.minSubnormal / 2, Math.abs(units) * element.unitRoundoff)
            : Math.min(...element.numbers.map((one) => Math.abs(one - clamped)));
        // The ends of a range become those of the elements, with an error of half a step more, and that of rounding the factor.
        const { unitRoundoff, minSubnormal } = scales[0].format;
        const moved = (most - least) * Math.max(unitRoundoff, minSubnormal / Math.abs(factor) / 2);
        // Whole scales and minima are half a step off.
        const steps = ((most - least) * factors[2] + factors[3]) / 2 / factor;
        const forced = lower ? 0.5 + steps * (1 + 2 ** -6) : zero === undefined ? 0 : 0.5 + moved;
        yield {
          value,
          found,
          error: Math.abs(value - found),
          // Only zeros have a factor 0.
          most: factor === 0 ? 0 : (half + beyond + forced) * Math.abs(factor) * (1 + 2 ** -20),
        };
      }
    }
  }
}

/** Returns the largest element of each block that is not zero. */
function largestElements(
  { elements }: CodedMatrix,
  side: Operand,
  { scales, zero, element }: Coding,
): readonly number[] {
  const { lines, entries, at } = lineAccessOf(elements, side);
  return [...listBlocks({ lines: [0, lines], entries: [0, entries] }, scales[0])].map((block) => {
    let largest = 0;
    for (let line = block.lines[0]; line < block.lines[1]; line++) {
      for (let entry = block.entries[0]; entry < block.entries[1]; entry++) {
        largest = Math.max(largest, Math.abs(elements.data[at(line, entry)]));
      }
    }
    // All entries of a block of equal numbers may lie at the other end.
    return zero === undefined && !hasMinima({ scales }) ? largest : element.maxFinite;
  });
}

test('of codes nothing is lost that the elements hold', () => {
  for (const { coded } of codings.items) {
    for (const coding of [coded.a, coded.b]) {
      if (coding === undefined) continue;
      const { coded: made } = quantize(drawn(4, 100, families.uniform), 'a', coding);
      expect(made.elements.data.every((x) => holdsExactly(coding.element as CodedFormat, x))).toBe(true);
    }
  }
});

/** Draws codes for many blocks of the same whole numbers. */
const drawnFor = (name: string, seed: number, values = 7) =>
  quantize(
    drawn(64, 64, (at) => (at % values) - (values >> 1)),
    'b',
    codings.find(name).coded.b!,
    createRandom(seed),
  ).coded;

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'with seed %d the factors of nvfp4 keep all that their blocks may have',
  (seed) => {
    const [inner] = drawnFor('nvfp4', seed).scales;
    expect(new Set(inner.data).size).toBeGreaterThan(1);
  },
);

test.each(['q2_K', 'q3_K', 'q4_K', 'q5_K', 'q6_K'])('%s: scales of blocks and minima are drawn', (name) => {
  const [first, second] = drawnFor(name, 1, 3).scales;
  for (const { data } of name === 'q3_K' || name === 'q6_K' ? [first] : [first, second])
    expect(new Set(data).size).toBeGreaterThan(1);
});

describe('elements of a table without 0', () => {
  const coding = codings.find('iq4_nl').coded.b!;
  const numbers = coding.element.numbers ?? [];
  const coded = (values: readonly number[], draws?: Random) =>
    quantize(matrix(values.length, 1, Float32Array.from(values)), 'b', coding, draws);

  test('a block of zeros has the factor 0, whatever its elements; no other has it', () => {
    const values = Array.from({ length: 96 }, (_, at) => (at >> 5 === 1 ? 0 : at - 48));
    const { coded: made, decoded } = coded(values, createRandom(1));
    expect(Array.from(made.scales[0].data, (x) => x === 0)).toEqual([false, true, false]);
    expect(decoded.data.slice(32, 64).every((x) => Object.is(x, 0))).toBe(true);
    expect(decoded.data.filter((x) => x === 0)).toHaveLength(32);
  });

  test('every number with every factor stays, also beside others, and without the smallest element', () => {
    const changed: unknown[] = [];
    for (let pattern = 1; pattern < 0x7c00; pattern += 7) {
      const factor = f16.code.decode(pattern) * (pattern % 2 === 0 ? -1 : 1);
      const from = pattern % numbers.length;
      const values = Array.from({ length: 32 }, (_, at) => numbers[Math.max(from, at % 16)] * factor);
      const { decoded } = coded(values, pattern % 3 === 0 ? createRandom(pattern) : undefined);
      if (!values.every((x, at) => x === decoded.data[at])) changed.push({ pattern, from });
    }
    expect(changed).toEqual([]);
  });

  test('other whole numbers become multiples of the least power of two whose elements reach them', () => {
    for (let most = 3; most < 2000; most += 13) {
      // No two elements of opposite signs have such a quotient.
      const values = Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? most : 1 - most));
      const size = Math.abs(coded(values, createRandom(most)).coded.scales[0].data[0]);
      expect(Number.isInteger(Math.log2(size))).toBe(true);
      expect([size * 127 >= most, (size / 2) * 127 < most]).toEqual([true, true]);
    }
  });
});

test('signs and zero points are drawn where there are some', () => {
  const [{ data }] = drawnFor('q4_0', 1).scales;
  for (const sign of [-1, 1])
    expect(data.filter((x) => Math.sign(x) === sign).length).toBeGreaterThan(data.length / 4);
  expect(new Set(drawnFor('nbits4', 1).zeros?.data).size).toBeGreaterThan(4);
});
