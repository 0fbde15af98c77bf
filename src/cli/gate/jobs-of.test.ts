import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { RunLimit } from '../../run/budget.ts';
import { jobsOf } from './jobs-of.ts';

const multiply = () => new Float32Array();
const kernels: Record<string, unknown> = {
  loop: { name: 'loop', multiply },
  client: { name: 'client', multiply, usesAdapter: true },
  shader: { name: 'shader', wgsl: { source: '' } },
  program: { name: 'program', command: 'python3' },
};
const catalog = { external: (name: string) => kernels[name] } as unknown as KernelCatalog;

const countOf = (
  names: string[],
  { asked, ...flags }: { asked?: number; case?: string[] } = {},
  cases = 1000,
  limit?: RunLimit,
) => {
  return jobsOf(asked, flags, { kernels: names, count: cases, limit }, catalog).count;
};

it('functions are judged by several processes where that pays', () => {
  expect(countOf(['loop']) > 1).toBe(availableParallelism() > 1);
  expect(countOf(['loop'])).toBeLessThanOrEqual(Math.min(4, availableParallelism()));
  expect(countOf(['loop'], {}, 99)).toBe(1);
});

it('the cases that may run are counted, of those that are planned', () => {
  expect(countOf(['loop'], {}, 1000, { cases: 1 })).toBe(1);
  expect(countOf(['loop', 'loop'], {}, 1000, { cases: 500 })).toBe(countOf(['loop'], {}, 500));
  expect(countOf(['loop'], {}, 1000, 60)).toBe(countOf(['loop']));
});

it('our kernels are judged by two that share the device, or by more where there are many cores', () => {
  const cores = availableParallelism();
  const shared = Math.min(cores, 8, Math.max(2, Math.floor(cores / 2)));
  expect(countOf(['classical:naive'])).toBe(shared);
  expect(countOf(['loop', 'classical:naive'])).toBe(Math.min(4, shared));
  expect(countOf(['classical:naive'], {}, 99)).toBe(1);
});

it.each(['client', 'shader', 'program'])('%s is not, even beside a function', (name) => {
  expect(countOf([name])).toBe(1);
  expect(countOf(['loop', name])).toBe(1);
});

it('what is asked for is done, but named cases are judged in one process', () => {
  expect(countOf(['classical:naive'], { asked: 3 })).toBe(3);
  expect(countOf(['loop'], { asked: 1 })).toBe(1);
  expect(countOf(['loop'], { asked: 3, case: ['kernel=loop'] })).toBe(1);
});
