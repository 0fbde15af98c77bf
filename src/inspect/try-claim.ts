import { sharedGrowth } from '../algorithms/growth.ts';
import { catchParanoiaErrorAsync, ParanoiaError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import { resultOf } from '../evidence/result-of.ts';
import { exactProduct } from '../exact/exact.ts';
import { listDefaultInputs } from '../inputs/inputs.ts';
import type { Claims } from '../kernels/claims.ts';
import { claimedAlgorithmFor } from '../kernels/claims.ts';
import { claimedPlan } from '../kernels/external-kernel.ts';
import { type Kernel, multiply } from '../kernels/kernel.ts';
import { matrix, type Shape } from '../matrix/dense.ts';
import { assumed } from '../precision/arithmetic.ts';
import type { Format } from '../precision/format.ts';
import { applyClaims } from '../precision/precision.ts';
import { type Case, caseOf, formatCase } from '../problem/case.ts';
import { claimsOf, whyUnclaimed } from './claim.ts';
import type { Inspection } from './inspection.ts';

/** Shapes that discriminate: single products, odd sizes, and sums that drift. Each input is tried in this many shapes. */
const SHAPES: readonly Shape[] = [
  { m: 12, k: 1, n: 17 },
  { m: 33, k: 34, n: 31 },
  { m: 4, k: 256, n: 3 },
  { m: 16, k: 16, n: 16 },
  { m: 2, k: 1024, n: 2 },
];
const EACH = 3;

/**
 * Judges products of all inputs by the claim that an inspection found, as the gate does.
 * @returns the reason why the claim is not printed, in a sentence; undefined where all products keep it.
 */
export async function tryClaim(
  kernel: Kernel,
  inspection: Inspection,
  stop: () => boolean = () => false,
  items: JudgingItems = builtinItems,
): Promise<string | undefined> {
  const { precision } = kernel;
  const claims = claimsOf(inspection, precision);
  if (claims === undefined) return whyUnclaimed(inspection, precision);
  const claimed = withClaims(kernel, claims, items.algorithms);
  if (stop()) return undefined;
  const missed = roundsOneTerm(claimed) ? await missedIn(claimed, inspection.seed) : 0;
  if (missed > 0)
    return `No claim holds: ${missed} of ${LINES ** 2} products of one term are not correctly rounded. Entries may be split into parts of fewer bits.`;
  const evaluator = new Evaluator(exactProduct, { items });
  for (const value of casesFor(kernel, inspection.seed, items)) {
    if (stop()) return undefined;
    const broken = await brokenBy(value, claimed, evaluator);
    if (broken !== undefined) return `No claim holds: ${broken.replace(/\.$/, '')} (${formatCase(value)}).`;
  }
  return undefined;
}

/** Number of rows and columns of products of one term. */
const LINES = 48;
const DOUBLE = 53;

/** True if the claim allows a product of one term to be only the nearest number. */
function roundsOneTerm({ precision, claims, algorithm }: Kernel): boolean {
  const { a, multiplied, accumulated, d, coded, complex } = precision;
  const { rounding, accumulator, result } = claims?.arithmetic ?? {};
  const isPlain = multiplied === a && coded === undefined && complex !== true && algorithm === 'classical';
  const isToNearest = (rounding ?? 'nearest') === 'nearest' && (accumulator ?? result) === undefined;
  // Doubles hold such products exactly.
  const isHeld = 2 * a.precision <= DOUBLE && (accumulated === d || 2 * a.precision <= accumulated.precision);
  return isPlain && isToNearest && isHeld;
}

/**
 * Counts the products of one term that are not the nearest numbers, for entries between 1 and 2; none where the kernel makes no such
 * product.
 */
async function missedIn(kernel: Kernel, seed: number): Promise<number> {
  const random = createRandom(seed, 1);
  const { a: format, b: other, d } = kernel.precision;
  const line = (rows: number, cols: number, { round }: Format) =>
    matrix(
      rows,
      cols,
      Float32Array.from({ length: LINES }, () => round(random.uniform(1, 2))),
    );
  const operands = { a: line(LINES, 1, format), b: line(1, LINES, other) };
  const plan = kernel.plan({ m: LINES, k: 1, n: LINES }, { levels: 0, fringe: 'pad', tail: 'mask' });
  const made = await catchParanoiaErrorAsync(multiply({ kernel, plan, operands }));
  if (made instanceof ParanoiaError) return 0;
  const { product } = exactProduct(operands.a, operands.b);
  return product.data.filter((exact, e) => d.round(exact) !== made.c.data[e]).length;
}

/** Returns a kernel with other claims than its own. */
export function withClaims(kernel: Kernel, claims: Claims, algorithms = builtinItems.algorithms): Kernel {
  const { precision } = kernel;
  // The arithmetic that the kernel claims itself is not measured.
  const measures = kernel.claims?.arithmetic === undefined ? kernel.arithmetic : assumed;
  const { algorithm, table } = claimedAlgorithmFor(claims, { m: 1, k: 1, n: 1 }, algorithms);
  return {
    ...kernel,
    ...applyClaims(precision, claims, measures),
    claims,
    ...{ algorithm, growth: sharedGrowth(table) },
    followsPlan: false,
    plan: (shape) => claimedPlan(claims, shape, algorithms, precision.complex),
  };
}

function casesFor(kernel: Kernel, seed: number, { inputs }: JudgingItems): Case[] {
  const { name, precision } = kernel;
  return listDefaultInputs(inputs).flatMap((input, at) =>
    Array.from({ length: EACH }, (_, each) => SHAPES[(at + 2 * each) % SHAPES.length]).map((shape) =>
      caseOf({ kernel: name, precision: precision.name, input: input.name, seed, ...shape }),
    ),
  );
}

/**
 * Returns the reason why the product of a case breaks the claim; undefined where it keeps it, and where the kernel or the precision has
 * none.
 */
async function brokenBy(value: Case, kernel: Kernel, evaluator: Evaluator): Promise<string | undefined> {
  const judged = (async () => {
    const evidence = await evaluator.evaluate(await evaluator.prepare(value, kernel));
    return resultOf(value, kernel, evidence, defaultThresholds, evaluator.items);
  })();
  const found = await catchParanoiaErrorAsync(judged);
  return found instanceof ParanoiaError || found.verdict !== 'fail' ? undefined : found.reason;
}
