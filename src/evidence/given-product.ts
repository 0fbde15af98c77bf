import { badArgument, unknownName } from '../base/messages.ts';
import { operandSize } from '../exact/sizes.ts';
import { inputFamily } from '../inputs/input.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { Claims } from '../kernels/claims.ts';
import { claimedPlan } from '../kernels/external-kernel.ts';
import { findWrongClaims } from '../kernels/wrong-claims.ts';
import { areFinite, type Matrix, type RealArray } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { shapesDiffer } from '../matrix/messages.ts';
import { type Format, f32 } from '../precision/format.ts';
import { badKernel } from '../precision/messages.ts';
import { applyClaims, type Computation, type Precision } from '../precision/precision.ts';
import { isComplex } from '../precision/precisions.ts';
import type { Analysis } from '../readers/analysis.ts';
import { compareEntries } from './entry-errors.ts';
import type { Evidence, KnownOperands, WeighingInput } from './evidence.ts';
import { isLarge } from './is-large.ts';
import type { AskPieces } from './large.ts';
import type { LargeProduct } from './projection.ts';
import { quantizedJob } from './quantized-operands.ts';
import { type ComparisonEffort, type ExactMultiply, referenceOf, thorough } from './reference.ts';
import { analysisOf, weigh } from './weigh.ts';

/** A product that somebody else computed: D = alpha·A·B + beta·C, with the claims by which it is judged. */
export interface GivenProduct {
  /** A, m×k; in a batch, the matrices one below the other, or one for all. */
  readonly a: Matrix;
  /** B, k×n; in a batch likewise. */
  readonly b: Matrix;
  /** C, m×n; needed where beta is not 0. */
  readonly c?: Matrix | undefined;
  /** D, m×n, as computed. */
  readonly d: Matrix;
  /** @defaultValue 1 */
  readonly batch?: number | undefined;
  /** @defaultValue 1 */
  readonly alpha?: number | undefined;
  /** @defaultValue 0 */
  readonly beta?: number | undefined;
  /** The name of the precision. @defaultValue 'f32' */
  readonly precision?: string | undefined;
  /** @defaultValue a classical product, in any order */
  readonly claims?: Claims | undefined;
  /** True if the terms of each sum are independent of their places, so that the expected error may judge. @defaultValue false */
  readonly isRandom?: boolean | undefined;
  /** The seed of samples and projections of large products. @defaultValue 1 */
  readonly seed?: number | undefined;
  /** The names of D and C in messages. @defaultValue D and C */
  readonly names?: { readonly d: string; readonly c: string } | undefined;
}

/** Up to 2^31 multiplications, 1290³, every entry is compared with its exact value. */
export const EFFORT: ComparisonEffort = { ...thorough, projected: 2 ** 31 };

/**
 * Weighs a given product: every entry against the exact one, or, for large products, exact samples and random projections of all entries.
 * @param crew judges pieces of large products of built-in items elsewhere, with the same numbers.
 * @throws ParanoiaError `shapes-differ`, `bad-argument`, `unknown-name`, `bad-kernel` for claims that contradict the precision
 */
export async function weighGiven(
  given: GivenProduct,
  exact: ExactMultiply,
  items: CaseItems = builtinCaseItems,
  crew?: LargeCrew,
): Promise<Evidence> {
  const job = sizedJob(given, items);
  const outcomes: Evidence['outcomes'] = [{ c: given.d, unwritten: 0, overwritten: 0 }];
  if (isLarge(job, EFFORT)) {
    const { weighLarge, weighLargeBy } = await import('./large.ts');
    if (crew === undefined || items !== builtinCaseItems) return weighLarge(job, outcomes);
    const { precision = 'f32', claims = {} } = given;
    const arithmetic = { precision, claims, holdsOperands: job.holdsOperands };
    return weighLargeBy((product) => crew(product, arithmetic), job, outcomes);
  }
  const whole = withSpecials(job);
  return weigh(whole, outcomes, await compareEntries(whole, exact));
}

