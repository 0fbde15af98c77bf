import { expect, test } from 'vitest';
import { checkKernel } from '../kernels/check-kernel.ts';
import { type Claims, claimedAlgorithmFor } from '../kernels/claims.ts';
import { precisions } from '../precision/precisions.ts';
import { claimOf, claimsOf, whyUnclaimed } from './claim.ts';
import type { Inspection, InspectionFinding, InspectionMeasures } from './inspection.ts';

const f32 = precisions.find('f32');

const finding = (
  id: string,
  value: InspectionFinding['value'],
  confidence: InspectionFinding['confidence'] = 'measured',
): InspectionFinding => ({
  ...{ id, value, confidence, question: '', answer: '', evidence: '' },
});

type Order = NonNullable<InspectionMeasures['orders']>[number];
const ordersOf = (order: Order['order'], more: Partial<Order> = {}): Order[] =>
  [16, 256, 1024].map((k) => ({ k, order, words: '', tree: '', ...more }));

/** Returns the inspection of a sequential loop, with more measurements and findings. */
const inspected = (
  measures: InspectionMeasures,
  more: readonly InspectionFinding[] = [],
  quick = false,
): Inspection => ({
  ...{ kernel: 'x', precision: 'f32', quick, seed: 1, products: 1, seconds: 1 },
  findings: [
    ...[finding('order', 'sequential'), finding('order-alone', true), finding('code-path', '')],
    ...[finding('accumulator-bits', measures.accumulatorBits ?? 24)],
  ].map((one) => more.find(({ id }) => id === one.id) ?? one),
  measures: { multiplies: true, algorithm: 'classical', operandBits: 24, accumulatorBits: 24, ...measures },
});

/** Parses claims as a user pastes them, and checks that a kernel may have them. */
function pasted(text: string | undefined): Claims {
  const { claims } = new Function(`return { ${text} }`)() as { claims: Claims };
  checkKernel({ name: 'x', claims, multiply: () => new Float32Array() });
  return claims;
}

test('what a plain loop shows is claimed, as an object and as an argument in Python', () => {
  const loop = inspected({
    ...{ orders: ordersOf('sequential'), fused: true, batchInvariant: true },
    ...{ flushesOperands: false, flushesResults: false },
  });
  expect(claimOf(loop, f32)).toBe(
    "claims: { order: 'sequential', arithmetic: { fma: 'once', subnormals: 'kept' }, batchInvariant: true }",
  );
  expect(claimOf(loop, f32, 'python')).toBe(
    'claims={ "order": "sequential", "arithmetic": { "fma": "once", "subnormals": "kept" }, "batchInvariant": True }',
  );
  pasted(claimOf(loop, f32));
});

test.each<[string, InspectionMeasures, Claims]>([
  ['blocks', { orders: ordersOf('blocked', { each: 32 }) }, { order: 'blocked', partition: 32 }],
  ['parts', { orders: ordersOf('split-k', { each: 9, parts: 4 }) }, { order: 'split-k', parts: 4 }],
  [
    'even parts',
    { orders: ordersOf('split-k', { each: 9, parts: 4 }), split: { parts: 4, cut: 'even' } },
    { order: 'split-k', parts: 4, cut: 'even' },
  ],
  [
    'parts that are kept in fewer bits',
    {
      orders: ordersOf('split-k', { each: 9, parts: 4 }),
      split: { parts: 4, cut: 'even' },
      accumulatorBits: 8,
      partialSums: { parts: 4, bits: 8, ownBits: 24, addedBits: 8, format: 'bf16', added: 'bf16' },
    },
    {
      order: 'split-k',
      parts: 4,
      cut: 'even',
      partialSums: { format: 'bf16', added: 'bf16' },
    },
  ],
  [
    'narrow parts of long sums alone',
    {
      orders: [
        { k: 64, order: 'sequential', words: 'in turn', tree: '' },
        { k: 256, order: 'blocked', words: 'in blocks', tree: '', each: 8, parts: 32 },
      ],
      partialSums: { parts: 32, bits: 8, ownBits: 24, addedBits: 8, format: 'bf16', added: 'bf16' },
    },
    { order: 'split-k', parts: 32, partialSums: { format: 'bf16', added: 'bf16' } },
  ],
  ['halves', { orders: ordersOf('pairwise') }, { order: 'pairwise' }],
  ['wide sums', { accumulatorBits: 53 }, { arithmetic: { accumulator: { bits: 53 } } }],
  [
    'wide sums of whole products',
    { accumulatorBits: 53, productBits: 46 },
    { arithmetic: { fma: 'once', accumulator: { bits: 53 } } },
  ],
  [
    'wide sums of rounded products',
    { accumulatorBits: 53, productBits: 24, fused: false },
    { arithmetic: { fma: 'twice', accumulator: { bits: 53 } } },
  ],
  ['chance', { deterministic: false, orders: ordersOf('sequential') }, { deterministic: false }],
  [
    'infinities that become NaN',
    { exceptions: false, infinitiesBecomeNaN: true, fused: false },
    { arithmetic: { fma: 'twice', exceptions: 'nan' } },
  ],
  [
    'one level',
    { algorithm: 'strassen', exceptions: false, levelsBySize: [{ n: 64, algorithm: 'strassen', levels: 1 }] },
    { algorithm: 'strassen', levels: 1 },
  ],
])('%s are claimed', (_, measures, claims) => {
  expect(pasted(claimOf(inspected(measures), f32))).toEqual(claims);
});

