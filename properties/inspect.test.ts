import { describe, expect, it } from 'vitest';
import { sumsIn } from '../lab/honest/sums.ts';
import { inShort, isWhole, itWhole } from '../src/base/in-short.testing.ts';
import { stillClock } from '../src/base/time.ts';
import { deviceLost } from '../src/gpu/messages.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { type InspectOptions, inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { type Inspection, type InspectionMeasures, inspection } from '../src/inspect/inspection.ts';
import { multipliedBits, sidesOf } from '../src/inspect/operand-format.ts';
import { NOT_HELD } from '../src/inspect/session.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import { type Kernel, multiply } from '../src/kernels/kernel.ts';
import { modelKernel } from '../src/kernels/model-kernel.ts';
import { tamperKernel } from '../src/kernels/tampered.testing.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { type Arithmetic, emulated } from '../src/precision/arithmetic.ts';
import { bf16, f16, tf32 } from '../src/precision/format.ts';
import { kindsOfPrecisions } from '../src/precision/kinds.testing.ts';
import type { Precision } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { singleComputation } from '../src/precision/single.ts';
import {
  cutOff,
  inFixedPoint,
  inTwoParts,
  made,
  strassenFrom,
  strassenUpsideDown,
  sums,
} from './inspect-kernels.ts';
import { some } from './some.ts';

const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

async function unmask(
  kernel: Kernel,
  options: InspectOptions = {},
): Promise<Inspection & { contradictions: string[] }> {
  const found = await inspectKernel(kernel, { quick: true, sizes: [16], clock: stillClock, ...options });
  // A question that is rounded on its way to the kernel is another question.
  // Elements of iq4_nl lack 0, so questions with zeros are not asked of them.
  for (const { evidence } of found.findings)
    expect(evidence.replace(/^0 is none of elements of iq4nl\.$/, '')).not.toContain(` ${NOT_HELD} of `);
  const against = contradictions(found, promisesOf(kernel, options.method ?? method));
  expect(inspection.parse({ ...found, contradictions: against })).toEqual({
    ...found,
    contradictions: against,
  });
  return { ...found, contradictions: against };
}

const answerOf = ({ findings }: Inspection, id: string) => findings.find((one) => one.id === id);

/** The measurements of a kernel without a defect, whatever its order. */
const honest: InspectionMeasures = {
  multiplies: true,
  deterministic: true,
  algorithm: 'classical',
  levels: 0,
  operandBits: 24,
  accumulatorBits: 24,
  storedBits: 24,
  fused: false,
  rounding: 'to nearest even',
  exceptions: true,
  flushesOperands: false,
  flushesResults: false,
  grade: 'A',
  batchInvariant: true,
};

/** The number of parts of sums, and the number of terms of each part. */
const PARTITIONS: Readonly<Record<string, { readonly each: number; readonly parts: number }>> = {
  'blocks of 4': { each: 4, parts: 8 },
  '4 parts': { each: 8, parts: 4 },
  '4 lanes': { each: 8, parts: 4 },
};