/** A product that a correct kernel would compute, with the errors that it may have before and after its results are rounded. */
export interface ModelProduct {
  readonly evidence: Evidence & { readonly analysis: Analysis };
  /** Bounds and expected errors of complete sums, in the format of sums. */
  readonly sums: Analysis;
}

/**
 * Weighs the product that a correct kernel would compute: the values of the bit-exact model, every entry compared.
 * @throws ParanoiaError of the exact product
 */
export async function modelProduct(
  job: ReturnType<typeof givenJob>,
  exact: ExactMultiply,
): Promise<ModelProduct> {
  const { kernel, operands, gemm } = job;
  const { precision } = kernel;
  const analysis = analysisOf(job);
  const { rows, cols, data } = analysis.model;
  const c = { rows, cols, data: data.map(precision.d.round) };
  const reference = await referenceOf(operands, exact, EFFORT, gemm);
  const evidence = weigh(job, [{ c, unwritten: 0, overwritten: 0 }], { reference, analysis });
  const unrounded = { ...kernel, precision: { ...precision, d: precision.accumulated } };
  return { evidence: { ...evidence, analysis }, sums: analysisOf({ ...job, kernel: unrounded }) };
}

/**
 * Returns the job of a given product: the plan that its claims describe, and its operands.
 * @throws ParanoiaError as {@link weighGiven}
 */
export const givenJob = (given: GivenProduct, items: CaseItems): GivenJob =>
  withSpecials(sizedJob(given, items));

/** The job of a given product. */
interface GivenJob extends WeighingInput {
  readonly gemm: Gemm;
  readonly holdsOperands: boolean;
}

/** Finds out whether operands have entries that are not finite. */
function withSpecials(job: GivenJob): GivenJob {
  const { operands, gemm } = job;
  const { a, b, c } = operands;
  const read = [a, b, ...(c === undefined || gemm.beta === 0 ? [] : [c])];
  return { ...job, operands: { ...operands, hasSpecials: read.some(({ data }) => !areFinite(data)) } };
}

/** Returns the job of a given product without a look at all its entries. */
function sizedJob(given: GivenProduct, items: CaseItems): GivenJob {
  const { a, b, c, precision: named = 'f32', claims = {}, batch = 1, alpha = 1, beta = 0 } = given;
  const gemmOfSizes = givenGemm(given, batch);
  const precision = claimedPrecision(named, claims, items);
  const plan = claimedPlan(claims, gemmOfSizes, items.algorithms);
  const holdsOperands =
    plan.levels === 0 &&
    applyClaims(precision, claims).operands === undefined &&
    holdsEntries(precision, [a, b]);
  const kernel = {
    ...{ claims, leaf: '', algorithm: plan.algorithm.name, followsPlan: false },
    ...claimedComputation({ precision: named, claims, holdsOperands }, items),
  };
  const { round } = kernel.precision.factors ?? kernel.precision.accumulated;
  const gemm = { ...gemmOfSizes, alpha: round(alpha), beta: round(beta) };
  const operands: KnownOperands = {
    ...{ a, b, c, seed: given.seed ?? 1 },
    family: familyOf(given, gemm, kernel.precision, plan.levels),
  };
  return quantizedJob({ kernel, plan, gemm, operands, holdsOperands });
}

/** The arithmetic of a given product, in words that another thread understands. */
export interface GivenArithmetic {
  readonly precision: string;
  readonly claims: Claims;
  /** True if operands are in the format that is multiplied, so that nothing rounds them. */
  readonly holdsOperands: boolean;
}

/** Threads that judge pieces of a large product. */
export type LargeCrew = (product: LargeProduct, arithmetic: GivenArithmetic) => AskPieces;

/** Returns the arithmetic that claims describe. @throws ParanoiaError `unknown-name`, `bad-kernel` */
export function claimedComputation(
  { precision, claims, holdsOperands }: GivenArithmetic,
  items: CaseItems,
): Computation {
  const computation = applyClaims(claimedPrecision(precision, claims, items), claims);
  const { multiplied } = computation.precision;
  return holdsOperands
    ? { ...computation, precision: { ...computation.precision, a: multiplied, b: multiplied } }
    : computation;
}

