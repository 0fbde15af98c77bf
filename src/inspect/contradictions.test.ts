import { expect, test } from 'vitest';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import type { Claims } from '../kernels/claims.ts';
import { precisions } from '../precision/precisions.ts';
import { contradictions } from './contradictions.ts';
import type { Inspection, InspectionMeasures } from './inspection.ts';

test.each([
  ['int8-i32', 24, 31],
  ['int8-row', 15, 24],
])('sums of whole numbers in %s that are not exact beyond 2^%i are too narrow', (name, wholeSums, bits) => {
  const precision = precisions.find(name);
  const inspection: Inspection = {
    ...{ kernel: 'x', precision: name, quick: true, seed: 1, products: 1, seconds: 1, findings: [] },
    measures: { multiplies: true, wholeSums },
  };
  const promises = {
    algorithm: 'classical',
    levels: () => 0,
    algorithms: algorithmRegistry,
    exceptions: true,
    claims: {},
    precision,
  };
  expect(contradictions(inspection, promises)).toEqual([
    `In ${name}, sums of whole numbers are exact up to 2^${bits}, but its sums are wrong beyond 2^${wholeSums}.`,
  ]);
  const atEnd: Inspection = { ...inspection, measures: { multiplies: true, wholeSums: bits } };
  expect(contradictions(atEnd, promises)).toEqual([]);
});

test('sums of many bits that were not asked for contradict nothing', () => {
  const known = precisions.find('int8-i32');
  const precision = { ...known, accumulated: { ...known.accumulated, precision: 255 } };
  const inspection: Inspection = {
    ...{ kernel: 'x', precision: 'wide', quick: true, seed: 1, products: 1, seconds: 1, findings: [] },
    measures: { multiplies: true },
  };
  const promises = {
    ...{ algorithm: 'classical', levels: () => 0, exceptions: true, claims: {}, precision },
    algorithms: algorithmRegistry,
  };
  expect(contradictions(inspection, promises)).toEqual([]);
});

test.each([
  [
    'e4m3-row-f32-bf16',
    'toward zero',
    undefined,
    "results round to nearest, but its results round toward zero. If that is intended, claim arithmetic: { result: { rounding: 'toward-zero' } }.",
  ],
  [
    'e4m3-row-f32-bf16',
    'up',
    'nearest',
    "results round to nearest, but its results round up. If that is intended, claim arithmetic: { result: { rounding: 'faithful' } }.",
  ],
  ['e4m3-row-f32-bf16', 'toward zero', 'toward-zero', undefined],
  ['e4m3-row-f32-bf16', 'to nearest even', undefined, undefined],
  ['e4m3-row', 'toward zero', undefined, undefined],
] as const)(
  'results of %s that are rounded %s, where %s is claimed',
  (name, storedRounding, rounding, says) => {
    const precision = precisions.find(name);
    const measures: InspectionMeasures = {
      multiplies: true,
      storedBits: precision.d.precision,
      storedRounding,
    };
    const evidence = { question: '', answer: '', evidence: '' };
    const inspection: Inspection = {
      ...{ kernel: 'x', precision: name, quick: true, seed: 1, products: 1, seconds: 1, measures },
      findings: [{ id: 'stored-rounding', value: storedRounding, confidence: 'measured', ...evidence }],
    };
    const claims: Claims = rounding === undefined ? {} : { arithmetic: { result: { rounding } } };
    const promises = {
      algorithm: 'classical',
      levels: () => 0,
      algorithms: algorithmRegistry,
      exceptions: true,
      claims,
      precision,
    };
    expect(contradictions(inspection, promises)).toEqual(says === undefined ? [] : [`In ${name}, ${says}`]);
  },
);

/** Returns the contradictions to these claims where sums of these lengths are sequential. */
function disproved(claims: Claims, lengths: readonly number[]): string[] {
  const orders = lengths.map((k) => ({ k, order: 'sequential', words: 'in turn', tree: '' }) as const);
  const measures: InspectionMeasures = { multiplies: true, order: 'sequential', orders };
  const evidence = { question: '', answer: '', evidence: '' };
  const inspection: Inspection = {
    ...{ kernel: 'x', precision: 'f32', quick: true, seed: 1, products: 1, seconds: 1, measures },
    findings: [{ id: 'order', value: 'sequential', confidence: 'measured', ...evidence }],
  };
  const promises = {
    algorithm: 'classical',
    levels: () => 0,
    algorithms: algorithmRegistry,
    exceptions: true,
    claims,
  };
  return contradictions(inspection, { ...promises, precision: precisions.find('f32') });
}

test.each<[Claims, number[]]>([
  [{ order: 'blocked', partition: 32 }, [16, 32]],
  [{ order: 'blocked' }, [8192]],
  [{ order: 'pairwise' }, [32]],
  [{ order: 'sequential' }, [256]],
  [{ order: 'split-k', parts: 4, cut: { tile: 32 } }, [16, 32]],
  // At most 4: libraries part long sums only.
  [{ order: 'split-k', parts: 4, partialSums: { format: 'bf16' } }, [16, 32]],
])('sums in turn are %o where none of %o terms is longer than a block', (claims, lengths) => {
  expect(disproved(claims, lengths)).toEqual([]);
});

