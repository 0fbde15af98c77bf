import { describe, expect, it } from 'vitest';
import { builtinCatalog } from '../kernels/kernel-catalog.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { formatCase } from '../problem/case.ts';
import { sweptShapes } from '../problem/special-shapes.ts';
import { markCore } from '../run/core.ts';
import { type Campaign, defaultCampaign } from './campaign.ts';
import { externalCases } from './external-campaign.ts';
import { planUntrustedCases } from './untrusted/untrusted-cases.ts';

const draws = {
  ...{ seed: 1, rounds: 1, extent: { products: 2 ** 10, entries: 2 ** 10 } },
  ...{ largest: 1, sizes: 8, programs: 0, sweeps: 16 },
};
const campaign: Campaign = { ...defaultCampaign, shapes: [], replicates: 0, combinations: false, draws };
const spec = { name: 'mine', multiply: () => new Float32Array() };
const planned = (change: object = {}, of = campaign) =>
  externalCases(of, { ...spec, ...change } as UserKernel, builtinCatalog);
const swept = (...given: Parameters<typeof planned>) =>
  planned(...given).filter(({ problem }) => problem.sweep > 0);

describe('sweeps of a campaign', () => {
  it('have 3,200 small sizes in all, each once, and the same ones for the same seed', () => {
    const sweeps = swept();
    const sizes = sweeps.flatMap(({ problem: { seed, sweep } }) =>
      [...sweptShapes(seed)].slice(0, sweep).map(({ m, k, n }) => `${m}×${k}×${n}`),
    );
    const own = sweeps.map(({ problem: { m, k, n } }) => `${m}×${k}×${n}`);
    expect(sweeps).toHaveLength(16);
    expect(new Set([...sizes, ...own]).size).toBe(16 * 201);
    expect(swept().map(formatCase)).toEqual(sweeps.map(formatCase));
    expect(swept({}, { ...campaign, draws: { ...draws, seed: 2 } }).map(formatCase)).not.toEqual(
      sweeps.map(formatCase),
    );
  });

  it('are whole numbers at the levels that the kernel claims, and none that it does not accept', () => {
    const claims = { algorithm: 'strassen', levels: ({ m }: { m: number }) => (m > 20 ? 1 : 0) };
    for (const { problem, method } of swept({ claims })) {
      expect(problem.input).toBe('integers');
      expect(method.levels).toBe(problem.m > 20 ? 1 : 0);
    }
    const even = swept({ accepts: ({ m }: { m: number }) => m % 2 === 0 || 'm must be even' });
    expect(even).toHaveLength(16);
    expect(even.every(({ problem: { m } }) => m % 2 === 0)).toBe(true);
  });

  it.each<readonly [string, object]>([
    ['computes on the adapter', { usesAdapter: true }],
    ['has complex entries', { precision: 'c32' }],
    ['accepts few small sizes', { accepts: ({ k }: { k: number }) => k > 999 || 'k must be large' }],
    ['starts for every product', { multiply: undefined, program: { command: ['x', '{a}', '{b}', '{c}'] } }],
  ])('are left out for a kernel that %s', (_, change) => {
    expect(swept(change)).toEqual([]);
  });

  it('are asked of a worker, and are no part of a core or of an untrusted design', () => {
    const worker = { multiply: undefined, program: { command: ['x'], mode: 'worker' } };
    expect(swept(worker)).toHaveLength(16);
    expect(markCore(swept()).some(({ needed }) => needed === true)).toBe(false);
    expect(planUntrustedCases(swept(), 1).every(({ problem }) => problem.sweep === 0)).toBe(true);
  });
});
