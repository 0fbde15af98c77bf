import { describe, expect, it, test } from 'vitest';
import { blocksOf, grouped, sumsIn } from '../lab/honest/sums.ts';
import { algorithmRegistry } from '../src/algorithms/algorithms.ts';
import { inShort, itWhole } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { stillClock } from '../src/base/time.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { elements } from '../src/inspect/elements.ts';
import { factors } from '../src/inspect/factors.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import type { InspectionFinding, InspectionMeasures } from '../src/inspect/inspection.ts';
import { order } from '../src/inspect/order.ts';
import { precision } from '../src/inspect/precision.ts';
import type { InspectionContext, InspectionQuestion } from '../src/inspect/question.ts';
import { InspectionSession, NOT_HELD } from '../src/inspect/session.ts';
import { specialFactors } from '../src/inspect/special-factors.ts';
import { sums } from '../src/inspect/sums.ts';
import { wholeSums } from '../src/inspect/whole-sums.ts';
import { both, scaleOf } from '../src/precision/coding/coding.ts';
import { scaledPrecision } from '../src/precision/coding/scaled-precision.ts';
import { bf16, f16, f32 } from '../src/precision/format.ts';
import { e4m3, e4m3fnuz, e8m0 } from '../src/precision/formats/floats.ts';
import { type CodedMaking, coded } from './coded-kernels.ts';
import { strassenFrom } from './inspect-kernels.ts';
import { some } from './some.ts';

/**
 * The law: for kernels of coded operands whose every rounding is known, inspection reports their properties, and reports as unknown what it
 * cannot know. No question uses numbers that elements and factors cannot hold, so that nothing is rounded on its way to the kernel.
 *
 * Why: a question that is rounded is another one: an honest kernel was said to multiply fewer bits than it claims.
 */

const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;
const single = Math.fround;
const { atOnce, blocked, inDoubles, sequential } = sumsIn(f32);

/** Asks some questions alone, in their order. */
async function asked(making: CodedMaking, questions: readonly InspectionQuestion[]) {
  const kernel = coded('x', making);
  const measures: InspectionMeasures = {};
  const session = new InspectionSession(kernel, method, measures);
  const context: InspectionContext = {
    ...{
      session,
      algorithms: algorithmRegistry,
      random: createRandom(1),
      quick: true,
      sizes: [16],
      allSizes: true,
      measures,
      known: {},
    },
    ...{ clock: stillClock, stop: () => false },
  };
  const findings: InspectionFinding[] = [];
  for (const { id, question, wrongProducts, ask } of questions) {
    session.endsOnWrong = wrongProducts === undefined;
    session.judges = wrongProducts !== 'own';
    findings.push(...(await ask(context)).map((answer) => ({ id, question, ...answer })));
  }
  return { measures, ...reading(findings) };
}

/** Asks all quick questions. */
async function inspected(making: CodedMaking, until?: string) {
  const kernel = coded('x', making);
  const told: string[] = [];
  const found = await inspectKernel(kernel, {
    clock: stillClock,
    ...{ quick: true, sizes: [16] },
    onFinding: ({ id }) => told.push(id),
    stop: () => until !== undefined && told.some((id) => id.startsWith(until)),
  });
  return {
    ...found,
    ...reading(found.findings),
    contradictions: contradictions(found, promisesOf(kernel, method)),
  };
}

/** Checks that no question used numbers that operands cannot hold, and returns functions that read the findings. */
function reading(findings: readonly InspectionFinding[]) {
  for (const { evidence } of findings) expect(evidence).not.toContain(` ${NOT_HELD} of `);
  return { answer: (id: string) => findings.find((one) => one.id === id) };
}

/** Sums of 14 bits, truncated, of four products at once, as in matrix units. */
const unit = atOnce(4, 14, single);

type Row = readonly [name: string, making: CodedMaking, answer: string];

const row = 'e4m3-row';
const byBoth = 'by the product of both factors, rounded first';
const toSums = 'to sums of products, after they are added';
const toElements = 'to elements, before they are multiplied';