describe('the order of a sum', () => {
  it.each(
    inShort(
      [
        ['sequential', 'sequential', 'one after the other, from the first term to the last', '0…31'],
        ['backwards', 'sequential', 'one after the other, from the last term to the first', '31…0'],
        ['pairwise', 'pairwise', 'halves of halves', '(0 + 1)'],
        ['blocks of 4', 'blocked', 'blocks of 4, added one after the other', '(0…3) + (4…7)'],
        [
          '4 parts',
          'split-k',
          '4 parts of k/4 terms, added in pairs',
          '((0…7) + (8…15)) + ((16…23) + (24…31))',
        ],
        ['4 lanes', 'interleaved', '4 lanes, every 4th term each, added in pairs', '(0, 4…28) + (1, 5…29)'],
        ['in binary64', 'sequential', 'one after the other, from the first term to the last', '0…31'],
      ],
      6,
    ),
  )('%s is %s', async (name, order, words, tree) => {
    const found = await unmask(made(name, { sum: sums[name] }));
    const accumulatorBits = name === 'in binary64' ? 53 : 24;
    expect(found.measures).toMatchObject({ ...honest, accumulatorBits, order });
    const partition = PARTITIONS[name] ?? {};
    expect(found.measures.orders).toEqual([
      { k: 32, order, words, tree: expect.stringContaining(tree), ...partition },
    ]);
    expect(found.contradictions).toEqual([]);
  });

  itWhole('of adders for four terms at once is seen with their cutting off', async () => {
    const found = await unmask(made('units', { sum: sums['4 at once'] }));
    expect(found.measures).toMatchObject({ order: 'fused', rounding: 'toward zero', accumulatorBits: 24 });
    expect(answerOf(found, 'order')?.answer).toContain('4 at once, added to the sum so far (4-way adders)');
    expect(found.contradictions).toEqual([expect.stringContaining('but its sums round toward zero')]);
  });

  it.each(
    inShort(
      [
        ['sequential', 'pairwise', 8, 'It claims to add up pairwise, but adds up sequential'],
        ['pairwise', 'sequential', undefined, 'It claims to add up sequential, but adds up pairwise'],
        ['4 lanes', 'sequential', undefined, 'It claims to add up sequential, but adds up interleaved'],
      ] as const,
      3,
    ),
  )('%s is no %s one', async (name, order, partition, sentence) => {
    const found = await unmask(made(name, { sum: sums[name], claims: { order, partition } }));
    expect(found.contradictions).toEqual([expect.stringContaining(sentence)]);
  });

  itWhole('says nothing of halves, or of blocks, that are longer than it', async () => {
    for (const order of ['pairwise', 'blocked'] as const) {
      const found = await unmask(
        made('sequential', { sum: sums.sequential, claims: { order, partition: 32 } }),
      );
      expect(found.contradictions).toEqual([]);
    }
  });
});

