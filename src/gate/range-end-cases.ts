import { isCompensated, mayVanish } from '../inputs/factor-ends.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { whyNotComputed } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import { activationSchemes } from '../precision/activations/schemes.ts';
import { endsOf } from '../precision/coding/fill.ts';
import { type Format, isWholeFormat } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import { type CaseFields, caseOf } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, filterFamilies } from './campaign.ts';

const FACTOR_ENDS = 'factor-ends';

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
  if (coded === undefined || campaign.draws === undefined || !filterFamilies(campaign)(FACTOR_ENDS))
    return [];
  const taken = SHAPES.flatMap(
    (some) => some.find((shape) => whyNotComputed(spec, shape) === undefined) ?? [],
  );
  const { activations } = spec.claims ?? {};
  const seeds = activations === undefined ? SEEDS : seedsOfActivations(coded, activations.scheme);
  return taken.flatMap((shape) =>
    seeds.map((seed) => ({
      ...caseOf({ kernel: name, precision, input: FACTOR_ENDS, seed, ...shape }),
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

const OVERFLOWS = 'overflows';

/** Longest sum whose terms alone overflow 32 bits. */
const LONGEST = 2 ** 18;

/** Seeds of each case. They decide if all terms of an entry have one sign. */
const OVERFLOW_SEEDS = [1, 2, 3];

/** Cases that overflow 32 bits with few terms: C near the ends of the range with beta, sums with a large alpha, or both. */
const SCALED: readonly Partial<CaseFields>[] = [
  { m: 5, k: 7, n: 6, beta: 1 },
  { m: 17, k: 33, n: 9, beta: -1 },
  { m: 4, k: 16, n: 8, beta: 2 },
  { m: 5, k: 9, n: 4, alpha: 2 ** 18 },
  { m: 8, k: 32, n: 16, alpha: -(2 ** 17) },
  { m: 6, k: 5, n: 3, alpha: 2 ** 17, beta: 1 },
];

/**
 * Returns sums of whole numbers that overflow 32 bits, for kernels with a claim on overflow. Some overflow by the number of terms, with few
 * entries; others by alpha and beta, where accepted. They come with the drawn cases, before a budget ends.
 */
export function overflowingCases(
  campaign: Campaign,
  spec: UserKernel,
  { precisions }: CaseItems = builtinCaseItems,
): PlannedCase[] {
  const { name, precision = 'f32', claims = {} } = spec;
  const { overflow } = claims.arithmetic?.result ?? {};
  const { a, b, accumulated } = precisions.find(precision);
  const isClaimed = isWholeFormat(accumulated) && (overflow === 'wraps' || overflow === 'saturate');
  if (!isClaimed || campaign.draws === undefined || !filterFamilies(campaign)(OVERFLOWS)) return [];
  const most = (format: Format) => Math.max(-endsOf(format).least, endsOf(format).most);
  const terms = Math.ceil((accumulated.maxFinite + 1) / (endsOf(a).most * most(b)));
  const long: Partial<CaseFields>[] =
    terms > LONGEST
      ? []
      : [
          { m: 1, k: terms + 1, n: 1 },
          { m: 2, k: LONGEST, n: 3 },
        ];
  return [...long, ...(campaign.plain ? [] : SCALED)].flatMap((asked) =>
    OVERFLOW_SEEDS.flatMap((seed) => {
      const value = caseOf({ kernel: name, precision, input: OVERFLOWS, seed, ...asked } as CaseFields);
      return whyNotComputed(spec, toGemm(value.problem)) === undefined
        ? [{ ...value, series: false, drawn: true }]
        : [];
    }),
  );
}
