import { absoluteProduct } from '../accuracy/absolute-product.ts';
import { type Measures, measure } from '../accuracy/measures.ts';
import { operandSize } from '../accuracy/operand-size.ts';
import { describeRegion } from '../accuracy/region.ts';
import { type PrecisionName, precisions } from '../formats/precision.ts';
import { assumedArithmetic } from '../kernel/assumed-arithmetic.ts';
import type { Claims } from '../kernel/claims.ts';
import { allowing, foreignPlan, latitudeOf } from '../kernel/foreign.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';
import { analyse } from '../readers/analysis.ts';
import { unitRoundoffOf } from '../readers/device-errors.ts';
import { exactProduct } from '../reference/exact.ts';
import { boundUse } from './checks/running-bound.ts';
import { allowedSigmas, sigmas } from './checks/sigma.ts';
import type { Verdict } from './results.ts';

/** What a product is held to. */
export interface ProductOptions {
  /** What it was computed in: the format of A, B and C, and of the sums. @defaultValue 'f32' */
  readonly precision?: PrecisionName | undefined;
  /** What its kernel promises. @defaultValue a classical product, in any order */
  readonly claims?: Claims | undefined;
  /**
   * The largest error allowed, in units of the error to expect. Only for random operands: rounding errors of constant
   * or few-valued ones are not independent. @defaultValue none
   */
  readonly sigmas?: number | undefined;
}

/** An entry that breaks a limit, or the worst of all. */
export interface JudgedEntry {
  readonly i: number;
  readonly j: number;
  readonly found: number;
  readonly expected: number;
  readonly error: number;
  /** The error allowed there. */
  readonly allowed: number;
}

/** What came of judging one product. */
export interface ProductVerdict {
  readonly verdict: Verdict;
  /** One sentence. */
  readonly reason: string;
  /** The entries that break a limit, the worst first; else the one nearest to it. At most {@link SHOWN}. */
  readonly entries: readonly JudgedEntry[];
  /** How many break a limit. */
  readonly wrong: number;
  /** The largest ratio of error to running bound, and of error to expected error. */
  readonly boundUsed: number;
  readonly sigmas: number;
  readonly measures: Measures;
}

/** Entries that a verdict lists. */
const SHOWN = 8;

/**
 * Judges a product that somebody computed: C against the exact product of A and B, entry by entry against the running
 * bound of what is claimed. NaN and infinities must be those of the exact product.
 * @throws Problem `shapes-differ`, `unknown-name`, `bad-number`, `bad-kernel` for f16 entries that are none.
 */
export function judgeProduct(c: Matrix, a: Matrix, b: Matrix, options: ProductOptions = {}): ProductVerdict {
  const { precision = 'f32', claims = {}, sigmas: threshold } = options;
  const shape = productShape(a, b);
  if (c.rows !== shape.m || c.cols !== shape.n) {
    const why = `C must be ${shape.m}×${shape.n}`;
    throw problem('shapes-differ', { a: `A·B is ${shape.m}×${shape.n}`, b: `C is ${c.rows}×${c.cols}`, why });
  }
  const { round } = precisions[precision].stored;
  const arithmetic = assumedArithmetic(precision, claims);
  const plan = foreignPlan(claims, shape);
  const exact = exactProduct(a, b);
  const analysis = allowing(analyse(plan, a, b, arithmetic), latitudeOf(claims));
  const judged = { execution: { c }, exact, analysis };
  const use = boundUse(judged);
  const ratios = sigmas(judged);
  const measures = measure({
    computed: c,
    exact: { value: exact.product.data, low: exact.low },
    absProduct: absoluteProduct(a, b),
    ...{ sizeA: operandSize(a), sizeB: operandSize(b), u: unitRoundoffOf(arithmetic), round },
  });
  const allowed =
    threshold === undefined ? Number.POSITIVE_INFINITY : allowedSigmas(threshold, ratios.length);
  const limitOf = (e: number) => Math.min(analysis.bound.data[e], allowed * analysis.sigma.data[e]);
  const isException = (e: number) => !Object.is(kind(round(c.data[e])), kind(round(exact.product.data[e])));
  const wrong = Uint8Array.from(c.data, (_, e) =>
    Number(isException(e) || use.wrong[e] === 1 || ratios[e] > allowed),
  );
  const entries = [...wrong.keys()]
    .filter((e) => wrong[e] === 1)
    .map((e) => entryAt(e))
    .sort((x, y) => severity(y) - severity(x));
  const { worst } = measures.exact;
  const nearest = worst === undefined ? [] : [entryAt(worst.i * shape.n + worst.j)];
  return {
    ...verdictOn(entries.length, use.vacuous),
    entries: entries.length > 0 ? entries.slice(0, SHOWN) : nearest,
    wrong: entries.length,
    boundUsed: use.used,
    sigmas: ratios.reduce((most, ratio) => Math.max(most, ratio), 0),
    measures,
  };

  function entryAt(e: number): JudgedEntry {
    const expected = exact.product.data[e];
    const error = Math.abs(c.data[e] - expected - exact.low[e]);
    const [i, j] = [Math.floor(e / shape.n), e % shape.n];
    return { i, j, found: c.data[e], expected: round(expected), error, allowed: limitOf(e) };
  }

  function verdictOn(count: number, vacuous: boolean): { verdict: Verdict; reason: string } {
    const what = `${plan.algorithm.name}${plan.levels > 0 ? ` with ${plan.levels} levels` : ''} in ${precisions[precision].title}`;
    if (count > 0) {
      const { text } = describeRegion(wrong, shape.m, shape.n, { levels: plan.levels, border: plan.border });
      const reason = `${count} of ${c.data.length} entries are no product of A and B as ${what} may give: ${text}.`;
      return { verdict: 'fail', reason };
    }
    if (vacuous && threshold === undefined) {
      const reason = `The bound of ${what} exceeds the size of C itself and proves nothing; operands that cancel less, or sigmas where they are random, would.`;
      return { verdict: 'inconclusive', reason };
    }
    return { verdict: 'pass', reason: `All ${c.data.length} entries are within what ${what} may err.` };
  }
}

/** NaN and infinities as they are; every finite number the same. */
const kind = (x: number) => (Number.isFinite(x) ? 0 : x);

/** How far beyond its limit an entry is; one that is not finite is infinitely far. */
function severity({ error, allowed }: JudgedEntry): number {
  const ratio = error / allowed;
  return Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
}
