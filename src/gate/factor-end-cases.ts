import { mayVanish } from '../inputs/factor-ends.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { whyNotComputed } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { caseOf } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, filterFamilies } from './campaign.ts';

const INPUT = 'factor-ends';

/**
 * Shapes with several blocks along k and lines of every coding, where blocks divide k, and where they do not. The first accepted shape of
 * each list is used.
 */
const SHAPES: readonly (readonly Shape[])[] = [
  [
    { m: 4, k: 70, n: 6 },
    { m: 16, k: 80, n: 16 },
  ],
  [
    { m: 3, k: 128, n: 5 },
    { m: 16, k: 128, n: 16 },
    { m: 128, k: 256, n: 128 },
  ],
];

/** Seeds that select the operand, the end of the range, and whether the other operand compensates. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Returns cases with block factors at both ends of their format in A and in B, which random numbers have too seldom. They come with the
 * drawn cases, before a budget ends.
 */
export function factorEndCases(
  campaign: Campaign,
  spec: UserKernel,
  { precisions }: CaseItems = builtinCaseItems,
): PlannedCase[] {
  const { name, precision = 'f32' } = spec;
  const isCoded = precisions.find(precision).coded !== undefined;
  if (!isCoded || campaign.draws === undefined || !filterFamilies(campaign)(INPUT)) return [];
  const taken = SHAPES.flatMap(
    (some) => some.find((shape) => whyNotComputed(spec, shape) === undefined) ?? [],
  );
  // A kernel that quantizes activations multiplies their factors too, and may lose all of a faint product.
  const seeds = spec.claims?.activations === undefined ? SEEDS : SEEDS.filter((seed) => !mayVanish(seed));
  return taken.flatMap((shape) =>
    seeds.map((seed) => ({
      ...caseOf({ kernel: name, precision, input: INPUT, seed, ...shape }),
      ...{ series: false, drawn: true },
    })),
  );
}
