import { zeros } from '../base/numbers.ts';
import type { ExactProduct } from '../exact/exact.ts';
import { magnitudesOf } from '../exact/magnitudes.ts';
import { largestOf, raised } from '../exact/sizes.ts';
import { type Matrix, matrix, productShape } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { membersOf, readsFactors } from '../matrix/members.ts';
import { operandErrorOf, resultErrorOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { type Analysis, stackAnalyses } from '../readers/analysis.ts';
import { blockErrors } from '../readers/block-errors.ts';
import type { BlockReading } from '../readers/blocked-product.ts';
import type { ScalingConvention } from '../readers/convention.ts';
import type { ExactEntries, Reference, ReferenceInput } from './compared.ts';
import type { WeighingInput } from './evidence.ts';
import { type ExactMultiply, referenceOf, thorough } from './reference.ts';
import { analysisOf } from './weigh.ts';
import { scaleWholeReference, stackReferences } from './whole-reference.ts';

/**
 * Compares every entry of a product: with its exact value, and with the errors that it may have. Where all of them follow from the
 * magnitudes of its terms, they are computed with the exact product; otherwise by a walk of the plan.
 */
export async function compareEntries(
  job: WeighingInput & { readonly gemm: Gemm },
  exact: ExactMultiply,
): Promise<{ readonly reference: Reference; readonly analysis: Analysis }> {
  const { kernel, operands, gemm } = job;
  if (!followFromMagnitudes(job)) {
    const reference = await referenceOf(operands, exact, thorough, gemm);
    return { reference, analysis: analysisOf(job) };
  }
  const found: { readonly reference: Reference; readonly analysis: Analysis }[] = [];
  for (const one of membersOf(operands, gemm)) {
    const { a, b } = one;
    const lent = await (exact.withMagnitudes ?? exact)(a, b);
    const product = gemm.batch === 1 ? lent : copyOf(lent);
    const magnitudes =
      product.magnitudes ?? magnitudesOf({ shape: productShape(a, b), a: a.data, b: b.data });
    const { lend = zeros } = product;
    const sizes = lend(magnitudes.sizes.length);
    sizes.set(magnitudes.sizes);
    const reference = scaleWholeReference(one, gemm, product, raised(sizes, gemm.k));
    const task = { computation: kernel, convention: kernel.claims, magnitudes, lend };
    const errors = errorsOfEntries(one, gemm, reference, task);
    const [model, bound, sigma] = [errors.model, errors.bound, errors.sigma].map((data) =>
      matrix(gemm.m, gemm.n, data),
    );
    found.push({ reference, analysis: { model, bound, sigma } });
  }
  const reference = stackReferences(
    found.map((one) => one.reference),
    gemm,
  );
  // A sum that may overflow has the errors of the very order of its terms.
  if (!(largestOf(reference.size) < MOST_OF_RANGE * largestSumOf(kernel)))
    return { reference, analysis: analysisOf(job) };
  const analyses = found.map((one) => one.analysis);
  return { reference, analysis: stackAnalyses(analyses, gemm) };
}

/** Copies a product, which the next one would overwrite; its magnitudes are read before. */
const copyOf = ({ product, low, certificate, magnitudes }: ExactProduct): ExactProduct => ({
  ...{ certificate, magnitudes },
  product: { ...product, data: product.data.slice() },
  low: low.slice(),
});

/** The share of the largest number below which no sum overflows, whatever its roundings add. */
export const MOST_OF_RANGE = 0.25;

const largestSumOf = ({ precision: { accumulated, d } }: Computation) =>
  Math.min(accumulated.maxFinite, d.maxFinite);

/** True if errors depend on the magnitudes of terms alone: of finite operands that nothing rounds, in a classical product. */
function followFromMagnitudes({
  kernel,
  plan,
  operands,
  gemm,
}: WeighingInput & { readonly gemm: Gemm }): boolean {
  return (
    plan.levels === 0 &&
    kernel.diagonal === undefined &&
    kernel.zeroPoints !== 'last' &&
    kernel.activations === undefined &&
    operands.hasSpecials !== true &&
    gemm.imaginary === undefined &&
    readsFactors(gemm) &&
    operandErrorOf(kernel) === undefined
  );
}

export interface EntryArithmetic extends Omit<BlockReading, 'width'> {
  readonly convention?: ScalingConvention | undefined;
}

/** The errors of each entry, as readers of plans give them. */
export interface EntryErrors {
  /** The exact entries, rounded as results are. */
  readonly model: Float64Array;
  readonly bound: Float64Array;
  readonly sigma: Float64Array;
}

/**
 * Returns the errors that entries of a product may have, given their exact values. For a classical product they are those of a walk of the
 * plan, with exact partial sums; for a fast one, those of any recursion.
 */
export function errorsOfEntries(
  operands: ReferenceInput,
  gemm: Gemm,
  { value }: Pick<ExactEntries, 'value'>,
  task: EntryArithmetic,
): EntryErrors {
  const { alpha, beta } = gemm;
  const isPlain = alpha === 1 && beta === 0;
  const { lend = zeros } = task;
  const ofResults = lend(value.length);
  const squares = { value: ofResults, product: isPlain ? ofResults : zeros(value.length) };
  for (let e = 0; e < value.length; e++) {
    const x = value[e];
    const isKnown = Number.isFinite(x);
    squares.value[e] = isKnown ? x * x : 0;
    if (isPlain || !isKnown) continue;
    const before = beta === 0 ? 0 : beta * (operands.c as Matrix).data[e];
    squares.product[e] = alpha === 0 ? 0 : ((x - before) / alpha) ** 2;
  }
  const { bound, sigma } = blockErrors(operands, { ...task, gemm, width: 1, squares });
  const round = resultErrorOf(task.computation)?.round ?? task.computation.precision.d.round;
  // The squares are read, and a new array of this size costs more than its numbers.
  const model = ofResults;
  for (let e = 0; e < value.length; e++) model[e] = round(value[e]);
  return { bound, sigma, model };
}