/** True if operands are in the format that is multiplied, so that nothing rounds them. Formats in parts drop products of parts. */
const holdsEntries = ({ multiplied, coded }: Precision, operands: readonly Matrix[]): boolean =>
  coded === undefined &&
  multiplied.split === undefined &&
  operands.every(
    ({ data }) => (multiplied === f32 && data instanceof Float32Array) || holdsAll(data, multiplied),
  );

function holdsAll(data: RealArray, { round }: Format): boolean {
  for (let e = 0; e < data.length; e++) if (!Object.is(round(data[e]), data[e])) return false;
  return true;
}

/** Returns the sizes of a given product. @throws ParanoiaError `shapes-differ`, `bad-argument` */
function givenGemm({ a, b, c, d, beta = 0, names }: GivenProduct, batch: number): Gemm {
  const { d: own, c: added } = names ?? { d: 'D', c: 'C' };
  const [m, k, n] = [d.rows / batch, a.cols, b.cols];
  const fits = (x: Matrix, rows: number) => x.rows === rows || x.rows === batch * rows;
  const text = ({ rows, cols }: Matrix) => `${rows}×${cols}`;
  if (!fits(b, k) || !fits(a, m) || d.cols !== n || !Number.isInteger(m)) {
    const why =
      a.cols === b.rows ? `${own} must be ${a.rows}×${b.cols}` : 'A must have as many columns as B has rows';
    throw shapesDiffer({ a: `A is ${text(a)}, B is ${text(b)}`, b: `${own} is ${text(d)}`, why });
  }
  if (beta !== 0 && (c === undefined || c.rows !== d.rows || c.cols !== n)) {
    throw badArgument({ what: added, need: `a ${text(d)} matrix, since beta is not 0` });
  }
  const plain = plainGemm({ m, k, n });
  const strided = (laid: Gemm['a'], x: Matrix, rows: number) =>
    batch > 1 && x.rows === rows ? { ...laid, stride: 0 } : laid;
  return { ...plain, batch, a: strided(plain.a, a, m), b: strided(plain.b, b, k) };
}

/**
 * Finds the precision of real matrices, and checks that it can keep the claims.
 * @throws ParanoiaError `unknown-name`, `bad-kernel`
 */
function claimedPrecision(named: string, claims: Claims, { algorithms, precisions }: CaseItems): Precision {
  if (isComplex(named)) {
    const known = precisions.items.filter(({ complex }) => complex !== true).map(({ name }) => name);
    throw unknownName({ what: 'precision of real matrices', given: named, known });
  }
  const precision = precisions.find(named);
  const why = findWrongClaims(claims, precision, algorithms);
  if (why !== undefined) throw badKernel({ kernel: 'of these claims', why });
  return precision;
}

/** Describes operands that no generator made: whether their sums stay exact, and whether their errors are random. */
function familyOf(
  { a, b, c, isRandom = false }: GivenProduct,
  gemm: Gemm,
  precision: Precision,
  levels: number,
) {
  const { k, alpha, beta } = gemm;
  const areWhole =
    [alpha, beta].every(Number.isInteger) &&
    [a, b, ...(c === undefined || beta === 0 ? [] : [c])].every(({ data }) => data.every(Number.isInteger));
  const largest =
    areWhole && levels === 0
      ? Math.abs(alpha) * k * operandSize(a).maxAbs * operandSize(b).maxAbs +
        (beta === 0 || c === undefined ? 0 : Math.abs(beta) * operandSize(c).maxAbs)
      : Number.POSITIVE_INFINITY;
  const { accumulated } = precision;
  const isExact = largest <= 2 ** accumulated.integerBits;
  return inputFamily({
    ...{ name: 'given', what: 'Matrices of the user.', catches: 'What is wrong with one product.' },
    statistics: isRandom ? 'random' : 'structured',
    exactness: isExact ? 'integers' : 'none',
    make: () => {
      throw badArgument({ what: 'given', need: 'matrices of the user' });
    },
  });
}
