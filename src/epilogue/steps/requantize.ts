import type { CodedFormat } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import { type Interval, withRoundings } from '../interval.ts';
import {
  codeOfZero,
  codeStep,
  type Settings,
  tensorParameter,
  wholeParameter,
  wordParameter,
} from '../parameters.ts';
import type { EpilogueStep, StepContext, StepFunction, StepNumbers } from '../step.ts';
import { type CodeConversion, codeOverflows, codeRoundings, floatTarget, wholeTarget } from '../target.ts';

const codes = ['int8', 'uint8', 'int4', 'uint4', 'e4m3', 'e5m2', 'e4m3fnuz', 'e5m2fnuz'];

const isWholeCode = ({ holds, minSubnormal }: CodedFormat) => !holds.nan && minSubnormal === 1;

const isPositive = (x: number) => x > 0 && x < Number.POSITIVE_INFINITY;

const conversionOf = ({ rounding, overflow, zeroPoint }: Settings): CodeConversion => ({
  rounding: rounding as CodeConversion['rounding'],
  overflow: overflow as CodeConversion['overflow'],
  zeroPoint: zeroPoint as number,
});

/** The formulas of x/scale: the quotient alone, or the product with the rounded reciprocal too. */
const formulas = ['either', 'quotient'] as const;

/**
 * Encloses products with the rounded reciprocal of a scale. They lie on one side of the quotient, so that a tie stays one on the other.
 * They need not be rounded themselves: a conversion that adds 1.5·2^23 may be fused with the product.
 */
function byReciprocal(x: Interval, by: StepNumbers<number>, { arithmetic, reals }: StepContext): Interval {
  const exact = reals.divide(reals.of(1), by('scale'));
  const { isNearest, format } = arithmetic;
  const reciprocal = isNearest ? reals.rounded(exact, format.round) : withRoundings(exact, arithmetic);
  return reals.multiply(x, reciprocal);
}

/** Divides by a scale and rounds to a format of few bits. */
export const requantize: EpilogueStep = {
  name: 'requantize',
  what: 'round(x/scale) + zeroPoint as a code; the last step',
  source: 'ONNX, QuantizeLinear',
  parameters: {
    to: wordParameter('format of the codes', codes),
    scale: {
      ...tensorParameter('step between codes', 'any', isPositive, ', finite and above 0'),
      draw: codeStep,
    },
    zeroPoint: { ...wholeParameter('code of 0', 0), draw: codeOfZero },
    rounding: wordParameter('rounding; nearest has ties to even', codeRoundings, 'nearest'),
    overflow: wordParameter(
      'beyond the range: its end, wrapped, or infinity and NaN',
      codeOverflows,
      'saturate',
    ),
    formula: wordParameter('x/scale is a quotient, or a product with 1/scale too', formulas, 'either'),
  },
  main: 'to',
  whyWrong({ to, zeroPoint, overflow }) {
    const format = formats.find(to as string);
    const { name, maxFinite, holds } = format;
    const isWhole = isWholeCode(format);
    if (!isWhole && zeroPoint !== 0) return `"zeroPoint" must be 0, since ${name} has none`;
    if (!isWhole && overflow === 'wraps')
      return `"overflow" must be saturate or special, since ${name} does not wrap`;
    if (isWhole && overflow === 'special')
      return `"overflow" must be saturate or wraps, since ${name} has no infinity and no NaN`;
    const least = holds.negative ? -maxFinite - 1 : 0;
    const point = zeroPoint as number;
    return isWhole && (point < least || point > maxFinite)
      ? `"zeroPoint" must be a number of ${name}, from ${least} to ${maxFinite}, but is ${point}`
      : undefined;
  },
  of: (settings) => codesOf(settings, conversionOf(settings)),
};

function codesOf({ to, formula }: Settings, how: CodeConversion): StepFunction {
  const format = formats.find(to as string);
  return {
    at: (x, by, reals) => reals.divide(x, by('scale')),
    ...{ shape: 'arithmetic', rounds: true },
    ...(formula === 'quotient' ? {} : { other: byReciprocal }),
    target: isWholeCode(format) ? wholeTarget(format, how) : floatTarget(format, how),
  };
}

/** Returns the function of a requantization that rounds down, which is a mistake. */
export const flooredCodes = (settings: Settings): StepFunction =>
  codesOf(settings, { ...conversionOf(settings), rounding: 'down' });
