import { type Matrix, matrix } from '../matrix/dense.ts';
import { allocateEntries, type CodedMatrix } from '../matrix/operands.ts';
import { lineAccessOf, type Operand, scaleSize } from '../precision/coding/coding.ts';
import { decodeValid } from '../precision/coding/decode-coded.ts';
import type { Format } from '../precision/format.ts';
import { factorNear, isSigned, type OperandFormat, orFiller, UNSCALED } from './operand-format.ts';

/** An operand, with its codes where it is coded. */
export interface MadeOperand {
  readonly matrix: Matrix;
  readonly coded?: CodedMatrix | undefined;
}

type Size = Pick<Matrix, 'rows' | 'cols'>;

/** Returns a number of an operand by its line (a row of A or a column of B) and its place along k. */
export type OperandNumber = (line: number, place: number) => number;

/** Returns the factor of a block by its first line and place, for the scales of a coding at `level`. */
export type OperandFactor = (line: number, place: number, level: number) => number;

/**
 * Makes an operand of given elements and factors.
 * @param stored the format of the numbers, where the operand is not coded.
 * @param factor the factor of every block; 1 by default.
 */
export function madeOperand(
  { of, coding, format, zero }: OperandFormat,
  size: Size,
  stored: Format,
  element: OperandNumber,
  factor: OperandFactor = () => UNSCALED,
): MadeOperand {
  const length = size.rows * size.cols;
  const data = coding === undefined ? allocateEntries(stored, length) : new Float32Array(length);
  eachNumber(size, of, (line, place, at) => {
    data[at] = orFiller(element(line, place), format) + zero;
  });
  if (coding === undefined) return { matrix: matrix(size.rows, size.cols, data) };
  const scales = coding.scales.map((block, level) => {
    const { rows, cols } = scaleSize(size, of, block);
    const [high, long] = [block.lines, block.entries].map((length) => (Number.isFinite(length) ? length : 0));
    const chosen = Float32Array.from({ length: rows * cols }, (_, e) =>
      block.subtracted === true ? 0 : factor(Math.floor(e / cols) * high, (e % cols) * long, level),
    );
    return { rows, cols, data: chosen };
  });
  const [{ rows, cols }] = scales;
  const zeros = coding.zero && { rows, cols, data: new Float32Array(rows * cols).fill(zero) };
  const made = { elements: { ...size, data }, scales, ...(zeros === undefined ? {} : { zeros }) };
  return { matrix: decodeValid(made, of, coding), coded: made };
}

/** Visits the numbers row by row. */
function eachNumber(
  { rows, cols }: Size,
  of: Operand,
  each: (line: number, place: number, at: number) => void,
) {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) each(of === 'a' ? i : j, of === 'a' ? j : i, i * cols + j);
  }
}

/** Number of exponents below 1 that factors are drawn from. */
const DRAWN = 4;

/**
 * Makes an operand near to given numbers of magnitudes up to about 1. Elements cover about half their range. Factors differ between blocks,
 * but depend only on the contents of the block. So a line has the same factors wherever it stands.
 */
export function nearOperand(
  side: OperandFormat,
  size: Size,
  stored: Format,
  number: OperandNumber,
): MadeOperand {
  const { format, coding } = side;
  const unit = side.isFew ? unitOf(format) : 1;
  const held = (x: number) => {
    const scaled = x * unit;
    return format.round(Math.min(format.maxFinite, Math.max(-format.maxFinite, scaled)));
  };
  const { at } = lineAccessOf(size, side.of);
  const drawn = new Float64Array(size.rows * size.cols);
  eachNumber(size, side.of, (line, place, here) => {
    drawn[here] = number(line, place);
  });
  const element: OperandNumber = (line, place) => {
    const x = drawn[at(line, place)];
    return held(isSigned(side) ? x : Math.abs(x));
  };
  const factor: OperandFactor = (line, place, level) => {
    const scale = coding?.scales[level];
    if (scale === undefined) return UNSCALED;
    // Factors that lines share are the same for all operands. Otherwise a row would depend on the rows beside it.
    const part = scale.lines > 1 ? 0.37 : digestOf(drawn[at(line, place)]);
    return factorNear((1 + part) * 2 ** -Math.floor(DRAWN * ((part * 8) % 1)), scale);
  };
  return madeOperand(side, size, stored, element, factor);
}

/** Returns the factor that scales numbers up to 1 to elements. */
function unitOf({ maxFinite, minNormal, precision }: Format): number {
  const isNarrow = maxFinite < 2 ** (precision + 4) * minNormal;
  return isNarrow ? 2 ** Math.floor(Math.log2(maxFinite)) : 1;
}

/** Returns a digest of a number's last bits, on [0, 1). */
const digestOf = (x: number): number => (Math.abs(x) * 2 ** 12) % 1;
