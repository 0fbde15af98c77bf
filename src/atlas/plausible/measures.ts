import { fromReal } from '../../base/real.ts';
import { OURS } from '../../base/registry.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import { ofCases, type Plausible } from './plausible.ts';

type Measures = NonNullable<CaseResult['exact']>;

export const measures: Plausible = {
  name: 'measures',
  what: 'Are the measures of each product those of one set of errors?',
  source: OURS,
  faults: ({ cases }) =>
    ofCases(
      cases.flatMap((result) => {
        const why = result.exact === undefined ? undefined : faultOf(result.exact);
        return why === undefined ? [] : [{ case: result.case, why }];
      }),
    ),
};

/** What no errors have: a largest one below their mean, one without an entry that differs, bits of other errors. */
function faultOf(exact: Measures): string | undefined {
  const { maxError, meanError, unequal, normalisedMax, normalisedMean, disagreements, worst } = exact;
  const [max, mean] = [fromReal(maxError), fromReal(meanError)];
  const all = [max, mean, ...[exact.componentwise, exact.normwise, exact.frobenius].map(fromReal)];
  if (all.some((x) => !(x >= 0))) return 'an error is below 0, or no number';
  if (mean > max) return `its mean error ${mean} is larger than its largest, ${max}`;
  if ((unequal === 0) !== (max === 0))
    return `its largest error is ${max}, and ${unequal} of its entries differ from the exact product`;
  if (disagreements > 0 && max < Infinity)
    return `${disagreements} of its entries are not finite where others are expected, and its largest error is ${max}`;
  if (worst !== undefined && fromReal(worst.error) !== max)
    return `its worst entry errs by ${worst.error}, and the largest error is ${max}`;
  if (!sameRatio([max, mean], [fromReal(normalisedMax), fromReal(normalisedMean)]))
    return 'its largest and its mean error are in another ratio than they are beside the mean of |C|';
  return bitsFault(exact);
}

/** Both errors are divided by the same number. */
function sameRatio([max, mean]: readonly [number, number], [x, y]: readonly [number, number]): boolean {
  const numbers = [max, mean, x, y];
  if (numbers.some((value) => value < LEAST || !Number.isFinite(value))) return true;
  return isNear(max / mean, x / y);
}

/** Below it, quotients of doubles lose digits. */
const LEAST = 2 ** -1000;
const isNear = (x: number, y: number): boolean => Math.abs(x - y) <= 1e-9 * Math.max(x, y);

/**
 * Bits are −log₂ of the largest error beside |A||B|, and `componentwise` is that error in unit roundoffs, so that both give a
 * unit roundoff: a power of two, or such a power and little more (pairs of numbers).
 */
function bitsFault({ bits, componentwise, maxError }: Measures): string | undefined {
  const [shown, ratio] = [fromReal(bits), fromReal(componentwise)];
  if (!(shown >= 0 && shown <= BITS_CAP)) return `its bits are ${shown}`;
  if (fromReal(maxError) === 0)
    return shown === BITS_CAP && ratio === 0 ? undefined : `it has no error, and ${shown} bits`;
  if (shown === 0 || shown === BITS_CAP || !Number.isFinite(ratio)) return undefined;
  const unit = -shown - Math.log2(ratio);
  return unit > -110 && unit <= 0
    ? undefined
    : `its bits are ${shown}, and its componentwise error ${ratio}: no precision has a unit roundoff of 2^${unit.toFixed(1)}`;
}