describe('the bits of', () => {
  it.each(
    inShort(
      [
        [
          'bf16 operands',
          { operand: bf16.round },
          { operandBits: 8, operandRounding: 'to nearest even', wideExponents: true },
          'multiplies bf16, adds in f32',
        ],
        [
          'tf32 operands',
          { operand: tf32.round },
          { operandBits: 11, wideExponents: true },
          'multiplies tf32, adds in f32',
        ],
        [
          'f16 operands',
          { operand: f16.round },
          { operandBits: 11, wideExponents: false },
          'multiplies f16, adds in f32',
        ],
        [
          'cut off tf32',
          { operand: cutOff(11) },
          { operandBits: 11, operandRounding: 'toward zero' },
          'multiplies tf32, adds in f32',
        ],
        [
          'two bf16 parts',
          { multiply: inTwoParts },
          { operandBits: 17, accumulatorBits: 24 },
          'multiplies two bf16 parts',
        ],
      ],
      3,
    ),
  )('%s are too few for f32', async (name, making, measures, unit) => {
    const found = await unmask(made(name, making));
    expect(found.measures).toMatchObject({ algorithm: 'classical', storedBits: 24, ...measures });
    expect(answerOf(found, 'unit')?.answer).toContain(unit);
    const sentence = `Its products use operands of ${measures.operandBits} significant bits, but f32 needs 24`;
    expect(found.contradictions).toContainEqual(expect.stringContaining(sentence));
  });

  it('sums that are narrow or cut off', async () => {
    const narrow = await unmask(made('narrow', { sum: sumsIn(f16).fused }));
    expect(narrow.measures).toMatchObject({ accumulatorBits: 11, operandBitsHidden: true });
    expect(narrow.contradictions).toContainEqual(
      expect.stringContaining('Its sums keep 11 significant bits, but f32 needs 24'),
    );
    const cut = await unmask(made('cut', { sum: sums['cut off'] }));
    expect(cut.measures).toMatchObject({ ...honest, rounding: 'toward zero' });
  });

  it('exact products in sums of binary64 are better than f32, and no contradiction', async () => {
    const found = await unmask(made('wide', { product: (x, y) => x * y, sum: sums['in binary64'] }));
    expect(found.measures).toMatchObject({ accumulatorBits: 53, productBits: 46, storedBits: 24 });
    expect(answerOf(found, 'unit')?.answer).toBe('multiplies f32, adds in f64, stores f32: as f32 should be');
    expect(found.contradictions).toEqual([]);
  });

  itWhole('f16 entries, binary32 sums and f16 results are told apart', async () => {
    const sum = (terms: Float64Array) => f16.round(sums.sequential(terms));
    const found = await unmask(made('half', { precision: 'f16', sum }));
    expect(found.measures).toMatchObject({
      operandBits: 11,
      accumulatorBits: 24,
      storedBits: 11,
      order: 'sequential',
    });
    expect(answerOf(found, 'stored-rounding')?.answer).toBe('to nearest even');
    expect(found.contradictions).toEqual([]);
    const fewer = await unmask(made('fewer', { sum }));
    expect(fewer.contradictions).toContainEqual(
      expect.stringContaining('Its results have 11 significant bits, but f32 needs 24'),
    );
  });

  // Inspection of kernels of complex matrices asks for real products. Formats whose bits depend on the exponent have no one number of bits.
  const real = kindsOfPrecisions.filter(
    ({ complex, d }) => complex !== true && d.roundingError === undefined,
  );
  it.each(inShort([...real.filter((one) => !isFew(one)), ...some(real.filter(isFew), 7)], 8))(
    '$name, as its model computes it, are those it should have',
    async (precision) => {
      const { name, accumulated, multiplied, d } = precision;
      // The sign of each smaller part adds one bit.
      const ofSigns = (multiplied.split?.count ?? 1) - 1;
      const operandBits = Math.min(multipliedBits(precision) + ofSigns, d.precision);
      for (const fused of name === 'f32' || name === 'f16' ? [false, true] : [false]) {
        const arithmetic: Arithmetic = {
          ...emulated,
          fma: fused ? 'once' : 'twice',
          exceptions: d.exceptions,
        };
        const { measures, contradictions } = await unmask(
          small(modelKernel('classical', { precision, arithmetic })),
        );
        expect(measures.operandBits).toBe(operandBits);
        expect(measures).toMatchObject({ grade: 'A', algorithm: 'classical' });
        expect(contradictions).toEqual([]);
        // Another law tests sums of elements of few bits.
        if (isFew(precision)) continue;
        expect(measures.storedBits).toBe(d.precision);
        expect(measures.accumulatorBits).toBe(name === 'f32x2' ? 49 : accumulated.precision);
        if (name === 'f32' || name === 'f16') expect(measures.fused).toBe(fused);
        if (name !== 'f32x2') expect(measures.rounding).toBe('to nearest even');
        expect(measures.order).toBe('sequential');
      }
    },
  );

  itWhole('posit16 are left open: its entries lack the wide exponents of the question', async () => {
    const { findings } = await inspectKernel(
      small(modelKernel('classical', { precision: precisions.find('posit16'), arithmetic: emulated })),
      { quick: true, sizes: [16] },
    );
    expect(findings.find(({ id }) => id === 'precision')).toMatchObject({
      confidence: 'unknown',
      evidence: expect.stringMatching(/ is none of entries of posit16\.$/),
    });
  });
});

const isFew = (precision: Precision): boolean => sidesOf(precision).some((side) => side.isFew);

/** Returns a kernel that accepts only small shapes. */
const small = (kernel: Kernel): Kernel => ({
  ...kernel,
  refuses: ({ m, k, n }) => (Math.max(m, n) > 16 || k > 32 ? 'it is kept small' : undefined),
});

