import { computeOnce } from '../../base/memo.ts';
import { toJsonNumber } from '../../base/numbers.ts';
import { formatTimes } from '../../report/numbers.ts';
import { resultIndexOf } from '../compared.ts';
import { type AnalysisInput, isAnalyzed, judgedText } from '../evidence.ts';

import { beyondRange, Range } from '../overflow.ts';
import { type Check, failWithDiagnosis, NOT_ANALYSED, notApplicable } from './check.ts';

/**
 * Check of the error against the rigorous bound of the very plan.
 *
 * The bound does not depend on chance. As long as the device rounds each operation as was measured, no error exceeds it, so there are no
 * false alarms. In return it is 30 to 150 times the worst error of honest products of some length; errors below it are left to sigma.
 */
export const runningBound: Check = {
  name: 'running-bound',
  what: 'Is every error within the rigorous bound? An error beyond it proves a defect.',
  source: 'after Higham, Accuracy and Stability of Numerical Algorithms, §3.1',
  decisive: true,
  judges: 'entries',
  judge(evidence) {
    if (!isAnalyzed(evidence)) return notApplicable(NOT_ANALYSED);
    const { analysis, operands } = evidence;
    if (analysis.bound.data.length === 0) return notApplicable('D has no entries.');
    const use = boundUse(evidence);
    const { wrong, beyond, judged, skipped, used, largest } = use;
    const numbers = { found: toJsonNumber(used), allowed: 1 };
    if (beyond > 0) {
      const [message, ...further] = describeExcess(use);
      return { ...failWithDiagnosis(message, evidence, wrong, further), ...numbers };
    }
    if (judged === 0 && operands.hasSpecials === true) {
      return notApplicable('Every entry is NaN or infinite, so no error can be bounded.');
    }
    if (judged === 0 && overflows(evidence))
      return notApplicable(
        'Every entry exceeds the largest number of the format, so no error can be bounded.',
      );
    if (judged === 0 && staysFinite(evidence, analysis)) {
      const message =
        'The claimed accumulator may lose all bits in sums of so many products, so the bound proves nothing.';
      return { status: 'vacuous', message };
    }
    if (judged === 0) {
      const message = 'No bound is known: in every entry an intermediate value overflows or is NaN.';
      return { status: 'inconclusive', message };
    }
    const rest =
      skipped === 0
        ? ''
        : `; ${skipped} ${skipped === 1 ? 'entry has' : 'entries have'} no bound, since ${skipped === 1 ? 'it overflows or is' : 'they overflow or are'} not finite`;
    if (use.vacuous) {
      const message = `The bound (up to ${format(largest)}) exceeds C itself and proves nothing${rest}.`;
      return { status: 'vacuous', message, ...numbers };
    }
    return {
      status: 'pass',
      message: `The worst error uses ${format(100 * used)} % of its bound${rest}${judgedText(evidence.judgedBy)}.`,
      ...numbers,
    };
  },
};

/** Describes the entries beyond their bound: a clause, and for several entries one on the worst. */
function describeExcess({ wrong, beyond, judged, used }: BoundComparison): [string, ...string[]] {
  const times = formatTimes(used);
  // An error above a bound of 0, or one that is NaN, has no multiple.
  const isMultiple = Number.isFinite(used);
  if (wrong.length === 1)
    return [
      isMultiple
        ? `The error of the only entry of C is ${times} its bound`
        : 'The only entry of C exceeds its error bound',
    ];
  const count = `${beyond} of ${judged}${judged < wrong.length ? ' finite' : ''} entries`;
  const worst = beyond === 1 ? `its error is ${times} the bound` : `the worst error is ${times} its bound`;
  const exceeds = beyond === 1 ? 'exceeds its error bound' : 'exceed their error bounds';
  return [`${count} ${exceeds}`, ...(isMultiple ? [worst] : [])];
}

/** True if the exact product, rounded to the format of results, is infinite throughout. */
const overflows = ({ reference, machine }: Pick<AnalysisInput, 'reference' | 'machine'>): boolean =>
  reference.value.every((x) => Number.isFinite(x) && Math.abs(x) > machine.precision.d.maxFinite);

/** True if no value overflows, neither in the exact product nor in an expected sum. */
const staysFinite = (
  { reference }: Pick<AnalysisInput, 'reference'>,
  { model }: AnalysisInput['analysis'],
): boolean => reference.value.every(Number.isFinite) && model.data.every(Number.isFinite);

export interface BoundComparison {
  /** Marks the entries of C beyond their bound. */
  readonly wrong: Uint8Array;
  readonly beyond: number;
  /** Entries with a finite bound and a finite exact value. */
  readonly judged: number;
  readonly skipped: number;
  /** The largest ratio of error to bound. */
  readonly used: number;
  /** The largest finite bound. */
  readonly largest: number;
  /**
   * True if the bound's root mean square exceeds that of C, so that a result of zeros would pass; false where every entry is exact. Where
   * an operand is quantized, the size of what is added replaces C.
   */
  readonly vacuous: boolean;
}

const known = new WeakMap<AnalysisInput, BoundComparison>();

/** Compares every error with its running bound, once for an `evidence`, which does not change. */
export const boundUse = (evidence: AnalysisInput): BoundComparison =>
  computeOnce(known, evidence, compareWithBounds);

function compareWithBounds(evidence: AnalysisInput): BoundComparison {
  const { outcomes, reference, analysis, operands, machine } = evidence;
  const { data } = outcomes[0].c;
  const { bound: open, size } = operands.doubts ?? {};
  const isQuantized = machine.activations !== undefined;
  const ranges = beyondRange(evidence);
  const wrong = new Uint8Array(data.length);
  let beyond = 0;
  let judged = 0;
  let skipped = 0;
  let used = 0;
  let largest = 0;
  let boundSquares = 0;
  let valueSquares = 0;
  for (let e = 0; e < reference.value.length; e++) {
    const place = resultIndexOf(reference, e);
    const bound = analysis.bound.data[e];
    const value = reference.value[e];
    if (ranges[e] === Range.wrong && Number.isFinite(value)) {
      judged++;
      beyond++;
      wrong[place] = 1;
      used = Number.POSITIVE_INFINITY;
      continue;
    }
    if (ranges[e] === Range.exactly) {
      judged++;
      valueSquares += value * value;
      continue;
    }
    if (ranges[e] !== Range.within || !Number.isFinite(bound) || !Number.isFinite(value)) {
      skipped++;
      continue;
    }
    judged++;
    // The exact value is itself rounded to a double, by at most half a unit of its low part.
    const error = Math.abs(data[place] - value - reference.low[e]) * (1 - 2 ** -51);
    const ratio = error === 0 ? 0 : error / bound;
    if (!(ratio <= 1)) {
      wrong[place] = 1;
      beyond++;
    }
    if (!(ratio <= used)) used = Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
    largest = Math.max(largest, bound);
    // What a claim leaves open says nothing about the strength of the bound.
    boundSquares += (bound - (open?.[e] ?? 0)) ** 2;
    // Numbers that cancel have codes that hardly do, so no exact sum decides such entries: the size of their terms does.
    valueSquares += (isQuantized ? (size ?? reference.size)[e] : value) ** 2;
  }
  return { wrong, beyond, judged, skipped, used, largest, vacuous: used > 0 && boundSquares > valueSquares };
}

const format = (x: number) => String(Number(x.toPrecision(3)));
