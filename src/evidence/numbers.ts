import { sha256, sha256OfBytes } from '../base/canonical.ts';
import { toJsonNumber } from '../base/numbers.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import { isScaled } from '../matrix/gemm.ts';
import { UNSCALED } from '../plan/compile.ts';
import { pathName, pathOfEntry } from '../plan/path.ts';
import type { Plan } from '../plan/plan.ts';
import { operandErrorOf, resultErrorOf, unitRoundoffOf } from '../precision/device-errors.ts';
import { aPriori, isVacuous } from '../readers/a-priori.ts';
import type { CaseResult } from './case-result.ts';
import type { EvidenceQuery } from './checks/check.ts';
import { boundUse } from './checks/running-bound.ts';
import { errorsInSigmas } from './checks/sigma.ts';
import { type AnalysisInput, type Evidence, isAnalyzed } from './evidence.ts';
import type { QuantizationErrors } from './quantization.ts';
import type { ErrorMeasures } from './tally.ts';

type Numbers = Pick<
  CaseResult,
  | 'exact'
  | 'ideal'
  | 'quantization'
  | 'sigma'
  | 'runningBound'
  | 'aPriori'
  | 'equalsModel'
  | 'seconds'
  | 'checkedShare'
  | 'judgedBy'
>;

export const numbers: EvidenceQuery<Numbers> = {
  name: 'numbers',
  what: 'the numbers of a product that every report shows',
  ask(evidence) {
    const { errors, plan, outcomes, machine, reference, judgedBy, quantization } = evidence;
    const published = aPrioriOf(evidence);
    const [{ seconds }] = outcomes;
    return {
      exact: measuresOf(errors.exact, plan),
      ...(errors.ideal === undefined ? {} : { ideal: measuresOf(errors.ideal, plan) }),
      ...(quantization === undefined ? {} : { quantization: bothOf(quantization, plan) }),
      ...(isAnalyzed(evidence) ? readersOf(evidence, machine.arithmetic.modeled) : {}),
      aPriori: { bound: toJsonNumber(published), vacuous: isVacuous(published, rms(reference.value)) },
      ...(seconds === undefined ? {} : { seconds }),
      ...(reference.checked === 1 ? {} : { checkedShare: reference.checked }),
      ...(judgedBy === undefined ? {} : { judgedBy }),
    };
  },
};

const bothOf = ({ coding, endToEnd }: QuantizationErrors, plan: Plan) => ({
  coding: measuresOf(coding, plan),
  endToEnd: measuresOf(endToEnd, plan),
});

/** Returns the normwise a-priori bound of the literature. */
export function aPrioriOf({ plan, gemm, machine, reference: { norms } }: Evidence): number {
  const u = unitRoundoffOf(machine);
  const { factor } = aPriori({ ...plan, scaling: UNSCALED }, u, operandErrorOf(machine)?.relative);
  const { k, alpha, beta, imaginary } = gemm;
  // Each product is at most k times the largest entries; it and beta·C are rounded once more, then their sum.
  const scaling = isScaled(gemm) ? (imaginary === undefined ? 3 : 6) * u * Math.max(1, k) : 0;
  const factors = [alpha, beta, imaginary?.alpha ?? 0, imaginary?.beta ?? 0];
  const byFactors = factors.reduce((sum, x) => sum + Math.abs(x), 0);
  const sums = factor + scaling;
  // Results narrower than sums are rounded once more: |D| is at most k times the largest entries, and its error.
  const most = (byFactors * Math.max(1, k) + sums) * norms.maxProduct;
  return sums * norms.maxProduct + (resultErrorOf(machine)?.most(most, 1) ?? 0);
}

function readersOf(
  evidence: Evidence & AnalysisInput,
  isModeled: boolean,
): Pick<Numbers, 'sigma' | 'runningBound' | 'equalsModel'> {
  const { analysis, outcomes } = evidence;
  const use = boundUse(evidence);
  const worst = largestFinite(errorsInSigmas(evidence));
  return {
    sigma: { worst: toJsonNumber(worst), largest: toJsonNumber(largestFinite(analysis.sigma.data)) },
    runningBound: { largest: toJsonNumber(use.largest), used: toJsonNumber(use.used), vacuous: use.vacuous },
    ...(isModeled ? { equalsModel: haveSameBits(outcomes[0].c.data, analysis.model.data) } : {}),
  };
}

