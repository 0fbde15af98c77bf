import { expect, test } from 'vitest';
import { grouped, partsOf, type SumFunction, sumsIn } from '../lab/honest/sums.ts';
import { stillClock } from '../src/base/time.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { bf16, type Format, f16, f32, tf32 } from '../src/precision/format.ts';
import { made } from './inspect-kernels.ts';

/** The law: inspection finds the number of parts of k, the format in which their sums are kept, and the one in which these are added. */
const inParts = (count: number, { round }: Format, added: Format): SumFunction =>
  grouped(partsOf(count), (terms) => round(sumsIn(f32).sequential(terms)), sumsIn(added).fused);

async function inspected(precision: string, sum: SumFunction, claims?: Claims) {
  const kernel = made('parts', { precision, sum, ...(claims && { claims }) });
  const found = await inspectKernel(kernel, { sizes: [16], clock: stillClock });
  const against = contradictions(found, promisesOf(kernel, { levels: 0, fringe: 'pad', tail: 'mask' }));
  return { found: found.measures.partialSums, against };
}

test.each<[string, number, Format, Format, object | undefined]>([
  ['bf16-f32', 4, bf16, bf16, { parts: 4, bits: 8, format: 'bf16', addedBits: 8, added: 'bf16' }],
  ['bf16-f32', 4, bf16, f32, { parts: 4, bits: 8, format: 'bf16' }],
  ['bf16-f32', 2, bf16, bf16, { parts: 2, bits: 8, format: 'bf16', addedBits: 8, added: 'bf16' }],
  ['f16-f32', 4, f16, f16, { parts: 4, bits: 11, format: 'f16', addedBits: 11, added: 'f16' }],
  ['f16-f32', 4, tf32, tf32, { parts: 4, bits: 11, format: 'tf32', addedBits: 11, added: 'tf32' }],
  ['f32', 8, bf16, f32, { parts: 8, bits: 8, format: 'bf16' }],
  ['bf16-f32', 4, f32, f32, undefined],
])('of %s, %i parts in %o added in %o', async (precision, count, kept, added, expected) => {
  const { found, against } = await inspected(precision, inParts(count, kept, added));
  expect(found).toEqual(expected && { ...expected, ownBits: 24 });
  const named = against.filter((one) => one.includes('partialSums: {'));
  expect(named.length).toBe(expected === undefined ? 0 : 1);
});

test('parts are counted against a claim', async () => {
  const partialSums = { format: 'bf16', added: 'bf16' } as const;
  const claims = { order: 'split-k', parts: 4, partialSums } as const;
  const against = async (parts: number) =>
    (await inspected('bf16-f32', inParts(parts, bf16, bf16), claims)).against;
  expect((await against(4)).filter((one) => one.includes('parts'))).toEqual([]);
  expect(await against(5)).toContain('It claims at most 4 parts of k, but has 5.');
});
