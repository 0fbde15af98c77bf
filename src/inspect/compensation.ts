import type { InspectionContext } from './question.ts';
import { topFor } from './sum-bits.ts';
import { firstOf, makeSparseDot, type SumLevel } from './sum-levels.ts';
import type { SummationNode, SummationTree } from './summation-tree.ts';
import { negateTerm, powerOfTwoTerm } from './terms.ts';

/** The compensation of sums of one width. */
export interface MeasuredCompensation {
  /** The apparent number of bits that these sums keep. */
  readonly seen: number;
  /** True if the bits that a sum loses come back in later sums. */
  readonly compensated: boolean;
  /** Significant bits of the word that holds the sum. */
  readonly bits: number;
}

/** Each of these sums loses a part of the last bit. The lost parts together make one bit at least. */
const TRIALS = [
  { sums: 8, parts: 4 },
  { sums: 4, parts: 4 },
  // These are ties. They are lost where ties go to even, or where sums round toward zero.
  { sums: 2, parts: 2 },
];

/**
 * Detects compensated sums (Kahan, *Further remarks on reducing truncation errors*, CACM 8, 1965). A part of the last bit of 1 is added to
 * 1 again and again, then −1. An uncompensated sum rounds to 1 each time. A compensated sum returns all that was added. Compensation lends
 * a sum one bit where −1 follows at once, since the numbers below 1 lie closer together. It lends none where −1.5 follows.
 * @returns an answer for each number of bits that two sums in turn keep, where the sum is one of these two.
 */
export async function compensationsOf(
  context: InspectionContext,
  k: number,
  tree: SummationTree,
  levels: readonly SumLevel[],
): Promise<MeasuredCompensation[]> {
  const bitsOf = new Map(levels.map(({ node, bits }) => [node, bits]));
  const path = deepestPath(tree);
  const runs = new Map<number, Step[]>();
  for (let at = 1; at < path.length; ) {
    const seen = bitsOf.get(path[at].node);
    const end = path.findIndex((step, i) => i > at && bitsOf.get(step.node) !== seen);
    const run = path.slice(at - 1, end === -1 ? path.length : end);
    // −1 is added in the sum before.
    if (seen !== undefined && run.length > (runs.get(seen)?.length ?? 2)) runs.set(seen, run);
    at += run.length - 1;
  }
  const found = [...runs].map(([seen, run]) => compensationAt(context, k, seen, run));
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

async function compensationAt(
  { session, measures }: InspectionContext,
  k: number,
  seen: number,
  run: readonly Step[],
): Promise<MeasuredCompensation | undefined> {
  const trial = TRIALS.find(({ sums }) => sums < run.length);
  if (trial === undefined) return undefined;
  const [last, ...sums] = run.slice(0, trial.sums + 1);
  const lastBit = seen - 1;
  const small = lastBit + Math.log2(trial.parts);
  // The term that is subtracted may have two bits.
  if (small + 1 > session.reach) return undefined;
  const top = topFor(small, measures.wideExponents === true);
  const start = [firstOf(sums[sums.length - 1].deeper), powerOfTwoTerm(top)] as const;
  const parts = sums.map(({ beside }) => [firstOf(beside), powerOfTwoTerm(top - small)] as const);
  const end = firstOf(last.beside);
  const [left, lent] = await session.dots(
    [
      makeSparseDot(k, [start, ...parts, [end, negateTerm(powerOfTwoTerm(top))]]),
      makeSparseDot(k, [
        start,
        [firstOf(sums[0].beside), powerOfTwoTerm(top - lastBit)],
        [end, powerOfTwoTerm(top, -1.5)],
      ]),
    ],
    k,
  );
  if (left === 0) return { seen, compensated: false, bits: seen };
  if (left !== sums.length * 2 ** (top - small)) return undefined;
  const isWord = lent === 2 ** (top - lastBit) - 2 ** (top - 1);
  return { seen, compensated: true, bits: isWord ? seen : seen - 1 };
}

interface Step {
  readonly node: SummationNode;
  readonly deeper: SummationTree;
  readonly beside: SummationTree;
}

/** Returns the path from the last sum down to the first terms: each sum, its deeper part, and another part. */
function deepestPath(tree: SummationTree): Step[] {
  const depths = new Map<SummationNode, number>();
  const depthOf = (part: SummationTree): number => {
    if (typeof part === 'number') return 0;
    const depth = 1 + Math.max(...part.parts.map(depthOf));
    depths.set(part, depth);
    return depth;
  };
  depthOf(tree);
  const path: Step[] = [];
  const known = (part: SummationTree) => (typeof part === 'number' ? 0 : (depths.get(part) ?? 0));
  for (let at = tree; typeof at !== 'number'; ) {
    const { parts }: SummationNode = at;
    const deeper: SummationTree = parts.reduce((most, part) => (known(part) > known(most) ? part : most));
    const beside = parts.find((part) => part !== deeper) as SummationTree;
    path.push({ node: at, deeper, beside });
    at = deeper;
  }
  return path;
}
