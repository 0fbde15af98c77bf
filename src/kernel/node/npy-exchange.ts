import { type Matrix, matrix } from '../../matrix/dense.ts';
import { dumpNpy, parseNpy } from '../../matrix/npy.ts';
import { Problem } from '../../problems.ts';
import { type Asked, heldIn, noProduct } from '../answer.ts';
import { layOut } from '../operands.ts';
import type { Call } from '../user-kernel.ts';

/**
 * A and B as .npy files: binary16 for the precision f16, binary64 for f64 and f32x2, binary32 for the others. Transposed
 * operands are written in Fortran order, which is how their transposes lie in memory.
 */
export function dumpOperands(a: Matrix, b: Matrix, { precision }: Asked, { layout }: Call) {
  const dump = ({ rows, cols, ...x }: Matrix, columnMajor: boolean) => {
    const data = layOut({ rows, cols, ...x }, precision, false, 0);
    const type = precision.stored.bytes === 2 ? ({ type: 'f2' } as const) : {};
    return dumpNpy(matrix(rows, cols, data), { columnMajor, ...type });
  };
  return { a: dump(a, layout.transposeA), b: dump(b, layout.transposeB) };
}

/**
 * C from the bytes of a .npy file of float16, float32 or float64, in either order.
 * @throws Problem `kernel-answer` for anything but an m×n matrix whose entries the stored format holds.
 */
export function parseProduct(bytes: Uint8Array, asked: Asked): Matrix {
  const { m, n } = asked.shape;
  const c = parse(bytes, asked);
  if (c.rows !== m || c.cols !== n) throw noProduct(asked, `its C.npy is ${c.rows}×${c.cols}, not ${m}×${n}`);
  return heldIn(c.data, asked);
}

function parse(bytes: Uint8Array, asked: Asked): Matrix {
  try {
    return parseNpy(bytes, 'its C.npy');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // What those messages advise is meant for files that a person has saved.
    throw noProduct(asked, error.message.split('. ')[0], error);
  }
}