/** Converts measures for a results file; the worst entry gets its quadrant of the plan. */
function measuresOf(measures: ErrorMeasures, plan: Plan): NonNullable<CaseResult['exact']> {
  const { worst } = measures;
  return {
    maxError: toJsonNumber(measures.max),
    meanError: toJsonNumber(measures.mean),
    normalizedMax: toJsonNumber(measures.normalizedMax),
    normalizedMean: toJsonNumber(measures.normalizedMean),
    componentwise: toJsonNumber(measures.componentwise),
    normwise: toJsonNumber(measures.normwise),
    frobenius: toJsonNumber(measures.frobenius),
    bits: toJsonNumber(measures.bits),
    unequal: measures.unequal,
    disagreements: measures.disagreements,
    ...(worst === undefined
      ? {}
      : {
          worst: {
            i: worst.i,
            j: worst.j,
            computed: toJsonNumber(worst.computed),
            expected: toJsonNumber(worst.expected),
            error: toJsonNumber(worst.error),
            quadrant: pathName(pathOfEntry(worst.i % plan.shape.m, worst.j, plan)),
          },
        }),
  };
}

/** True if two results have the same bits; NaNs of any payload count as the same. */
export function haveSameBits(x: RealArray, y: RealArray): boolean {
  if (x.length !== y.length) return false;
  for (let e = 0; e < x.length; e++) if (!Object.is(x[e], y[e])) return false;
  return true;
}

/** Returns the largest finite number of values that are not negative; 0 if there is none. */
function largestFinite(values: Float64Array): number {
  let most = 0;
  for (let e = 0; e < values.length; e++) if (values[e] > most && values[e] < Infinity) most = values[e];
  return most;
}

/** Returns the root mean square: a larger bound is vacuous. */
function rms(values: Float64Array): number {
  let sum = 0;
  for (let e = 0; e < values.length; e++) sum += values[e] * values[e];
  return Math.sqrt(sum / values.length);
}

/** Hexadecimal digits of a digest: 128 bits. */
const DIGITS = 32;

/** Entries that are hashed at once: Web Crypto takes at most 2 GiB, and a part is copied. */
const PART = 2 ** 23;

/** The bytes of the one NaN that stands for all, by the bytes of an entry. */
const NAN_BYTES: Readonly<Record<number, Uint8Array>> = {
  4: new Uint8Array(Uint32Array.of(0x7fc00000).buffer),
  8: new Uint8Array(Uint32Array.of(0, 0x7ff80000).buffer),
};

/** Returns the digests of a product as the kernel returned it, all products of a batch, and of its operands as the judge made them. */
export async function digestBits({
  outcomes: [{ c: d }],
  operands: { a, b, c },
}: Pick<Evidence, 'outcomes' | 'operands'>): Promise<{ bits: NonNullable<CaseResult['bits']> }> {
  const [product, operands] = await Promise.all([
    digestOf([d]),
    digestOf(c === undefined ? [a, b] : [a, b, c]),
  ]);
  return { bits: { d: product, operands } };
}

/** Returns the SHA-256 of the entries, or of the digests of their parts if there are several, cut to {@link DIGITS}. */
async function digestOf(matrices: readonly Matrix[]): Promise<string> {
  const digests: string[] = [];
  for (const { data } of matrices)
    for (let at = 0; at < data.length; at += PART)
      digests.push(await sha256OfBytes(bytesOf(data.subarray(at, at + PART))));
  return (digests.length === 1 ? digests[0] : await sha256(digests.join())).slice(0, DIGITS);
}

/** Copies the bit patterns of entries; every NaN gets the same. */
function bytesOf(data: RealArray): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.byteLength);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const width = data.BYTES_PER_ELEMENT;
  for (let e = 0; e < data.length; e++) if (Number.isNaN(data[e])) bytes.set(NAN_BYTES[width], e * width);
  return bytes;
}
