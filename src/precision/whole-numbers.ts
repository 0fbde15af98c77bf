import type { RealArray } from '../matrix/dense.ts';
import { addProduct } from './add-product.ts';
import { emulated } from './arithmetic.ts';
import type { Format } from './format.ts';
import { i32 } from './formats/i32.ts';
import { int8 } from './formats/int8.ts';
import type { HostNumbers, Precision } from './precision.ts';
import { whole } from './wgsl/whole.ts';

/** The format of exact sums as 32-bit integers, kept in doubles. Sums out of range wrap or saturate, if that is claimed. */
const sums: Format = { ...i32, bytes: 8, unitRoundoff: 0 };

const numbers: HostNumbers = {
  create: (length) => new Float64Array(length),
  // Integers have no −0.
  negate: (a) => 0 - a,
  add: (a, b) => a + b,
  multiplyAdd: (c, x, sum) => c * x + sum + 0,
  multiply(x: RealArray, y: RealArray, shape, out: RealArray) {
    out.fill(0);
    addProduct(Float64Array.from(x), Float64Array.from(y), shape, out as Float64Array);
  },
};

/** Returns a precision of whole numbers of few bits, multiplied and added exactly in 32 bits. */
export function wholePrecision(a: Format, b: Format = a): Precision {
  const pair = a === b ? a.name : `${a.name} (A) and ${b.name} (B)`;
  // The whole numbers that both formats hold.
  const both: Format = a === b ? a : { ...a, integerBits: Math.min(a.integerBits, b.integerBits) };
  return {
    name: `${a.name}-i32`,
    what: `${pair} entries, multiplied and added exactly in integers of 32 bits`,
    source: 'ONNX, MatMulInteger',
    ...{ a: both, b, c: sums, d: sums, multiplied: both, accumulated: sums },
    host: () => numbers,
    async wgsl(device) {
      const areInt8 = a === int8 && b === int8;
      const dot = areInt8 && (await device.packedDots()) ? 'dot4I8Packed' : undefined;
      return { numeric: { ...whole, dot }, arithmetic: emulated };
    },
  };
}
