import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { whyNotComputed } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { endsOf } from '../precision/coding/ends.ts';
import { type Format, isWholeFormat } from '../precision/format.ts';
import { type CaseFields, caseOf } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, filterFamilies } from './campaign.ts';

const INPUT = 'overflows';

/** Longest sum whose terms alone overflow 32 bits. */
const LONGEST = 2 ** 18;

/** Seeds of each case. They decide if all terms of an entry have one sign. */
const SEEDS = [1, 2, 3];

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
  if (!isClaimed || campaign.draws === undefined || !filterFamilies(campaign)(INPUT)) return [];
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
    SEEDS.flatMap((seed) => {
      const value = caseOf({ kernel: name, precision, input: INPUT, seed, ...asked } as CaseFields);
      return whyNotComputed(spec, toGemm(value.problem)) === undefined
        ? [{ ...value, series: false, drawn: true }]
        : [];
    }),
  );
}