describe('the algorithm', () => {
  const models = ['classical', 'strassen', 'winograd'].flatMap((name) =>
    [0, 1, 2, 3].map((levels) => ({ name, levels })),
  );

  it.each(inShort(models, 5))('$name with $levels levels is recognised', async ({ name, levels }) => {
    const fast = name !== 'classical' && levels > 0;
    for (const fringe of ['pad', 'peel'] as const) {
      const told: string[] = [];
      const found = await unmask(small(modelKernel(name, singleComputation(emulated))), {
        method: { ...method, levels, fringe },
        onFinding: ({ id }) => told.push(id),
        stop: () => told.includes('levels'),
      });
      expect(found.measures).toMatchObject({
        algorithm: fast ? name : 'classical',
        levels: fast ? levels : 0,
      });
      expect(found.contradictions).toEqual([]);
    }
  });

  it.each(inShort(['strassen', 'winograd'], 2))(
    '%s does not hide what its leaf products do',
    async (name) => {
      const precision = precisions.find('tf32-f32');
      const kernel = small(modelKernel(name, { precision, arithmetic: emulated }));
      const found = await unmask(kernel, { method: { ...method, levels: 1 } });
      expect(found.measures).toMatchObject({
        ...{ algorithm: name, levels: 1, operandBits: 11, accumulatorBits: 24, blockSumBits: 24 },
        ...{ grade: 'C', exceptions: false, batchInvariant: false, order: 'sequential' },
      });
      expect(answerOf(found, 'order')?.answer).toContain('inside the products of blocks');
      expect(found.contradictions).toEqual([]);
    },
  );

  it('with narrow sums of blocks is found out', async () => {
    const found = await unmask(made('narrow', { multiply: strassenFrom(2, f16.round) }));
    expect(found.measures).toMatchObject({ algorithm: 'strassen', levels: 1, accumulatorBits: 24 });
    expect(found.measures.blockSumBits).toBeLessThan(16);
    expect(found.contradictions).toContainEqual(
      expect.stringContaining(
        `Its sums of blocks keep ${found.measures.blockSumBits} significant bits, but f32 needs 24`,
      ),
    );
  });

  itWhole('of a method that recurses from a size on is told with the size', async () => {
    const refuses = ({ m, k, n }: Shape) => (Math.max(m, k, n) > 32 ? 'it is kept small' : undefined);
    const kernel = made('from 32', { multiply: strassenFrom(32), refuses });
    const found = await unmask(kernel, { sizes: [16, 32] });
    expect(found.measures.levelsBySize).toEqual([
      { n: 16, algorithm: 'classical', levels: 0 },
      { n: 32, algorithm: 'strassen', levels: 1 },
    ]);
    expect(answerOf(found, 'levels')?.answer).toBe('0 from n = 16, 1 from n = 32');
    expect(found.contradictions).toEqual([
      'It claims to be classical, but at n = 32 it is strassen with 1 level.',
      expect.stringMatching(/^A product exceeds its error bound at 32×32×32: entry /),
    ]);
    const claims = {
      algorithm: 'strassen',
      levels: ({ m, k, n }: Shape) => Number(Math.min(m, k, n) >= 32 && (m | k | n) % 2 === 0),
    };
    const plan = (shape: Shape) => claimedPlan(claims, shape);
    const claimed = { ...kernel, algorithm: 'strassen', claims, plan, followsPlan: false };
    expect((await unmask(claimed, { sizes: [16, 32] })).contradictions).toEqual([]);
  });

  itWhole('of no table is Strassen-like', async () => {
    const found = await unmask(made('upside down', { multiply: strassenUpsideDown }));
    expect(found.measures).toMatchObject({ algorithm: 'strassen-like', grade: 'C' });
    expect(answerOf(found, 'algorithm')?.confidence).toBe('measured');
    expect(found.contradictions).toContainEqual(expect.stringContaining('of another kind (strassen-like)'));
  });

  itWhole('in fixed point is one of a lower grade', async () => {
    const lines = await unmask(made('rows', { multiply: inFixedPoint('line') }));
    expect(lines.measures).toMatchObject({ algorithm: 'classical', grade: 'B' });
    expect(lines.contradictions).toContainEqual(expect.stringContaining('they are of grade B'));
    const whole = await unmask(made('matrix', { multiply: inFixedPoint('matrix') }));
    expect(whole.measures).toMatchObject({ algorithm: 'fixed-point', grade: 'C' });
  });

  it.runIf(isWhole)('is not disproved by one that is better at small sizes than it need be', async () => {
    const single = (terms: Float64Array) =>
      terms.reduce((sum, term) => Math.fround(sum + Math.fround(term)), 0);
    const wide = (terms: Float64Array) => terms.reduce((sum, term) => sum + term, 0);
    const sum = (terms: Float64Array, { k }: Shape) => (k < 64 ? wide(terms) : single(terms));
    const kernel = made('both', { product: (x, y) => x * y, sum, refuses: () => undefined });
    const found = await unmask(kernel, { sizes: [16, 32, 64] });
    expect(answerOf(found, 'grade')).toMatchObject({
      confidence: 'likely',
      evidence: expect.stringMatching(/grow as n\^[1-9]/),
    });
    expect(found.contradictions).toEqual([]);
  });

  itWhole('is none where rows take terms of other rows', async () => {
    const beside = (isMixed: (x: number) => boolean) =>
      tamperKernel(made('beside', {}), async (job, honest) => {
        const { a, b } = job.operands;
        if (!a.data.some(isMixed)) return honest(job);
        const data = a.data.map((x, at) => (at % a.cols === 0 && at >= a.cols ? a.data[at - a.cols] : x));
        return honest({ ...job, operands: { a: { ...a, data }, b } });
      });
    const found = await unmask(beside((x) => !Number.isInteger(x)));
    expect(found.measures).toMatchObject({ algorithm: 'mixed-up', multiplies: true });
    expect(answerOf(found, 'algorithm')).toMatchObject({ value: 'mixed-up', confidence: 'proved' });
    expect(found.contradictions).toContainEqual(
      'In an inspected 16×16×16 product, entry (i, j) of C depends on entries outside row i of A and column j of B.',
    );
    const always = await unmask(beside(() => true));
    expect(always.contradictions).toEqual([
      expect.stringContaining('entries of C differ from A·B for inputs of ±1 at '),
    ]);
  });
});