test('tiles are claimed with sums of one tile, of a tile each, and of more', () => {
  const split = { parts: 4, cut: { tile: 16 } } as const;
  const at = (k: number, order: Order['order'], more: Partial<Order> = {}) => ({
    ...{ k, order, words: '', tree: '' },
    ...more,
  });
  const orders = [
    at(16, 'sequential'),
    at(32, 'blocked', { each: 16, parts: 2 }),
    at(64, 'blocked', { each: 16, parts: 4 }),
    at(256, 'split-k', { each: 64, parts: 4 }),
    at(1024, 'split-k'),
  ];
  const claims = { order: 'split-k', parts: 4, cut: { tile: 16 } };
  // A longer k has longer parts: the bits of its sums change, where those of more rows do not.
  for (const path of ['', 'k = 64, 65'])
    expect(
      pasted(claimOf(inspected({ orders, split }, [finding('code-path', path, 'proved')]), f32)),
    ).toEqual(claims);
  const rows = [finding('code-path', 'm = 17; k = 64', 'proved')];
  expect(claimOf(inspected({ orders, split }, rows), f32)).toBe('claims: {}');
  const others = [...orders.slice(0, 2), at(64, 'blocked', { each: 8, parts: 8 }), ...orders.slice(3)];
  expect(claimOf(inspected({ orders: others, split }), f32)).toBe('claims: {}');
});

test('how results are rounded is claimed where they are narrower than sums', () => {
  const measures: InspectionMeasures = { storedBits: 8, storedRounding: 'toward zero' };
  expect(claimOf(inspected(measures), precisions.find('e4m3-row-f32-bf16'))).toBe(
    "claims: { arithmetic: { result: { rounding: 'toward-zero' } } }",
  );
  expect(claimOf(inspected({ ...measures, storedBits: 24 }), f32)).toBe('claims: {}');
  expect(claimOf(inspected(measures), f32)).toBeUndefined();
});

test('levels that begin with a size are claimed from the largest without them', () => {
  const levelsBySize = [
    { n: 32, algorithm: 'classical', levels: 0 },
    { n: 64, algorithm: 'strassen', levels: 1 },
    { n: 128, algorithm: 'strassen', levels: 2 },
  ];
  const found = inspected({ algorithm: 'strassen', levels: 2, levelsBySize });
  const claims = pasted(claimOf(found, f32));
  const levels = [
    [32, 32, 32],
    [1, 33, 1],
    [64, 64, 64],
    [65, 2, 2],
  ].map(([m, k, n]) => claimedAlgorithmFor(claims, { m, k, n }).levels);
  expect(levels).toEqual([0, 1, 1, 2]);
  expect(claimOf(found, f32, 'python')).toBe('claims={ "algorithm": "strassen", "levels": 2 }');
});

