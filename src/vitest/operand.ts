import type { ProductOptions } from '../evidence/judge-product.ts';
import { type Matrix, matrix, type RealArray } from '../matrix/dense.ts';
import { badOperand, shapesDiffer } from '../matrix/messages.ts';
import type { CodedMatrix } from '../matrix/operands.ts';
import type { Precision } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';

/** A matrix as tests write it: one of ours, or rows of numbers. */
export type MatrixLike = Matrix | readonly (readonly number[])[];

/**
 * Returns a matrix with entries of the claimed precision.
 * @param name its name in messages: "A"
 * @throws ParanoiaError `shapes-differ` for rows of different lengths; `bad-operand` for a value that is no matrix, or for
 * entries that the precision cannot hold
 */
export function asMatrix(name: string, given: unknown, { precision = 'f32' }: ProductOptions): Matrix {
  const { a: stored, name: title } = precisions.find(precision);
  const found = isRows(given) ? ofRows(name, given) : given;
  if (!isMatrix(found)) {
    const why = 'it must be { rows, cols, data } with a Float32Array or Float64Array, or rows of numbers';
    throw badOperand({ name, why });
  }
  const { rows, cols, data } = matrix(found.rows, found.cols, found.data);
  const at = data.findIndex((x) => !Object.is(stored.round(x), x));
  if (at >= 0) {
    const place = `(${Math.floor(at / cols)}, ${at % cols})`;
    throw badOperand({ name, why: `entry ${place} is ${data[at]}, which is no ${title} number` });
  }
  return { rows, cols, data: sized(data, precisions.find(precision)) };
}

/** Returns A or B: as {@link asMatrix} does, or as elements and factors of blocks. */
export const asOperand = (name: string, given: unknown, options: ProductOptions): Matrix | CodedMatrix =>
  isCoded(given) ? given : asMatrix(name, given, options);

const isCoded = (value: unknown): value is CodedMatrix =>
  typeof value === 'object' && value !== null && 'elements' in value && 'scales' in value;

const sized = (data: RealArray, { a: stored }: Precision): RealArray =>
  stored.bytes > 4 ? Float64Array.from(data) : Float32Array.from(data);

function isRows(value: unknown): value is readonly (readonly number[])[] {
  return Array.isArray(value) && value.every((row) => Array.isArray(row) || ArrayBuffer.isView(row));
}

function ofRows(name: string, rows: readonly (readonly number[])[]): Matrix {
  const cols = rows[0]?.length ?? 0;
  const uneven = rows.findIndex((row) => row.length !== cols);
  if (uneven >= 0) {
    throw shapesDiffer({
      a: `row 0 of ${name} has ${cols} entries`,
      b: `row ${uneven} has ${rows[uneven].length}`,
      why: 'all rows of a matrix have the same length',
    });
  }
  return matrix(rows.length, cols, Float64Array.from(rows.flatMap((row) => [...row])));
}

function isMatrix(value: unknown): value is Matrix {
  if (typeof value !== 'object' || value === null || !('data' in value)) return false;
  return value.data instanceof Float32Array || value.data instanceof Float64Array;
}