describe('a product that is wrong', () => {
  it.each([
    ['NaN', () => Number.NaN],
    ['0', () => 0],
    ['half of it', (terms: Float64Array) => sums.sequential(terms.subarray(terms.length >> 1))],
  ])('everywhere, %s, is the only answer', async (_, sum) => {
    const found = await unmask(made('wrong', { sum }));
    expect(found.findings).toMatchObject([{ id: 'multiplies', value: false, confidence: 'proved' }]);
    expect(found.findings[0].answer).toMatch(/^no, C is wrong at \d+×.*: the inspection ended here$/);
    expect(found.measures).toEqual({ multiplies: false, wrongAt: expect.any(String) });
    expect(found.contradictions).toEqual([
      expect.stringContaining('entries of C differ from A·B for inputs of ±1 at '),
    ]);
  });
});

describe('what is not the same every time', () => {
  it('is not deterministic', async () => {
    let product = 0;
    const other = made('backwards', { sum: sums.backwards });
    const found = await unmask(
      tamperKernel(made('now and then', {}), (job, honest) =>
        product++ % 3 === 2 ? multiply({ ...job, kernel: other }) : honest(job),
      ),
    );
    expect(found.measures.deterministic).toBe(false);
    expect(answerOf(found, 'deterministic')).toMatchObject({ value: false, confidence: 'proved' });
    expect(found.contradictions).toContainEqual(expect.stringContaining('to be deterministic'));
    expect(found.measures.algorithm).toBe('classical');
  });

  it.runIf(isWhole)('may be so from some size on alone', async () => {
    let product = 0;
    const { refuses: _, ...large } = made('large and now and then', {});
    const { refuses: __, ...other } = made('backwards', { sum: sums.backwards });
    const found = await unmask(
      tamperKernel(large, (job, honest) =>
        job.plan.shape.m > 64 && product++ % 2 === 1 ? multiply({ ...job, kernel: other }) : honest(job),
      ),
    );
    expect(found.measures.deterministic).toBe(false);
    expect(found.measures.algorithm).toBe('classical');
  });

  itWhole('may depend on the number of rows', async () => {
    const sum = (terms: Float64Array, { m }: { m: number }) =>
      (m > 4 ? sums.backwards : sums.sequential)(terms);
    const kernel = made('batches', { sum, claims: { batchInvariant: true } });
    const found = await unmask(kernel, { quick: false });
    expect(found.measures).toMatchObject({ deterministic: true, batchInvariant: false });
    expect(answerOf(found, 'batch-invariant')?.evidence).toContain('at m = 5…16 with k = 64, n = 16');
    expect(answerOf(found, 'code-path')?.value).toBe('m = 5');
    expect(found.contradictions).toEqual([
      expect.stringContaining('but the bits of a row depend on the other rows'),
    ]);
  });
});

