import { badArgument } from '../base/messages.ts';
import { fromJsonNumber } from '../base/numbers.ts';
import type { GivenStep } from '../epilogue/chain.ts';
import { largestOf } from '../exact/sizes.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Claims } from '../kernels/claims.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { CodedMatrix } from '../matrix/operands.ts';
import type { Operand } from '../precision/coding/coding.ts';
import { decodeCoded } from '../precision/coding/decode-coded.ts';
import type { Precision } from '../precision/precision.ts';
import { formatCount } from '../report/numbers.ts';
import type { Verdict } from './case-result.ts';
import { recognize } from './causes/recognize.ts';
import { type BoundComparison, boundUse } from './checks/running-bound.ts';
import { allowedSigmas, errorsInSigmas } from './checks/sigma.ts';
import { describeWrong } from './describe-wrong.ts';
import { judgeEpilogue } from './epilogue/judge-epilogue.ts';
import { type GivenWithEpilogue, refuseSigmas, splitProduct } from './epilogue/product-with-epilogue.ts';
import { weighWholeEpilogue } from './epilogue/weigh-epilogue.ts';
import type { Evidence } from './evidence.ts';
import { givenJob } from './given-product.ts';
import { beyondRange, Range } from './overflow.ts';
import { analysisOf, weigh } from './weigh.ts';

/** Options for judging a product. */
export interface ProductOptions {
  /** The format of A, B and C, and of the sums. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /** The kernel's claims. @defaultValue a classical product, in any order */
  readonly claims?: Claims | undefined;
  /** The factor of A·B. @defaultValue 1 */
  readonly alpha?: number | undefined;
  /** The factor of the initial C. @defaultValue 0 */
  readonly beta?: number | undefined;
  /** The initial C, m×n; needed where beta is not 0. */
  readonly before?: Matrix | undefined;
  /**
   * The largest error allowed, in units of the expected error. Only for random operands: rounding errors of constant or few-valued ones
   * are not independent.
   * @defaultValue none
   */
  readonly sigmas?: number | undefined;
  /**
   * The steps between the sums and C, in their order: names, or names with parameters, as `{ step: 'bias', values }`. The reference lists
   * them.
   * @defaultValue none
   */
  readonly epilogue?: readonly GivenStep[] | undefined;
}

/** An entry that exceeds a limit, or the worst of all. */
export interface JudgedEntry {
  readonly i: number;
  readonly j: number;
  readonly found: number;
  readonly expected: number;
  readonly error: number;
  /** The error allowed for this entry. */
  readonly allowed: number;
}

export interface JudgedProduct {
  readonly verdict: Verdict;
  /** One sentence. */
  readonly reason: string;
  /** The entries that exceed a limit, the worst first; else the one nearest to it. At most {@link SHOWN}. */
  readonly entries: readonly JudgedEntry[];
  /** Number of entries that exceed a limit. */
  readonly wrong: number;
  /** The largest ratio of error to running bound, and of error to expected error; the latter is NaN with an epilogue. */
  readonly boundUsed: number;
  readonly sigmas: number;
  readonly evidence: Evidence;
}

/** The most entries that a verdict lists. */
const SHOWN = 8;

/**
 * Judges a product computed elsewhere: C against the exact alpha·A·B + beta·(initial C), entry by entry against the running bound of the
 * claims. NaN and infinities must be those of the exact product. In a precision of coded operands A and B may be given as elements and
 * factors of blocks.
 * @param items registries of the names in precision and claims.
 * @defaultValue the built-in ones
 * @throws ParanoiaError `shapes-differ`, `unknown-name`, `bad-number`, `bad-kernel` for f16 entries that are none, and for claims that
 * contradict each other or the precision, `bad-coded`, `bad-epilogue`, `bad-epilogue-step`
 */
