import { describe, expect, test } from 'vitest';
import { sorted } from '../lab/honest/sums.ts';
import { EXIT } from '../src/base/errors.ts';
import { stillClock } from '../src/base/time.ts';
import { inspectExitCode } from '../src/cli/inspect/inspect.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { type InspectOptions, inspectKernel } from '../src/inspect/inspect-kernel.ts';
import type { InspectionMeasures } from '../src/inspect/inspection.ts';
import { corruptKernel, tamperKernel } from '../src/kernels/tampered.testing.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { readRunFactor } from '../src/vitest/check-law.ts';
import { type Making, made } from './inspect-kernels.ts';
import { some } from './some.ts';
import { structures } from './sum-structures.ts';

/**
 * The law: for kernels whose every rounding is known, inspection reports their properties where it has seen them, and reports as unknown
 * what it cannot know. No finding that is proved or measured is false. A wrong product is reported as wrong for every question, and
 * disproves the claim.
 *
 * Why: one experiment at one size shows one sum of a tree. So inspection tests each sum of it.
 */

/** Refuses products that are not narrow, so that a kernel in TypeScript is quick. */
const narrow = ({ m, k, n }: Shape) =>
  m * k * n > 2 ** 18 || m * n > 2 ** 14 ? 'it is kept small' : undefined;

async function inspected(name: string, making: Making, options: InspectOptions = {}) {
  const kernel = made(name, { refuses: narrow, ...making });
  return inspectedKernel(kernel, options);
}

async function inspectedKernel(kernel: ReturnType<typeof made>, options: InspectOptions = {}) {
  const found = await inspectKernel(kernel, { sizes: [16], clock: stillClock, ...options });
  const against = contradictions(found, promisesOf(kernel, { levels: 0, fringe: 'pad', tail: 'mask' }));
  const answer = (id: string) => found.findings.find((one) => one.id === id);
  return { ...found, contradictions: against, answer };
}

type Row = readonly [
  name: keyof typeof structures,
  order: string,
  sums: string,
  measures: InspectionMeasures,
];

const IN_SINGLE = '24, as binary32 has; seen at m = ';
const plain = { accumulatorBits: 24, compensated: false } as const;
const forwards = 'one after the other, from the first term to the last';

const known: readonly Row[] = [
  [
    'sequential',
    `sequential: ${forwards}; seen at k = 16, 32, 64, 256; at k = 1024, 8192, 64 pairs of terms agree`,
    IN_SINGLE,
    plain,
  ],
  [
    'blocks of 32',
    `k = 16, 32: ${forwards}; k = 64, 256, 1024, 8192: blocks of 32, added one`,
    IN_SINGLE,
    plain,
  ],
  [
    'blocks of 8, each from its end',
    'blocks of 8, each from its last term to its first, added one after the other; seen at k = 16, 32, 64, 256; not known at k = 1024, 8192',
    IN_SINGLE,
    plain,
  ],
  [
    'blocks of 8, from the last',
    'blocked: blocks of 8, added one after the other, from the last to the first; seen',
    IN_SINGLE,
    plain,
  ],
  [
    '8 lanes, each from its end',
    'k = 32, 64, 256: 8 lanes, every 8th term each, each from its last term to its first, added one after the other',
    IN_SINGLE,
    plain,
  ],
  [
    'kahan',
    `sequential: ${forwards}; seen`,
    '24, as binary32 has, compensated: what a sum loses comes back',
    { accumulatorBits: 24, compensated: true },
  ],
  [
    'Kahan over blocks of 8',
    'blocked: blocks of 8, added one after the other; seen',
    '24, as binary32 has, compensated in 30 of 254 sums, of 16 terms or more',
    { accumulatorBits: 24, compensated: true },
  ],
  [
    'Kahan in blocks of 8',
    'blocked: blocks of 8, added one after the other; seen',
    '24, as binary32 has, compensated in 192 of 254 sums, of 2 terms or more',
    { accumulatorBits: 24, compensated: true },
  ],
  ['in binary64', `sequential: ${forwards}; seen`, '53, as binary64 has; seen', { accumulatorBits: 53 }],
  [
    'binary64 in chunks of 8',
    'blocked: blocks of 8, added one after the other; seen',
    '53 within chunks of 8 terms, 24 between them; seen',
    { accumulatorBits: 24, accumulatorBitsMost: 53 },
  ],
  [
    'binary64, rounded after every 8',
    `sequential: ${forwards}; seen`,
    '53 within chunks of 8 terms, 24 between them; seen',
    { accumulatorBits: 24, accumulatorBitsMost: 53 },
  ],
  [
    'blocks of 8 in binary64',
    'blocked: blocks of 8, added one after the other; seen',
    '24 in sums of up to 8 terms, 53 in longer ones; seen',
    { accumulatorBits: 24, accumulatorBitsMost: 53 },
  ],
  [
    'permuted',
    'k = 256: one after the other, of the terms in a permuted order (',
    IN_SINGLE,
    { ...plain, order: 'sequential' },
  ],
  [
    'pairwise, permuted',
    'k = 256: halves of halves, of the terms in a permuted order (',
    IN_SINGLE,
    { ...plain, order: 'pairwise' },
  ],
  [
    'pairwise from 256',
    `k = 16, 32, 64: ${forwards}; k = 256, 1024, 8192: halves of halves; seen`,
    IN_SINGLE,
    { ...plain, order: 'pairwise' },
  ],
];

