import { expect, test } from 'vitest';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { some } from './some.ts';

/**
 * The law: for an unknown author's fast kernel, inspect proposes the recursion that the author states, or one of the same bounds. For a
 * kernel that no claim can express it proposes none.
 */
const { honest }: { honest: readonly Pick<FunctionKernel<Float32Array>, 'name' | 'multiply' | 'claims'>[] } =
  await import(new URL('../fixtures/fast-kernels/first.js', import.meta.url).href);

const told: readonly (readonly [string, string | null])[] = [
  [
    's1-rows-swapped',
    "algorithm: 'strassen', levels: 1, recursion: { fringe: 'static-pad', reversed: ['rows'] }",
  ],
  ['w1-pow2', "algorithm: 'winograd', levels: 1, recursion: { fringe: 'power-pad' }"],
  ['s2-peel', "algorithm: 'strassen', levels: 2, recursion: { fringe: 'dynamic-peel' }"],
  ['w1-rot1', "algorithm: 'winograd', levels: 1, recursion: { fringe: 'static-pad', turned: 1 }"],
  ['s2-even-odd', null],
  ['s1-static', "algorithm: 'strassen', levels: 1, recursion: { fringe: 'static-pad' }"],
];

test.each(some(told, 8))('%s', async (name, claim) => {
  const { multiply, claims } = honest.find((one) => one.name === name) as (typeof honest)[number];
  const spec = { name: 'mine', multiply, claims };
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  let proposed: unknown;
  const onFinding = ({ id, value }: { id: string; value: unknown }) => {
    if (id === 'recursion') proposed = { value };
  };
  await inspectKernel(kernel, { sizes: [16, 32], onFinding, stop: () => proposed !== undefined });
  expect(proposed).toEqual({ value: claim });
});