test('a claim of recursion that fits comes with its algorithm', () => {
  const value = "algorithm: 'strassen', levels: 1, recursion: { fringe: 'static-pad', reversed: ['rows'] }";
  const levelsBySize = [{ n: 64, algorithm: 'strassen', levels: 1 }];
  const found = inspected({ algorithm: 'strassen', levelsBySize });
  const claim = claimOf({ ...found, findings: [...found.findings, finding('recursion', value)] }, f32);
  expect(pasted(claim).recursion).toEqual({ fringe: 'static-pad', reversed: ['rows'] });
});

test('an order is claimed where long sums, single ones and all sizes have it alone', () => {
  const orders = ordersOf('sequential');
  const plain = 'claims: {}';
  expect(claimOf(inspected({ orders }), f32)).toBe("claims: { order: 'sequential' }");
  expect(claimOf(inspected({ orders }, [], true), f32)).toBe(plain);
  expect(claimOf(inspected({ orders: orders.slice(0, 2) }), f32)).toBe(plain);
  expect(claimOf(inspected({ orders: [...orders, ...ordersOf('blocked')] }), f32)).toBe(plain);
  expect(claimOf(inspected({ orders }, [finding('order-alone', false)]), f32)).toBe(plain);
  expect(claimOf(inspected({ orders }, [finding('code-path', 'm = 17', 'proved')]), f32)).toBe(plain);
  expect(claimOf(inspected({ orders: ordersOf('other') }), f32)).toBe(plain);
});

test('sums that are no longer than a block are of one block', () => {
  const [short, ...long] = ordersOf('blocked', { each: 128 });
  const { each: _, ...sequential } = { ...short, order: 'sequential' as const };
  expect(claimOf(inspected({ orders: [sequential, ...long] }), f32)).toBe(
    "claims: { order: 'blocked', partition: 128 }",
  );
});

test('claims as a kernel has them are those that are printed', () => {
  const levelsBySize = [32, 64, 128].map((n, levels) => ({ n, algorithm: 'strassen', levels }));
  const value = "algorithm: 'strassen', levels: 2, recursion: { fringe: 'static-pad', reversed: ['rows'] }";
  const found = inspected({ algorithm: 'strassen', levelsBySize }, [finding('recursion', value)]);
  const inspection = { ...found, findings: [...found.findings, finding('recursion', value)] };
  const { levels, ...claims } = claimsOf(inspection, f32) as Claims;
  const { levels: printed, ...others } = pasted(claimOf(inspection, f32));
  expect(claims).toEqual(others);
  for (const k of [1, 32, 33, 64, 65, 500]) {
    const shape = { m: 1, k, n: 2 };
    expect(claimedAlgorithmFor({ ...claims, levels }, shape)).toEqual(
      claimedAlgorithmFor({ ...others, levels: printed }, shape),
    );
  }
});

test.each<[string, InspectionMeasures, readonly InspectionFinding[], RegExp]>([
  ['a wrong product', { multiplies: false }, [], /^No claim fits, since the product is wrong/],
  ['a mixed-up one', { algorithm: 'mixed-up' }, [], /, found as mixed-up\.$/],
  ['fewer bits', { operandBits: 11 }, [], /^Its entries have 11 significant bits, but f32 has 24\. /],
  ['another grade', {}, [finding('grade', 'B', 'proved')], /^Its errors are of grade B, but /],
  [
    'NaN that gets lost',
    { exceptions: false },
    [],
    /claim exceptions: false: the gate then tests neither\.$/,
  ],
])('%s claims nothing, and it is said why', (_, measures, more, why) => {
  const found = inspected(measures);
  const inspection = { ...found, findings: [...found.findings, ...more] };
  expect(claimOf(inspection, f32)).toBe(undefined);
  expect(claimsOf(inspection, f32)).toBe(undefined);
  expect(whyUnclaimed(inspection, f32)).toMatch(why);
});

test('a claim that products do not keep is not printed', () => {
  const found = { ...inspected({}), unclaimed: 'An entry exceeds it.' };
  expect(claimOf(found, f32)).toBe(undefined);
  expect(whyUnclaimed(found, f32)).toBe('An entry exceeds it.');
});