/** True if all inspections run, which take seconds each: with PARANOIA_RUNS above 1. */
const isWhole = readRunFactor() > 1;

test.each(some(known, 15))('%s is told for what it is, and where', async (name, order, sums, measures) => {
  const told: string[] = [];
  const found = await inspected(
    name,
    { sum: structures[name] },
    { onFinding: ({ id }) => told.push(id), stop: () => told.includes('accumulator-bits') },
  );
  expect(found.answer('order')?.answer).toContain(order);
  expect(found.answer('accumulator-bits')?.answer).toContain(sums);
  expect(found.measures).toMatchObject(measures);
  expect(found.findings.filter(({ confidence }) => confidence === 'proved')).toEqual([]);
  expect(found.beyondClaims).toBeUndefined();
  expect(found.contradictions).toEqual([]);
});

test.each(some(['binary64 in chunks of 8', 'kahan', 'pairwise'] as const, 3))(
  'all answers on %s are true',
  async (name) => {
    const claims = { batchInvariant: true, arithmetic: { exceptions: name !== 'kahan' } };
    const found = await inspected(name, { sum: structures[name], claims });
    expect(found.measures).toMatchObject({ deterministic: true, batchInvariant: true, grade: 'A' });
    expect(found.answer('batch-invariant')?.evidence).toMatch(
      /m = 1…65, 96, 128, 256 with k = 64, n = 16; .* with k = 8192, n = 4/,
    );
    expect(found.answer('batch-invariant')?.answer).toBe(
      'yes, for m = 1 to 256, k = 64, 1024, 2048, 4096, 8192',
    );
    // Differences that a single case shows: ∞ − ∞ within Kahan's sum, terms of 0 that add its correction, and other halves of longer sums.
    const shown = {
      kahan: ['exceptions', 'code-path'],
      pairwise: ['code-path'],
      'binary64 in chunks of 8': [],
    }[name];
    expect(found.findings.flatMap(({ id, confidence }) => (confidence === 'proved' ? [id] : []))).toEqual(
      shown,
    );
    expect(found).toMatchObject({ contradictions: [] });
    expect(inspectExitCode(found)).toBe(EXIT.pass);
  },
);

describe('what cannot be known is not said', () => {
  test.runIf(isWhole)('the order of sums in two words that lose no unit', async () => {
    const found = await inspected('Neumaier', { sum: structures.neumaier });
    expect(found.answer('order')).toMatchObject({ answer: 'cannot be told', confidence: 'unknown' });
    expect(found.answer('accumulator-bits')?.answer).toContain('49, in two words');
  });

  test.runIf(isWhole).each([1, -1])('the order of sums that are sorted, %d', async (way) => {
    const found = await inspected('sorted', { sum: sorted(structures.sequential, way) }, { quick: true });
    expect(found.answer('order')).toMatchObject({ answer: 'cannot be told', confidence: 'unknown' });
    expect(found.answer('order')?.evidence).toContain('depends on the data');
    expect(found.answer('accumulator-bits')).toMatchObject({ confidence: 'likely' });
    expect(found.answer('accumulator-bits')?.answer).toContain('of other sums nothing is known');
  });

  test('whether rows depend on others, or where paths change, of what does not repeat itself', async () => {
    let product = 0;
    const sum = (terms: Float64Array, { k }: Shape) =>
      k > 2000 && product++ % 5 === 1 ? structures.backwards(terms) : structures.sequential(terms);
    const found = await inspected('unsteady from 2000', { sum });
    expect(found.answer('deterministic')?.answer).toMatch(/^yes, at 64×64×64$/);
    expect(found.answer('deterministic-everywhere')).toMatchObject({ value: false, confidence: 'proved' });
    expect(found.answer('deterministic-everywhere')?.answer).toMatch(
      /^no: not at m = .* with k = 2048, n = 4; .*8192/,
    );
    expect(found.answer('batch-invariant')).toMatchObject({ value: null, confidence: 'unknown' });
    expect(found.answer('code-path')).toMatchObject({ value: null, confidence: 'unknown' });
    expect(found.contradictions).toEqual([expect.stringContaining('It claims to be deterministic')]);
    expect(inspectExitCode(found)).toBe(EXIT.fail);
  });
});

