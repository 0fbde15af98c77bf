import { computeOnce } from '../../base/memo.ts';
import { type CodedFormat, type Format, f32 } from '../format.ts';
import type { Precision } from '../precision.ts';
import { singleNumbers } from '../single.ts';
import { single } from '../wgsl/numeric.ts';
import { roundingFunction } from '../wgsl/rounding.ts';
import { type Coding, decodedFormat, hasWholeScales, type OperandCodings } from './coding.ts';

/**
 * Builds a precision of coded operands with sums in binary32. Its kernels may multiply by the factors before or after they sum, block by
 * block. Each level of factors that are not powers of two costs one rounding for each operand.
 * @param result the format of C and D if it is narrower: complete sums are rounded to it once more.
 */
export function scaledPrecision({ coded, ...item }: OperandCodings, result?: CodedFormat): Precision {
  const { a: codingA, b: codingB } = coded;
  const codings = [codingA, codingB].filter((one) => one !== undefined);
  const [a, b] = [codingA, codingB].map((coding) => (coding === undefined ? f32 : decodedAs(coding)));
  const roundings = Math.max(...codings.map(roundingsOf));
  const largest = (coding?: Coding) => coding?.element.maxFinite ?? 1;
  const lost = largest(codingA) * largest(codingB);
  const numeric = () =>
    result === undefined ? single : { ...single, result: roundingFunction('roundResult', result) };
  return {
    ...(result === undefined ? item : narrowed(item, result)),
    ...{ a, b, c: result ?? f32, d: result ?? f32, multiplied: roundings === 0 && a === b ? a : f32 },
    // A product of factors may underflow even if those of elements and factors do not.
    accumulated: { ...f32, underflow: { kept: 1 + lost, flushed: 3 + lost } },
    coded,
    decoding: { roundings },
    host: singleNumbers,
    wgsl: codings.some(hasWholeScales)
      ? 'no built-in shader reads superblocks'
      : ({ arithmetic }) => ({ numeric: numeric(), arithmetic }),
  };
}

/** Names a precision like the others: entries, sums, results. */
const narrowed = ({ name, what, source }: Omit<OperandCodings, 'coded'>, result: CodedFormat) => ({
  name: `${name}-f32-${result.name}`,
  what: `${what}, summed in binary32, results rounded to ${result.name}`,
  source,
});

/** The significand bits of powers of two; multiplying by them rounds nothing. */
const POWER_OF_TWO = 1;

/** Returns the number of roundings of an operand when it is multiplied by its factors, and its minimum is subtracted. */
const roundingsOf = ({ scales }: Coding): number =>
  scales.filter(({ format }) => format.precision > POWER_OF_TWO).length;

const formats = new Map<string, Format>();

/** Returns the format of the decoded numbers, shared by all codings with the same format. A NaN among elements is a NaN of this format. */
function decodedAs(coding: Coding): Format {
  const wide = decodedFormat(coding);
  const exceptions = coding.element.holds.nan;
  return computeOnce(formats, [wide.name, exceptions].join(), () => ({ ...wide, exceptions }));
}
