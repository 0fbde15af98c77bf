import type { Matrix } from '../../matrix/dense.ts';
import { lineAccessOf, listBlocks, type Region, scaleSize } from '../coding/blocks.ts';
import { f16 } from '../format.ts';
import type { QuantizedOperand } from './claimed-activations.ts';
import { type CodedBlock, codeBlock } from './code-block.ts';

/** An operand as a kernel multiplies it after quantization. */
export interface OperandReading {
  /** The numbers that the codes of the first sequence of operations stand for. */
  readonly decoded: Matrix<Float64Array>;
  /** The most by which the other sequences change each number; infinite where a factor overflows. */
  readonly doubt: Float64Array;
  /** The most by which the kept sum of each block differs from the sum of its decoded numbers, block by block; absent without sums. */
  readonly sums?: Matrix<Float64Array> | undefined;
  /** True if no number changed, and all factors are powers of two: then sums of whole numbers stay whole. */
  readonly isUnchanged: boolean;
}

/** Quantizes a matrix, with its size after op, as the documented sequences of a scheme do. */
export function readOperand(x: Matrix, { of, scheme, block, steps }: QuantizedOperand): OperandReading {
  const { lines, entries, at } = lineAccessOf(x, of);
  const decoded = new Float64Array(x.data.length);
  const doubt = new Float64Array(x.data.length);
  const { rows, cols } = scaleSize(x, of, block);
  const sums: number[] = [];
  let isUnchanged = true;
  for (const region of listBlocks({ lines: [0, lines], entries: [0, entries] }, block)) {
    const places = placesOf(region, at);
    const values = Float64Array.from(places, (place) => x.data[place]);
    const all = steps.map((one) => codeBlock(values, scheme, one));
    const [first] = all;
    for (const [e, place] of places.entries()) {
      decoded[place] = numberOf(first, e);
      doubt[place] = Math.max(...all.map((one) => one.doubt + Math.abs(numberOf(one, e) - decoded[place])));
    }
    sums.push(Math.max(...all.map((one) => errorOfSum(values, one))));
    isUnchanged &&= isPower(first.kept) && places.every((place) => decoded[place] === x.data[place]);
  }
  return {
    decoded: { rows: x.rows, cols: x.cols, data: decoded },
    ...{ doubt, isUnchanged },
    ...(scheme.hasSums === true ? { sums: { rows, cols, data: Float64Array.from(sums) } } : {}),
  };
}

function placesOf({ lines, entries }: Region, at: (line: number, entry: number) => number): number[] {
  const places: number[] = [];
  for (let line = lines[0]; line < lines[1]; line++) {
    for (let entry = entries[0]; entry < entries[1]; entry++) places.push(at(line, entry));
  }
  return places;
}

/** A zero has no sign, whatever the sign of its factor. */
const numberOf = ({ codes, zero, kept }: CodedBlock, e: number): number => (codes[e] - zero) * kept + 0;

/** True for powers of two, and for 0. */
const isPower = (x: number): boolean => x === 0 || Math.log2(Math.abs(x)) % 1 === 0;

/**
 * Bounds the error of a kept sum: that of its codes times the factor, or of the numbers themselves added in binary32, rounded to binary16.
 */
function errorOfSum(values: Float64Array, { codes, factor, kept, doubt }: CodedBlock): number {
  const ofCodes = codes.reduce((sum, code) => sum + code, 0);
  const [ofValues, size] = values.reduce(([sum, all], x) => [sum + x, all + Math.abs(x)], [0, 0]);
  const byCodes = Math.abs(f16.round(Math.fround(ofCodes * factor)) - ofCodes * kept);
  const rounding = f16.unitRoundoff * Math.abs(ofValues) + f16.minSubnormal;
  const byValues = Math.abs(ofValues - ofCodes * kept) + rounding + 2 ** -23 * values.length * size;
  return Math.max(byCodes, byValues) + 2 * values.length * doubt;
}
