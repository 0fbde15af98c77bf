import { OURS } from '../../base/registry.ts';
import { largestOf } from '../../exact/sizes.ts';
import type { Matrix, RealArray } from '../../matrix/dense.ts';
import { membersOf } from '../../matrix/members.ts';
import { operandErrorOf } from '../../precision/device-errors.ts';
import { largestScale } from '../../readers/any-convention.ts';
import { anyReach, limitsOf } from '../../readers/any-schedule.ts';
import { alphaAt } from '../../readers/convention.ts';
import { markEntries, placeText, resultIndexOf } from '../compared.ts';
import { type Evidence, isClassical, judgedText } from '../evidence.ts';
import { beyondRange, isSaturated, Range } from '../overflow.ts';
import { type Check, NOT_ANALYSED, notApplicable } from './check.ts';

/** Check that NaN and infinities are where IEEE 754 puts them. */
export const exceptions: Check = {
  name: 'exceptions',
  what: 'Inputs with NaN and infinities: are they exactly where IEEE 754 puts them?',
  source: OURS,
  decisive: true,
  judges: 'entries',
  judge(evidence) {
    const { operands, claims, plan, machine, gemm, reference, outcomes } = evidence;
    if (operands.hasSpecials !== true) return notApplicable('The input has no NaN and no infinity.');
    if (!machine.arithmetic.exceptions) {
      const message =
        claims.arithmetic?.exceptions === false
          ? 'The kernel claims nothing about NaN and infinities (exceptions: false), so none can be wrong.'
          : 'This device does not follow IEEE 754 for NaN and infinities, and WGSL allows that.';
      return { status: 'inconclusive', message };
    }
    const { by, expected, isWrong } = expectation(evidence);
    if (expected === undefined) return notApplicable(NOT_ANALYSED);
    const wrong = expected.findIndex((_, e) => isWrong(e, expected));
    const rest = judgedText(evidence.judgedBy);
    if (wrong < 0) return { status: 'pass', message: `NaN and infinities match ${by}${rest}.` };
    const place = resultIndexOf(reference, wrong);
    const [i, j] = [Math.floor(place / plan.shape.n), place % plan.shape.n];
    const marks = markEntries(evidence, (e) => isWrong(e, expected));
    const entry = placeText(gemm, i % plan.shape.m, j);
    const message = `${gemm.complex === undefined ? `Entry ${entry}` : `T${entry.slice(1)}`}${gemm.batch === 1 ? '' : ` of product ${Math.floor(i / plan.shape.m)}`} is ${outcomes[0].c.data[place]}, expected ${expected[wrong]} as in ${by}`;
    return {
      status: 'fail',
      message: `${message}.`,
      explain({ recognize }) {
        const looksLike = isClassical(evidence) ? recognize(evidence, marks) : undefined;
        return {
          message: `${message}${looksLike === undefined ? '' : `; likely mistake: ${looksLike.says}`}.`,
          looksLike,
        };
      },
    };
  },
};

interface Expectation {
  /** Name of the source of the expected entries. */
  readonly by: string;
  /** The expected entries, of which only NaN and infinities count; undefined where they are not known. */
  readonly expected: RealArray | undefined;
  isWrong(e: number, expected: RealArray): boolean;
}

/** Decides where NaN and infinities are expected. */
function expectation(evidence: Evidence): Expectation {
  const { outcomes, reference, analysis, leaf, claims, machine } = evidence;
  const at = (e: number) => outcomes[0].c.data[resultIndexOf(reference, e)];
  const { round } = machine.precision.d;
  const kind = (x: number) => (Number.isFinite(round(x)) ? 0 : round(x));
  const differs = (e: number, expected: RealArray) => !Object.is(kind(at(e)), kind(expected[e]));
  const { value: exact } = reference;
  const isWhole = reference.at === undefined;
  if (isClassical(evidence)) {
    const ranges = beyondRange(evidence);
    const isWrong = (e: number, expected: RealArray) =>
      ranges[e] === Range.within ? differs(e, expected) : ranges[e] === Range.wrong;
    return { by: 'the exact product', expected: exact, isWrong };
  }
  const isScheduled = claims.recursion?.schedule !== undefined && !mayOverflow(evidence);
  if (isWhole && (leaf !== '' || isScheduled)) {
    const by = 'the bit-exact model (a fast algorithm spreads NaN and infinities)';
    // A factor may become zero that is not zero in the model; an infinity times it is NaN. So may all be that are claimed to.
    const mayBeOther = claims.arithmetic?.exceptions === 'nan' || mayVanish(evidence);
    const isOther =
      leaf === '' && mayBeOther
        ? (e: number, expected: RealArray) => (kind(at(e)) === 0) !== (kind(expected[e]) === 0)
        : differs;
    return { by, expected: analysis?.model.data, isWrong: isOther };
  }
  return {
    by: 'the exact product (a fast algorithm may have more of them)',
    expected: exact,
    // Sums keep a value that is not finite, as an infinity or as NaN; results that saturate keep it as the largest number.
    isWrong: (e, expected) =>
      !Number.isFinite(round(expected[e])) && Number.isFinite(at(e)) && !isSaturated(machine, at(e)),
  };
}

type Computed = Pick<Evidence, 'operands' | 'gemm' | 'machine' | 'claims' | 'plan'>;

const finite = (x: Matrix): Matrix => ({
  ...x,
  data: x.data.map((entry) => (Number.isFinite(entry) ? entry : 0)),
});

/** True if finite entries of the operands may make an intermediate value of a fast product overflow, in some order of its sums. */
function mayOverflow({ operands, gemm, machine, claims, plan }: Computed): boolean {
  const scale = largestScale(gemm, claims);
  const limits = limitsOf(machine, Math.max(scale.entries, scale.sums));
  const { accumulated, d } = machine.precision;
  const { algorithm: table, levels } = plan;
  return [...membersOf(operands, gemm)].some(({ a, b, c }) => {
    const reach = anyReach({ table, levels, a: finite(a), b: finite(b), computation: machine }, limits);
    const added =
      c === undefined ? 0 : largestOf(Float64Array.from(finite(c).data, (x) => Math.abs(gemm.beta * x)));
    // The model is of A·B without alpha.
    return !(reach * Math.max(1, scale.sums) + added < Math.min(accumulated.maxFinite, d.maxFinite) / 2);
  });
}

/**
 * True if a nonzero sum of blocks may become zero before it is multiplied. Sums are multiples of the last place of their smallest term:
 * where all entries are 2^p times the smallest normal number or more, none is subnormal.
 */
function mayVanish({ operands: { a, b }, gemm, machine, claims }: Computed): boolean {
  const { arithmetic, precision } = machine;
  const isScaled = gemm.alpha !== 1 && alphaAt(claims) !== 'last';
  if (arithmetic.subnormals === 'kept' && !isScaled && operandErrorOf(machine) === undefined) return false;
  const { accumulated, multiplied } = precision;
  const least = Math.max(accumulated.minNormal, multiplied.minNormal) * 2 ** accumulated.precision;
  const by = isScaled ? Math.min(1, Math.abs(gemm.alpha)) : 1;
  return [a, b].some(({ data }) => data.some((x) => x !== 0 && Math.abs(x) * by < least));
}
