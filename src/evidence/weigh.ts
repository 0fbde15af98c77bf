import type { Product } from '../gpu/runner/product.ts';
import { type Gemm, plainGemm, requestedGemm } from '../matrix/gemm.ts';
import { membersOf } from '../matrix/members.ts';
import { isInTriangle, structureOf } from '../matrix/structure.ts';
import { leavesTriangle, repeatsTerms } from '../matrix/structured-operands.ts';
import { resultUnitOf } from '../precision/device-errors.ts';
import { type Analysis, analyze, inDiagonal, stackAnalyses, withDoubts } from '../readers/analysis.ts';
import { inAnyConvention, largestScale } from '../readers/any-convention.ts';
import { inComplexConvention } from '../readers/complex-convention.ts';
import { analyzeRecursion } from '../readers/recursion.ts';
import { inResults, upToSums } from '../readers/result-rounding.ts';
import { rawSizes, withZeroPointsLast } from '../readers/zero-points-last.ts';
import type { Reference, ReferenceInput } from './compared.ts';
import type { Evidence, MachineFacts, WeighingInput } from './evidence.ts';
import { measure, type ProductComparison } from './measures.ts';
import { quantizationOf } from './quantization.ts';
import { wholeReference } from './whole-reference.ts';

/** Known facts about products to weigh. A missing reference is computed; a missing analysis is not. */
export interface KnownFacts {
  readonly reference?: Reference | undefined;
  /** The result of {@link analysisOf}. @defaultValue none */
  readonly analysis?: Analysis | undefined;
  readonly fingerprint?: MachineFacts['fingerprint'];
}

/**
 * Makes the evidence of a product: its errors, beside the expected ones.
 * @throws ParanoiaError `shapes-differ` for a product of another shape
 */
export function weigh(job: WeighingInput, answers: Evidence['outcomes'], known: KnownFacts = {}): Evidence {
  const { case: value, kernel, plan, operands } = job;
  const { algorithm, claims } = kernel;
  const { precision, arithmetic, sums, operands: rounded, result, zeroPoints, activations } = kernel;
  const { gemm = plainGemm(plan.shape) } = job;
  const { reference = wholeReference(operands, gemm), analysis, fingerprint } = known;
  const outcomes = answers.map(
    (one) => one && fillTriangle(one, gemm, reference, precision.d.round),
  ) as Evidence['outcomes'] & unknown[];
  const about = {
    ...(value === undefined ? {} : { case: value }),
    claims: { ...claims, algorithm },
    machine: { fingerprint, precision, arithmetic, sums, operands: rounded, result, zeroPoints, activations },
    leaf: kernel.leaf === '' ? '' : (kernel.leafOf?.(plan) ?? kernel.leaf),
    ...{ plan, gemm, operands, outcomes, reference },
    ...(analysis === undefined ? {} : { analysis }),
  };
  const comparison = { ...comparisonOf(about), reference };
  const quantization = quantizationOf(operands, gemm, comparison);
  return {
    ...about,
    errors: measure({ ...comparison, ideal: operands.ideal }),
    ...(quantization === undefined ? {} : { quantization }),
  };
}

/** Returns the comparison by which a product's errors are measured. */
export function comparisonOf({
  machine,
  outcomes: [product],
  reference,
}: Pick<Evidence, 'machine' | 'outcomes' | 'reference'>): ProductComparison {
  return { computed: product.c, reference, u: resultUnitOf(machine), round: machine.precision.d.round };
}

/**
 * Analyzes the plan of a product, with the tolerances that its kernel may use beyond it; the products of a batch lie one below the other.
 */
export function analysisOf({
  kernel,
  plan,
  operands,
  gemm = plainGemm(plan.shape),
}: WeighingInput): Analysis {
  const { alpha, beta, imaginary } = gemm;
  const { diagonal } = kernel;
  if (diagonal !== undefined) {
    const plain = { ...kernel, diagonal: undefined };
    return inDiagonal(operands, diagonal, kernel, (scaled) =>
      analysisOf({ kernel: plain, plan, operands: { ...operands, ...scaled }, gemm }),
    );
  }
  const sums = upToSums(kernel);
  const isPlanned = imaginary === undefined && plan.scaling.alpha === alpha && plan.scaling.beta === beta;
  const scale = largestScale(gemm, kernel.claims);
  const members = [...membersOf(operands, gemm)];
  const ofRaw = kernel.zeroPoints === 'last' ? rawSizes(operands, gemm, kernel) : undefined;
  const raw = ofRaw && [...membersOf(ofRaw, gemm)];
  const parts = members.map((own, p) => {
    const one = raw?.[p] ?? own;
    const of = ({ a, b, c }: ReferenceInput) =>
      kernel.followsPlan === false
        ? analyzeRecursion(plan, kernel.claims?.recursion, a, b, sums, Math.max(scale.entries, scale.sums))
        : analyze(plan, a, b, sums, c);
    const analysis = raw === undefined ? of(own) : withZeroPointsLast(of(own), of(one), sums);
    if (isPlanned) return analysis;
    return imaginary === undefined
      ? inAnyConvention(analysis, one, gemm, kernel, plan.levels, kernel.claims)
      : inComplexConvention(analysis, one, { ...gemm, imaginary }, sums, plan.levels, kernel.claims);
  });
  const all = inResults(withDoubts(stackAnalyses(parts, gemm), operands.doubts), kernel);
  return withRepeatedTerms(all, gemm);
}

/** Raises the expected errors of diagonals whose terms are rounded twice alike: two equal errors add up to √2 of independent ones. */
function withRepeatedTerms(analysis: Analysis, gemm: Gemm): Analysis {
  const asked = requestedGemm(gemm);
  if (!repeatsTerms(asked)) return analysis;
  const { sigma } = analysis;
  const isDiagonal = (e: number) => Math.floor(e / asked.n) % asked.m === e % asked.n;
  const data = sigma.data.map((own, e) => (isDiagonal(e) ? own * Math.SQRT2 : own));
  return { ...analysis, sigma: { ...sigma, data } };
}

/**
 * Gives the triangle of D that no kernel writes the exact entries, rounded, so that only the written one is judged. A symmetric result needs none:
 * its other triangle is a mirror image.
 */
function fillTriangle<T extends Product>(
  product: T,
  gemm: Gemm,
  reference: Reference,
  round: (x: number) => number,
): T {
  const asked = requestedGemm(gemm);
  const writes = structureOf(asked)?.writes;
  const { c } = product;
  if (writes === undefined || !leavesTriangle(asked) || c.data.length !== reference.value.length)
    return product;
  const data = c.data.slice() as typeof c.data;
  for (let e = 0; e < data.length; e++) {
    const [i, j] = [Math.floor(e / gemm.n) % asked.m, e % gemm.n];
    if (!isInTriangle(writes, i, j)) data[e] = round(reference.value[e]);
  }
  return { ...product, c: { ...c, data } };
}
