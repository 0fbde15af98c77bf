import { isCompensated, mayVanish } from '../inputs/factor-ends.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { whyNotComputed } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { activationSchemes } from '../precision/activations/schemes.ts';
import type { Precision } from '../precision/precision.ts';
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
  const { coded } = precisions.find(precision);
  if (coded === undefined || campaign.draws === undefined || !filterFamilies(campaign)(INPUT)) return [];
  const taken = SHAPES.flatMap(
    (some) => some.find((shape) => whyNotComputed(spec, shape) === undefined) ?? [],
  );
  const { activations } = spec.claims ?? {};
  const seeds = activations === undefined ? SEEDS : seedsOfActivations(coded, activations.scheme);
  return taken.flatMap((shape) =>
    seeds.map((seed) => ({
      ...caseOf({ kernel: name, precision, input: INPUT, seed, ...shape }),
      ...{ series: false, drawn: true },
    })),
  );
}

/**
 * Returns the seeds for a kernel that quantizes activations. It multiplies their factors too, and may lose all of a faint product. Factors of
 * activations compensate for those of weights only if their format has the same range.
 */
function seedsOfActivations({ b }: NonNullable<Precision['coded']>, scheme: string): readonly number[] {
  const { maxFinite } = activationSchemes.find(scheme).block.format;
  const isWide = b?.scales.every(({ format }) => format.maxFinite <= maxFinite) ?? true;
  return SEEDS.filter((seed) => !mayVanish(seed) && (isWide || !isCompensated(seed)));
}