test.each<[Claims, number[]]>([
  [{ order: 'blocked', partition: 32 }, [32, 64]],
  [{ order: 'pairwise', partition: 8 }, [32]],
  [{ order: 'split-k', parts: 4 }, [32]],
  [{ order: 'split-k', parts: 4, cut: 'even', partialSums: { format: 'bf16' } }, [32]],
])('they are not %o with sums of %o terms', (claims, lengths) => {
  expect(disproved(claims, lengths)).toEqual([
    `It claims to add up ${claims.order}, but adds up sequential (in turn).`,
  ]);
});

test.each([
  ['thirds', 1, 0],
  ['thirds', 0, 1],
  ['strassen', 1, 1],
])('entries of fewer bits disprove a claim of %s with %i levels %i times', (algorithm, levels, times) => {
  const base = { m: 1, k: 1, n: 1 };
  const about = { name: 'thirds', title: 'Thirds', what: 'of a test', source: 'a test' };
  const algorithms = algorithmRegistry.with([
    defineAlgorithm({ ...about, base, u: [['1/3']], v: [[3]], w: [[1]] }),
  ]);
  const finding = {
    id: 'operand-bits',
    question: '',
    answer: '',
    value: 9,
    confidence: 'measured',
    evidence: '',
  } as const;
  const inspection: Inspection = {
    ...{ kernel: 'x', precision: 'f32', quick: true, seed: 1, products: 1, seconds: 1, findings: [finding] },
    measures: { multiplies: true, operandBits: 9 },
  };
  const precision = precisions.find('f32');
  const promises = {
    algorithm,
    levels: () => levels,
    algorithms,
    exceptions: true,
    claims: { algorithm, levels },
    precision,
  };
  expect(contradictions(inspection, promises)).toHaveLength(times);
});

const inBf16 = { parts: 4, bits: 8, ownBits: 24, addedBits: 8, format: 'bf16', added: 'bf16' } as const;
const four = { order: 'split-k', parts: 4, partialSums: { format: 'bf16', added: 'bf16' } } as const;

test.each<[string, InspectionMeasures['partialSums'], Claims, string[]]>([
  ['as claimed', inBf16, four, []],
  ['in fewer parts', { ...inBf16, parts: 3 }, four, []],
  [
    'without a claim',
    inBf16,
    {},
    [
      "In bf16-f32, sums have 24 bits, but sums of 4 parts are kept in bf16, and added in bf16. If that is intended, claim order: 'split-k', parts: 4, partialSums: { format: 'bf16', added: 'bf16' }.",
    ],
  ],
  ['in one part more', { ...inBf16, parts: 5 }, four, ['It claims at most 4 parts of k, but has 5.']],
  [
    'in one bit less',
    { ...inBf16, bits: 7, addedBits: 7 },
    four,
    [
      'It claims partial sums of 8 bits, but sums of parts keep 7.',
      'It claims partial sums of 8 bits, but their sums keep 7.',
    ],
  ],
  [
    'added in a narrower format',
    inBf16,
    { ...four, partialSums: { format: 'bf16' } },
    ['It claims partial sums of 24 bits, but their sums keep 8.'],
  ],
  [
    'with narrow sums within parts',
    { ...inBf16, ownBits: 12 },
    four,
    ['Its sums keep 12 significant bits, but bf16-f32 needs 24.'],
  ],
])('sums of parts %s', (_, partialSums, claims, expected) => {
  const measured = (id: string) =>
    ({ ...{ id, question: '', answer: '', value: 8, evidence: '' }, confidence: 'measured' }) as const;
  const inspection: Inspection = {
    ...{ kernel: 'x', precision: 'bf16-f32', quick: true, seed: 1, products: 1, seconds: 1 },
    findings: [measured('partial-sums'), measured('accumulator-bits')],
    measures: { multiplies: true, accumulatorBits: 8, partialSums },
  };
  const promises = {
    ...{ algorithm: 'classical', levels: () => 0, exceptions: true, claims },
    ...{ precision: precisions.find('bf16-f32'), algorithms: algorithmRegistry },
  };
  expect(contradictions(inspection, promises)).toEqual(expected);
});

test.each([
  [24, { bits: 26, terms: 16 }, []],
  [23, { bits: 26, terms: 16 }, ['Its sums keep 23 significant bits, but it claims 24.']],
  [24, { bits: 26 }, ['Its sums keep 24 significant bits, but it claims 26.']],
  [13, { bits: 14, terms: 32 }, ['Its sums keep 13 significant bits, but it claims 14.']],
] as const)('sums of %d bits beside the claim %o', (accumulatorBits, accumulator, expected) => {
  const inspection: Inspection = {
    ...{ kernel: 'x', precision: 'f16-f32', quick: true, seed: 1, products: 1, seconds: 1 },
    findings: [
      { id: 'accumulator-bits', question: '', answer: '', value: 8, evidence: '', confidence: 'measured' },
    ],
    measures: { multiplies: true, accumulatorBits },
  };
  const promises = {
    ...{ algorithm: 'classical', levels: () => 0, exceptions: true, claims: { arithmetic: { accumulator } } },
    ...{ precision: precisions.find('f16-f32'), algorithms: algorithmRegistry },
  };
  expect(contradictions(inspection, promises)).toEqual(expected);
});
