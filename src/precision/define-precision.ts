import type { Item } from '../base/registry.ts';
import { emulated } from './arithmetic.ts';
import { type Format, f32, holdsAll } from './format.ts';
import { badPrecision } from './messages.ts';
import { narrowNumbers } from './modeled-arithmetic.ts';
import { type HostNumbers, type Precision, setStoredFormat } from './precision.ts';
import { singleNumbers } from './single.ts';
import { type Numeric, single, type Width } from './wgsl/numeric.ts';
import { type RoundingFunction, roundingFunction } from './wgsl/rounding.ts';

/** The formats of a precision that is computed in binary32. */
export interface PrecisionSpec extends Item {
  /** The format of A, B, C and D, which lie in memory as binary32. */
  readonly stored: Format;
  /** The format of C and D. Sums are rounded to it once more if it is narrower. @defaultValue the stored format */
  readonly result?: Format;
  /** The format to which leaf products round their operands. @defaultValue the stored format: they do not */
  readonly multiplied?: Format;
  /** The format to which every sum and product is rounded. @defaultValue the stored format */
  readonly accumulated?: Format;
}

/**
 * Defines a precision by its formats, as made by `binaryFormat`. The numbers of the bit-exact model and the device's WGSL follow from
 * them. Sums are binary32's own, or of a format so narrow that the rounding to binary32 before its own changes nothing.
 * @throws ParanoiaError `bad-precision` for formats that binary32 cannot represent.
 */
export function definePrecision({ stored, result = stored, ...rest }: PrecisionSpec): Precision {
  const { multiplied = stored, accumulated = stored } = rest;
  const why = refusal({ stored, result, multiplied, accumulated });
  if (why !== undefined) throw badPrecision({ precision: rest.name, why });
  const formats = { ...rest, ...setStoredFormat(stored), c: result, d: result, multiplied, accumulated };
  const operand = multiplied === stored ? undefined : multiplied;
  const last = () =>
    holdsAll(result, accumulated) ? {} : { result: roundingFunction('roundResult', result) };
  if (accumulated === f32) {
    const own = () => (operand === undefined ? single : mixed(roundingFunction('roundOperand', operand)));
    return {
      ...formats,
      host: (arithmetic) => roundingOperands(singleNumbers(arithmetic), operand),
      wgsl:
        operand?.split === undefined
          ? ({ arithmetic }) => ({ numeric: { ...own(), ...last() }, arithmetic })
          : 'no built-in shader splits operands into parts',
    };
  }
  return {
    ...formats,
    host: (arithmetic) => roundingOperands(narrowNumbers(accumulated, arithmetic), operand),
    wgsl: () => ({
      numeric: { ...makeNarrowNumeric(accumulated, operand), ...last() },
      arithmetic: emulated,
    }),
  };
}

/** Returns the same numbers with leaf products that round their operands first. */
function roundingOperands(numbers: HostNumbers, to: Format | undefined): HostNumbers {
  if (to === undefined) return numbers;
  const multiply: HostNumbers['multiply'] = (x, y, shape, out) =>
    numbers.multiply(x.map(to.round), y.map(to.round), shape, out);
  return { ...numbers, multiply };
}

function refusal({
  stored,
  result,
  multiplied,
  accumulated,
}: Required<Pick<PrecisionSpec, 'stored' | 'result' | 'multiplied' | 'accumulated'>>): string | undefined {
  const wide = [stored, result, multiplied, accumulated].find((format) => !holdsAll(f32, format));
  if (wide !== undefined) return `${wide.name} has numbers that binary32 does not hold`;
  if (accumulated === f32 || (isNarrow(multiplied) && isNarrow(accumulated))) return undefined;
  return 'sums outside binary32 need formats of at most 11 bits whose products fit binary32';
}

/** True if binary32 holds every product of two numbers as a normal number: it can then neither flush a product nor round it twice. */
const isNarrow = ({ precision, minSubnormal, maxFinite }: Format): boolean =>
  2 * precision + 2 <= 24 && minSubnormal ** 2 >= f32.minNormal && maxFinite ** 2 <= f32.maxFinite;

/** Returns a call of a rounding function in WGSL. */
const rounded = ({ name }: RoundingFunction, value: string, width: Width): string =>
  `${name}${width === 1 ? '' : '4'}(${value})`;

/** Returns binary32 with leaf products that round their operands first, like the matrix units of GPUs. */
const mixed = (rounding: RoundingFunction): Numeric => ({
  ...single,
  prelude: rounding.declaration,
  prepare: (entry, width) => rounded(rounding, entry, width),
});

/**
 * Returns a narrow format in binary32, with every product and every sum rounded. A rounding to 24 bits before the one to p changes
 * nothing if 24 ≥ 2p + 2 (Figueroa, *When is double rounding innocuous?*, 1995).
 * @param operand the format, if any, to which operands are rounded before they are multiplied.
 */
export function makeNarrowNumeric(format: Format, operand?: Format): Numeric {
  const rounding = roundingFunction('roundSum', format);
  const first = operand && roundingFunction('roundOperand', operand);
  const round = (value: string, width: Width) => rounded(rounding, value, width);
  return {
    ...single,
    prelude: `${rounding.declaration}${first === undefined ? '' : `\n${first.declaration}`}`,
    // With two roundings a multiply-add, code for four entries at a time takes longer to compile than it saves.
    lanes: false,
    constant: (x, width) => single.constant(format.round(x), width),
    prepare: (entry, width) => (first === undefined ? entry : rounded(first, entry, width)),
    multiplyAdd: (x, y, sum, width) => round(`${round(`${x} * ${y}`, width)} + ${sum}`, width),
    add: (a, b, width) => round(`${a} + ${b}`, width),
    subtract: (a, b, width) => round(`${a} - ${b}`, width),
  };
}