const applied: readonly Row[] = [
  ['to elements, in binary32', { precision: row }, `${toElements}, rounded to binary32`],
  ['to sums, once', { precision: row, to: 'sums' }, `${toSums}, ${byBoth}, once for all of 64 terms`],
  ['to elements, in bf16', { precision: row, scaled: bf16.round }, `${toElements}, rounded to bf16`],
  ['to elements, in f16', { precision: row, scaled: f16.round }, `${toElements}, rounded to f16`],
  ['to products', { precision: row, to: 'products' }, `to each product, before it is added, ${byBoth}`],
  [
    'to sums, A’s first',
    { precision: row, to: 'sums', chain: (t, fa, fb) => single(single(t * fa) * fb) },
    `${toSums}, by the factor of A, then by that of B, once for all of 64 terms`,
  ],
  [
    'to sums, B’s first',
    { precision: row, to: 'sums', chain: (t, fa, fb) => single(single(t * fb) * fa) },
    `${toSums}, by the factor of B, then by that of A, once for all of 64 terms`,
  ],
  [
    'to sums of 16 terms',
    { precision: row, to: 'sums', run: 16 },
    `${toSums}, ${byBoth}, in chunks of 16 terms or fewer`,
  ],
  [
    'to sums of 2 lanes',
    { precision: row, to: 'sums', lanes: 2 },
    `${toSums}, ${byBoth}, in lanes of every 2 terms or fewer`,
  ],
  [
    'to sums of 16 lanes',
    { precision: row, to: 'sums', lanes: 16 },
    `${toSums}, ${byBoth}, in lanes of every 16 terms or fewer`,
  ],
  ['block by block', { precision: 'e4m3-block', to: 'sums' }, `${toSums}, ${byBoth}, block by block of 128`],
  ['in a tensor', { precision: 'e5m2-tensor', to: 'sums' }, `${toSums}, ${byBoth}, once for all of 64 terms`],
  ['whole numbers', { precision: 'int8-row', to: 'sums' }, `${toSums}, ${byBoth}, once for all of 64 terms`],
  ['zero points', { precision: 'int8-row-zeros' }, `${toElements}, rounded to binary32`],
  ['weights', { precision: 'q4_0', to: 'sums' }, `${toSums}, block by block of 32`],
  ['weights of a table', { precision: 'iq4_nl', to: 'sums' }, `${toSums}, block by block of 32`],
  ['weights before', { precision: 'nbits4' }, `${toElements}, rounded to binary32`],
  [
    'powers of two',
    { precision: 'mxfp8-e4m3' },
    'cannot be told: powers of two round nothing, and no number on the way left its range',
  ],
  [
    'powers of two, to sums',
    { precision: 'mxfp4', to: 'sums' },
    'to products or sums of them, by the product of both factors',
  ],
  ['few bits', { precision: 'nvfp4' }, 'cannot be told: nothing is rounded, wherever they are applied'],
  ['nothing known', { precision: row, scaled: (x) => 1.01 * x }, 'in no way that is known'],
];

test.each(inShort(some(applied, 6), 2))('factors: %s', async (_, making, answer) => {
  const found = await asked(making, [factors]);
  expect(found.answer('factors')?.answer).toBe(answer);
});

itWhole('factors of larger blocks are told apart from those of smaller ones', async () => {
  const found = await asked({ precision: 'nvfp4', to: 'sums' }, [factors]);
  // Its chunks are those of smaller blocks.
  expect(found.answer('outer-factors')?.answer).toBe(`${toSums}, ${byBoth}, in chunks of 16 terms or fewer`);
});

/** A format like MXFP8, with shorter blocks. */
const inEights = scaledPrecision({
  ...{ name: 'eights', what: 'blocks of 8', source: 'this test' },
  coded: both({ element: e4m3, scales: [scaleOf(1, 8, e8m0)] }),
});

test('a number that no entry is refuses its question', () => {
  const session = new InspectionSession(coded('x', { precision: 'mxfp4' }), method, {});
  const asking = (x: number) => () => session.matrix('a', 1, 1, () => x);
  expect(asking(1 + 2 ** -23)).toThrow(`${1 + 2 ** -23} ${NOT_HELD} of elements of e2m1.`);
  expect(asking(7)).toThrow(NOT_HELD);
  expect(asking(6)).not.toThrow();
});

/** The questions about sums. */
const ofSums = [elements, precision, order, sums];

describe('sums of elements', () => {
  itWhole('of 14 bits cut off, promoted block by block, are told with their blocks', async () => {
    const found = await asked({ precision: inEights, sum: unit }, ofSums);
    expect(found.measures).toMatchObject({ operandBits: 4, accumulatorBits: 14, accumulatorBitsMost: 24 });
    expect(found.answer('accumulator-bits')?.answer).toMatch(
      /^14 in sums of up to 8 terms, 24 in longer ones; seen at m = 64, k = 32/,
    );
    expect(found.measures.rounding).toBe('toward zero');
  });

  itWhole('promoted after 8 terms are told with their chunks', async () => {
    const making = { precision: 'e4m3-row', sum: grouped(blocksOf(8), unit, sequential) };
    const found = await asked(making, ofSums);
    expect(found.answer('accumulator-bits')?.answer).toMatch(
      /^14 in sums of up to 8 terms, 24 in longer ones; seen at m = 64, k = 32/,
    );
  });

  itWhole('of 2 bits are seen across blocks alone', async () => {
    const found = await asked({ precision: 'mxfp4', sums: blocked(4) }, ofSums);
    expect(found.measures).toMatchObject({ order: 'split-k', termsApart: 32, operandBits: 2 });
    expect(found.answer('order')?.answer).toContain('one term in each block of 32');
  });

  itWhole('wider than operands can ask are told as far as they can', async () => {
    const found = await asked({ precision: 'int8-row', sum: inDoubles }, ofSums);
    expect(found.answer('accumulator-bits')?.answer).toMatch(/^at least 13 in sums of three terms/);
    expect(found.answer('order')?.evidence).toContain('hold products up to 2^12 apart');
  });
});