describe('where code paths change', () => {
  const seen: readonly (readonly [number, string])[] = [
    [17, 'm = 17…65, 96, 128, 256, 512 with k = 64, n = 16; m = 17, 31…33, 63, 64 with k = 1024, n = 8'],
    [512, 'm = 512 with k = 64, n = 16'],
  ];
  test.each(some(seen, 2))(
    'a row that depends on others from %d rows on is seen there',
    async (from, where) => {
      const sum = (terms: Float64Array, { m }: Shape) =>
        (m >= from ? structures.backwards : structures.sequential)(terms);
      const refuses = ({ m, k, n }: Shape) => (m * k * n > 2 ** 19 ? 'it is kept small' : undefined);
      const found = await inspected('batches', { sum, refuses, claims: { batchInvariant: true } });
      expect(found.answer('batch-invariant')).toMatchObject({ value: false, confidence: 'proved' });
      expect(found.answer('batch-invariant')?.answer).toContain(where);
      expect(found.answer('deterministic-everywhere')).toMatchObject({ value: true, confidence: 'measured' });
      expect(found.contradictions).toEqual([
        expect.stringContaining('but the bits of a row depend on the other rows'),
      ]);
    },
  );
});

describe('a wrong product', () => {
  const large = ({ m, k, n }: Shape) => (m * k * n > 2 ** 19 ? 'it is kept small' : undefined);

  test('of zeros for 512 rows is called that, and not another code path', async () => {
    const kernel = corruptKernel(made('zeros', { refuses: large }), ({ c }) => {
      if (c.rows === 512) c.data.fill(0, 256 * c.cols);
    });
    for (const quick of some([true, false], 2)) {
      const found = await inspectedKernel(kernel, { quick });
      expect(found.answer('multiplies')).toMatchObject({ value: false, confidence: 'proved' });
      expect(found.answer('multiplies')?.answer).toContain('wrong at 512×16×16');
      expect(found.answer('batch-invariant')).toMatchObject({ value: null, confidence: 'proved' });
      expect(found.answer('batch-invariant')?.answer).toBe('C is wrong at 512×64×16');
      if (!quick) expect(found.answer('code-path')?.answer).toMatch(/^C is wrong at 512×/);
      expect(found.answer('code-path')?.answer ?? '').not.toContain('bits');
      expect(found.contradictions).toEqual([
        expect.stringMatching(/entries of C differ from A·B for inputs of ±1 at 512×16×16/),
      ]);
      expect(inspectExitCode(found)).toBe(EXIT.fail);
    }
  });

  test('that ±1 does not show is beyond the bound of the claim wherever it is met', async () => {
    const kernel = corruptKernel(made('a term less', { refuses: large }), ({ c }, { operands: { a, b } }) => {
      const whole = [...a.data, ...b.data].every(Number.isInteger);
      if (c.rows === 37 && !whole) c.data[36 * c.cols] -= a.data[36 * a.cols] * b.data[0];
    });
    const found = await inspectedKernel(kernel);
    expect(found.answer('multiplies')?.value).toBe(true);
    expect(found.answer('batch-invariant')?.answer).toBe('C is wrong at 37×64×16');
    expect(found.beyondClaims).toMatch(/^A product exceeds its error bound at 37×64×16: entry \(36, 0\) is /);
    expect(found.contradictions).toEqual([found.beyondClaims]);
    expect(inspectExitCode(found)).toBe(EXIT.fail);
  });
});

test('a crash is told, and ends with a code of its own', async () => {
  const kernel = tamperKernel(made('fragile', { refuses: narrow }), async (job, honest) => {
    if (job.plan.shape.m === 33) throw new Error('index out of range');
    return honest(job);
  });
  const found = await inspectedKernel(kernel);
  expect(found.crashes).toEqual(['fragile threw an error: index out of range.']);
  expect(found.answer('batch-invariant')).toMatchObject({
    answer: 'not answered',
    confidence: 'unknown',
  });
  expect(found.contradictions).toEqual([]);
  expect(inspectExitCode(found)).toBe(EXIT.crash);
});
