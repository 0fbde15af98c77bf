import { ParanoiaError } from '../../../base/errors.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { extentsOf, isDense, linesOf, stepsOf } from '../../../matrix/gemm.ts';
import { readsFactors } from '../../../matrix/members.ts';
import { npyParts, parseNpy } from '../../../matrix/npy.ts';
import { entriesFor } from '../../../matrix/operands.ts';
import { type LaidOperands, layOutAll } from '../../../precision/laid-operands.ts';
import type { Precision } from '../../../precision/precision.ts';
import type { Asked } from '../../answer.ts';
import { type Factors, gemmOf } from '../../kernel.ts';
import { kernelAnswer } from '../../messages.ts';

/** A .npy file in two parts, neither of which may be written to: its header, and its entries. */
export type NpyFile = ReturnType<typeof npyParts>;

/** A and B as .npy files, and C where it is read. */
export interface OperandFiles {
  readonly a: NpyFile;
  readonly b: NpyFile;
  readonly c?: NpyFile | undefined;
}

/** Matrices as they are, those of a batch one below the other: for hosts that lay them out themselves. */
export function stackedFiles({ operands: { a, b, c } }: Factors): OperandFiles {
  return { a: npyParts(a), b: npyParts(b), c: c && npyParts(c) };
}

/**
 * Operands as programs get them: binary16 for the precision f16, binary64 for f64 and f32x2, binary32 for the others. One
 * dense matrix is a matrix in C order, or in Fortran's where its columns lie one after the other, which is all that a
 * program needs to know; what lies in any other way is a list of all entries of its memory, laid out as `problem` says.
 */
export function dumpOperands(factors: Factors, precision: Precision): OperandFiles {
  const gemm = gemmOf(factors);
  const extents = extentsOf(gemm);
  let laid: LaidOperands | undefined;
  const dump = (name: 'a' | 'b' | 'c', x: Matrix) => {
    const format = precision[name];
    const wide = entriesFor(format, 0).BYTES_PER_ELEMENT === 8;
    const type = format.native === 'f16' ? 'f2' : wide ? 'f8' : 'f4';
    const isRead = name === 'c' || readsFactors(gemm);
    const columnMajor = stepsOf(gemm[name]).row === 1 && !isDense(gemm[name], extents[name], 1);
    const lines = linesOf(gemm[name], extents[name]);
    const gapless = gemm[name].ld === Math.max(1, lines.entries) && gemm[name].offset === 0;
    if (gemm.batch === 1 && gapless && isRead) return npyParts(x, { columnMajor, type });
    laid ??= layOutAll(factors.operands, gemm, precision);
    const data = laid[name];
    return npyParts({ rows: 1, cols: data.length, data }, { type, flat: true });
  };
  const { a, b, c } = factors.operands;
  const withC = gemm.beta === 0 || c === undefined ? {} : { c: dump('c', c) };
  return { a: dump('a', a), b: dump('b', b), ...withC };
}

/**
 * The product in a .npy file of float16, float32 or float64, in either order; of a batch in three dimensions, or one matrix
 * below the other.
 * @param file what messages call it: `its D.npy`.
 * @throws ParanoiaError `kernel-answer` for anything but an m×n matrix, as often as was asked.
 */
export function parseProduct(bytes: Uint8Array, asked: Asked, file: string): Matrix {
  const { m, n, batch } = asked.shape;
  const d = parse(bytes, asked, file);
  if (d.rows === batch * m && d.cols === n) return d;
  const need =
    batch === 1 ? `${m}×${n}` : `${batch}×${m}×${n}, the products of the batch one behind the other`;
  throw kernelAnswer({ ...asked, why: `${file} is ${d.rows}×${d.cols}, not ${need}` });
}

function parse(bytes: Uint8Array, asked: Asked, file: string): Matrix {
  try {
    return parseNpy(bytes, file, true);
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    // What those messages advise is meant for files that a person has saved.
    throw kernelAnswer({ ...asked, why: error.message.split('. ')[0] }, error);
  }
}
