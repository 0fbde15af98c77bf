import { exponentOf } from '../../base/binary64.ts';
import type { CodedFormat } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import { gamma } from '../arithmetic.ts';
import {
  type CodeConversion,
  codeOverflows,
  codeRoundings,
  floatTarget,
  wholeTarget,
} from '../code-targets.ts';
import { type Interval, sizeOf } from '../interval.ts';
import { type Settings, tensorParameter, wholeParameter, wordParameter } from '../parameters.ts';
import type { EpilogueStep } from '../step.ts';

const codes = ['int8', 'uint8', 'int4', 'uint4', 'e4m3', 'e5m2', 'e4m3fnuz', 'e5m2fnuz'];

const isWholeCode = ({ holds, minSubnormal }: CodedFormat) => !holds.nan && minSubnormal === 1;

/** True for a single power of two, whose reciprocal is exact. */
const isPowerOfTwo = ({ lo, hi }: Interval) => lo === hi && 2 ** exponentOf(lo) === lo;

const isPositive = (x: number) => x > 0 && x < Number.POSITIVE_INFINITY;

const conversionOf = ({ rounding, overflow, zeroPoint }: Settings): CodeConversion => ({
  rounding: rounding as CodeConversion['rounding'],
  overflow: overflow as CodeConversion['overflow'],
  zeroPoint: zeroPoint as number,
});

/**
 * Divides by a scale and rounds to a format of few bits. A product with the rounded reciprocal, which errs by one rounding more than the
 * quotient, is right too.
 */
export const requantize: EpilogueStep = {
  name: 'requantize',
  what: 'round(x/scale) + zero point, as a code of few bits; the last step',
  source: 'ONNX, QuantizeLinear',
  parameters: {
    to: wordParameter('format of the codes', codes),
    scale: tensorParameter('step between codes', 'any', isPositive, ', finite and above 0'),
    zeroPoint: wholeParameter('code of 0', 0),
    rounding: wordParameter('rounding; ties of nearest go to even', codeRoundings, 'nearest'),
    overflow: wordParameter(
      'result beyond the range: the largest number, the last bits, or infinity or else NaN',
      codeOverflows,
      'saturate',
    ),
  },
  main: 'to',
  whyWrong({ to, zeroPoint, overflow }) {
    const format = formats.find(to as string);
    const { name, maxFinite, holds } = format;
    const isWhole = isWholeCode(format);
    if (!isWhole && zeroPoint !== 0) return `its zeroPoint must be 0, since ${name} has none`;
    if (!isWhole && overflow === 'wraps')
      return `its overflow must be saturate or special, since ${name} does not wrap`;
    if (isWhole && overflow === 'special')
      return `its overflow must be saturate or wraps, since ${name} has no infinity and no NaN`;
    const least = holds.negative ? -maxFinite - 1 : 0;
    const point = zeroPoint as number;
    return isWhole && (point < least || point > maxFinite)
      ? `its zeroPoint must be a number of ${name}, from ${least} to ${maxFinite}, but is ${point}`
      : undefined;
  },
  of(settings) {
    const format = formats.find(settings.to as string);
    const how = conversionOf(settings);
    return {
      at: (x, by, reals) => reals.divide(x, by('scale')),
      ...{ shape: 'arithmetic', rounds: true },
      error: (_, y, by, { arithmetic }) => (isPowerOfTwo(by('scale')) ? 0 : gamma(1, arithmetic) * sizeOf(y)),
      target: isWholeCode(format) ? wholeTarget(format, how) : floatTarget(format, how),
    };
  },
};