export function judgeProduct(
  c: Matrix,
  a: Matrix | CodedMatrix,
  b: Matrix | CodedMatrix,
  options: ProductOptions = {},
  items = builtinCaseItems,
): JudgedProduct {
  const precision = items.precisions.find(options.precision ?? 'f32');
  const given = { ...options, a: numbersOf('a', a, precision), b: numbersOf('b', b, precision), d: c };
  const named = { ...given, c: options.before, names: { d: 'C', c: 'before' } };
  const { epilogue = [] } = options;
  const { product, rest } = splitProduct({ ...named, epilogue }, items);
  if (rest.steps.length > 0) return judgeWithEpilogue({ ...named, epilogue }, options, items);
  const job = givenJob(product, items);
  const facts = { analysis: analysisOf(job) };
  const evidence = { ...weigh(job, [{ c, unwritten: 0, overwritten: 0 }], facts), ...facts };
  const { reference, analysis, plan, machine } = evidence;
  const { round } = machine.precision.d;
  const use = boundUse(evidence);
  const ratios = errorsInSigmas(evidence);
  const most =
    options.sigmas === undefined ? Number.POSITIVE_INFINITY : allowedSigmas(options.sigmas, ratios.length);
  const ranges = beyondRange(evidence);
  const isException = (e: number) =>
    ranges[e] === Range.within
      ? !Object.is(kind(round(c.data[e])), kind(round(reference.value[e])))
      : ranges[e] === Range.wrong;
  const wrong = new Uint8Array(c.data.length);
  for (let e = 0; e < wrong.length; e++)
    wrong[e] = Number(isException(e) || use.wrong[e] === 1 || ratios[e] > most);
  const entryAt = (e: number): JudgedEntry => {
    const expected = reference.value[e];
    const error = Math.abs(c.data[e] - expected - reference.low[e]);
    const allowed = Math.min(analysis.bound.data[e], most * analysis.sigma.data[e]);
    const [i, j] = [Math.floor(e / c.cols), e % c.cols];
    return { i, j, found: c.data[e], expected: round(expected), error, allowed };
  };
  const entries = [...wrong.keys()]
    .filter((e) => wrong[e] === 1)
    .map(entryAt)
    .sort((x, y) => severity(y) - severity(x));
  const { worst } = evidence.errors.exact;
  const nearest = worst === undefined ? [] : [entryAt(worst.i * plan.shape.n + worst.j)];
  return {
    ...verdictOn(evidence, wrong, entries.length, use, options),
    entries: entries.length > 0 ? entries.slice(0, SHOWN) : nearest,
    ...{ wrong: entries.length, boundUsed: use.used, sigmas: largestOf(ratios), evidence },
  };
}

/** Judges a product by its epilogue. @throws ParanoiaError `bad-argument` for `sigmas` */
function judgeWithEpilogue(
  given: GivenWithEpilogue,
  { sigmas }: ProductOptions,
  items: CaseItems,
): JudgedProduct {
  refuseSigmas(sigmas);
  const weighed = weighWholeEpilogue(given, items);
  const { verdict, reason, count, used, worst } = judgeEpilogue(weighed);
  const entries = worst(count > 0 ? Math.min(count, SHOWN) : 1).map(
    ({ i, j, found, expected, error, allowed = 0 }): JudgedEntry => {
      const [x, y, z, most] = [found, expected, error, allowed].map(fromJsonNumber);
      return { i, j, found: x, expected: y, error: Math.abs(z), allowed: most };
    },
  );
  const { evidence } = weighed;
  return { verdict, reason, entries, wrong: count, boundUsed: used, sigmas: Number.NaN, evidence };
}

/** Returns an operand as numbers. @throws ParanoiaError `bad-coded`, `bad-argument` */
function numbersOf(of: Operand, given: Matrix | CodedMatrix, { name, coded }: Precision): Matrix {
  if (!('elements' in given)) return given;
  const coding = coded?.[of];
  if (coding !== undefined) return decodeCoded(given, of, coding);
  throw badArgument({ what: of.toUpperCase(), need: `a matrix of numbers, since ${name} does not code it` });
}

function verdictOn(
  evidence: Evidence,
  wrong: Uint8Array,
  count: number,
  { vacuous }: BoundComparison,
  { sigmas: threshold }: ProductOptions,
): { verdict: Verdict; reason: string } {
  const { plan, machine } = evidence;
  const { levels, algorithm } = plan;
  const of = `${algorithm.name}${levels > 0 ? `, ${formatCount(levels, 'level')}` : ''}, ${machine.precision.name}`;
  const what = `(algorithm ${of})`;
  if (count > 0) {
    const like = recognize(evidence, wrong);
    const text = [
      describeWrong(evidence, wrong),
      ...(like === undefined ? [] : [`likely mistake: ${like.says}`]),
    ].join('; ');
    const reason = `${count} of ${wrong.length} entries of C differ from A·B by more than their error bounds ${what}: ${text}.`;
    return { verdict: 'fail', reason };
  }
  if (vacuous && threshold === undefined) {
    const reason = `The error bound ${what} exceeds C itself and proves nothing. Use operands that cancel less or, for random operands, the option sigmas.`;
    return { verdict: 'inconclusive', reason };
  }
  return {
    verdict: 'pass',
    reason: `All ${wrong.length} entries of C are within their error bounds ${what}.`,
  };
}

/** Maps NaN and infinities to themselves, and every finite number to 0. */
const kind = (x: number) => (Number.isFinite(x) ? 0 : x);

/** Returns an entry's error as a multiple of its limit; infinite if it is not finite. */
function severity({ error, allowed }: JudgedEntry): number {
  const ratio = error / allowed;
  return Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
}
