import { ParanoiaError } from '../../../base/errors.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { npyParts, parseNpy } from '../../../matrix/npy.ts';
import { entriesFor } from '../../../matrix/operands.ts';
import type { Format } from '../../../precision/format.ts';
import type { Precision } from '../../../precision/precision.ts';
import type { Asked } from '../../answer.ts';
import type { Factors } from '../../kernel.ts';
import { kernelAnswer } from '../../messages.ts';

/** A .npy file in two parts, neither of which may be written to: its header, and its entries. */
export type NpyFile = ReturnType<typeof npyParts>;

/** A and B as .npy files. */
export interface OperandFiles {
  readonly a: NpyFile;
  readonly b: NpyFile;
}

/**
 * A and B as programs get them: binary16 for the precision f16, binary64 for f64 and f32x2, binary32 for the others.
 * Transposed operands are written in Fortran order, which is how their transposes lie in memory.
 */
export function dumpOperands({ operands: { a, b }, layout }: Factors, precision: Precision): OperandFiles {
  const dump = (x: Matrix, format: Format, columnMajor = false) => {
    const wide = entriesFor(format, 0).BYTES_PER_ELEMENT === 8;
    return npyParts(x, { columnMajor, type: format.native === 'f16' ? 'f2' : wide ? 'f8' : 'f4' });
  };
  return { a: dump(a, precision.a, layout?.transposeA), b: dump(b, precision.b, layout?.transposeB) };
}

/**
 * The product in a .npy file of float16, float32 or float64, in either order.
 * @param file what messages call it: `its D.npy`.
 * @throws ParanoiaError `kernel-answer` for anything but an m×n matrix.
 */
export function parseProduct(bytes: Uint8Array, asked: Asked, file: string): Matrix {
  const { m, n } = asked.shape;
  const d = parse(bytes, asked, file);
  if (d.rows !== m || d.cols !== n)
    throw kernelAnswer({ ...asked, why: `${file} is ${d.rows}×${d.cols}, not ${m}×${n}` });
  return d;
}

function parse(bytes: Uint8Array, asked: Asked, file: string): Matrix {
  try {
    return parseNpy(bytes, file);
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    // What those messages advise is meant for files that a person has saved.
    throw kernelAnswer({ ...asked, why: error.message.split('. ')[0] }, error);
  }
}