describe('a kernel that fails', () => {
  it('leaves a question unanswered and the others answered', async () => {
    const kernel = tamperKernel(made('finite', {}), async (job, honest) => {
      const { a, b } = job.operands;
      if (![...a.data, ...b.data].every(Number.isFinite)) throw new Error('no such numbers');
      return honest(job);
    });
    const found = await unmask(kernel);
    expect(answerOf(found, 'exceptions')).toMatchObject({
      answer: 'not answered',
      confidence: 'unknown',
      value: null,
    });
    expect(answerOf(found, 'exceptions')?.evidence).toBe('finite threw an error: no such numbers.');
    const { exceptions: _, ...others } = honest;
    expect(found.measures).toMatchObject(others);
  });

  itWhole('on all shapes but one is asked in that one', async () => {
    const one = made('one shape', {
      sum: sums['4 parts'],
      refuses: ({ m, k, n }) => (m === 16 && k === 48 && n === 16 ? undefined : 'it takes 16×48×16'),
    });
    const found = await unmask(one);
    expect(answerOf(found, 'multiplies')?.confidence).toBe('unknown');
    const square = made('one square', {
      sum: sums['4 parts'],
      refuses: ({ m, k, n }) => (m === 16 && k === 16 && n === 16 ? undefined : 'it takes 16×16×16'),
    });
    const { measures } = await unmask(square);
    expect(measures).toMatchObject({ algorithm: 'classical', accumulatorBits: 24, order: 'split-k' });
    expect(measures.orders).toMatchObject([{ k: 16, tree: '((0…3) + (4…7)) + ((8…11) + (12…15))' }]);
  });

  it('by refusing every shape is asked nothing', async () => {
    const found = await unmask(made('picky', { refuses: () => 'it is Monday' }));
    expect(found.findings.every(({ confidence }) => confidence === 'unknown')).toBe(true);
    expect(found.products).toBe(0);
  });

  it('by losing its device ends the inspection', async () => {
    const lost = deviceLost({ kernel: 'x', step: 'y', why: 'z.' });
    const kernel = tamperKernel(made('lost', {}), () => Promise.reject(lost));
    await expect(inspectKernel(kernel, { quick: true })).rejects.toBe(lost);
  });
});

describe('an inspection', () => {
  it('tells each finding as it is made, and ends when it is told to', async () => {
    const told: string[] = [];
    const { findings } = await inspectKernel(made('told', {}), {
      quick: true,
      sizes: [16],
      onFinding: ({ id }) => told.push(id),
      stop: () => told.includes('unit'),
    });
    expect(findings.map(({ id }) => id)).toEqual(told);
    expect(told).toContain('unit');
    expect(told).not.toContain('grade');
  });

  it('that is ended within a question says so of that question', async () => {
    let products = 0;
    const { findings } = await inspectKernel(made('slow', {}), {
      quick: true,
      sizes: [16],
      stop: () => ++products > 20,
    });
    expect(findings.at(-1)).toMatchObject({
      id: 'precision',
      answer: 'not answered',
      evidence: 'The inspection had ended.',
    });
  });

  itWhole('asks about a hundred small products when it is to be quick', async () => {
    const kernel = modelKernel('classical', singleComputation(emulated));
    const { products } = await inspectKernel(kernel, { quick: true });
    expect(products).toBeLessThan(120);
  });
});