describe('elements', () => {
  it.each(
    inShort(
      [
        [
          'flushed',
          { precision: 'e4m3-row', element: (x: number) => (Math.abs(x) < 2 ** -6 ? 0 : x) },
          ['subnormal-operands', 'flushed to zero'],
        ],
        [
          'of fewer bits',
          { precision: 'mxfp8-e4m3', element: (x: number) => (Number.isFinite(x) ? cutTo(3)(x) : x) },
          ['elements', 'no: 118 of 240 become other numbers'],
        ],
        [
          'of another format',
          { precision: 'e4m3-row', element: (x: number) => e4m3fnuz.round(x / 2) },
          ['elements', 'no: 238 of 240 become other numbers'],
        ],
        [
          'NaN for the largest number',
          { precision: 'mxfp8-e4m3', element: (x: number) => (Number.isNaN(x) ? 480 : x) },
          ['special-elements', 'no: NaN gave 480, NaN gave 480'],
        ],
      ] as const,
      2,
    ),
  )('%s are seen', async (_, making, [id, answer]) => {
    const found = await asked(making, [elements]);
    expect(found.answer(id)?.answer).toBe(answer);
  });

  itWhole('of fewer bits than their format disprove it', async () => {
    const found = await inspected({ precision: 'mxfp8-e4m3', element: cutTo(3) }, 'elements');
    expect(found.contradictions).toContain('Its elements have 3 significant bits, but mxfp8-e4m3 needs 4.');
  });
});

/** Truncates after so many bits. */
const cutTo = (bits: number) => (x: number) => {
  if (x === 0 || !Number.isFinite(x)) return x;
  const last = 2 ** (Math.floor(Math.log2(Math.abs(x))) - bits + 1);
  return Math.trunc(x / last) * last;
};

describe('factors at the ends of their range', () => {
  const flushing = (x: number) => (x < 2 ** -126 ? 0 : x);
  const forgiving = (x: number) => (Number.isNaN(x) ? 1 : x);

  it('are seen to be flushed, or a NaN not to come out', async () => {
    const factor = (x: number) => forgiving(flushing(x));
    const found = await asked({ precision: 'mxfp4', factor }, [specialFactors]);
    expect(found.answer('smallest-factors-a')?.answer).toBe('flushed to zero');
    expect(found.answer('nan-factors-a')?.answer).toBe('no: 1');
  });

  it('are kept by what keeps them', async () => {
    const found = await asked({ precision: 'mxfp4' }, [specialFactors]);
    expect(found.answer('smallest-factors-b')?.answer).toBe('kept');
    expect(found.answer('nan-factors-b')?.answer).toBe('yes');
  });
});

describe('sums of whole numbers', () => {
  const clamp = (bits: number) => (x: number) => Math.max(-(2 ** bits), Math.min(2 ** bits - 1, x));
  const wrap = (bits: number) => (x: number) =>
    ((((x + 2 ** bits) % 2 ** (bits + 1)) + 2 ** (bits + 1)) % 2 ** (bits + 1)) - 2 ** bits;
  const each = (round: (x: number) => number) => (terms: Float64Array) =>
    terms.reduce((sum, x) => round(sum + x), 0);
  it.each([
    ['saturate', each(clamp(15)), 'exact up to 2^8 at least; beyond 2^15 they saturate'],
    ['wrap around', each(wrap(15)), 'exact up to 2^8 at least; beyond 2^15 they wrap around'],
    ['rounded as binary32', undefined, 'exact up to 2^16 at least; beyond 2^24 they are rounded'],
    ['in 32 bits', inDoubles, 'exact beyond 2^24; larger sums were not tested'],
  ] as const)('%s', async (_, sum, answer) => {
    const found = await asked({ precision: 'int8-row', to: 'sums', sum }, [wholeSums]);
    expect(found.answer('whole-sums')?.answer).toBe(answer);
  });
});

itWhole(
  'Strassen’s method in scaled elements is told, and what is exact in whole numbers is not',
  async () => {
    const multiply = strassenFrom(16);
    const found = await inspected({ precision: 'mxfp8-e4m3', multiply }, 'levels');
    expect(found.measures).toMatchObject({ algorithm: 'strassen', levels: 1 });
    expect(found.contradictions.join()).toContain('It claims to be classical, but at n = 16');
  },
);

itWhole.each(some(['mxfp8-e4m3', 'mxfp4', 'e4m3-block', 'nvfp4', 'uint8-row', 'nbits8', 'iq4_nl'], 7))(
  'an honest kernel in %s contradicts nothing, whatever is asked',
  async (precision) => {
    const found = await inspected({ precision, to: 'sums' });
    expect(found.contradictions).toEqual([]);
    expect(found.crashes).toBeUndefined();
    expect(found.measures).toMatchObject({ multiplies: true, grade: 'A', algorithm: 'classical' });
  },
);
