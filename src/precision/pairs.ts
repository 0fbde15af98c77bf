import { loadPart } from '../base/part.ts';
import type { RealArray } from '../matrix/dense.ts';
import type { Arithmetic } from './arithmetic.ts';
import { f32x2 } from './format.ts';
import { arithmetic32, type Operations } from './modeled-arithmetic.ts';
import { decodePair, encodePair, highOf, lowOf, pairOf } from './pair.ts';
import { type HostNumbers, type Precision, setStoredFormat } from './precision.ts';

const piece = new Float32Array(1);
const pieceBits = new Uint32Array(piece.buffer);

/** Returns the leading 12 bits of a binary32 number; the remainder has at most 12 bits. */
function leading(x: number): number {
  piece[0] = x;
  pieceBits[0] &= 0xfffff000;
  return piece[0];
}

/**
 * Returns float-float numbers with the device's binary32 operations: sums by the accurate algorithm, products by the one with four
 * partial products less the smallest (Joldes, Muller, Popescu 2017, Algorithms 6 and 10). The error of a product is found by Dekker's
 * method on pieces cut by bit masks. WGSL repeats it operation by operation.
 */
function pairNumbers(arithmetic: Arithmetic): HostNumbers {
  const { addParts, addProductParts } = operations(arithmetic32(arithmetic));
  const neverFlushed = operations(arithmetic32(KEEPING)).addProductParts;
  return {
    create: (length) => new Float64Array(length),
    encode: encodePair,
    decode: decodePair,
    negate: (x) => pairOf(-highOf(x), -lowOf(x)),
    add: (a, b) => addParts(highOf(a), lowOf(a), highOf(b), lowOf(b)),
    multiplyAdd: (c, x, sum) => addProductParts(highOf(c), lowOf(c), highOf(x), lowOf(x), sum),
    multiply(x: RealArray, y: RealArray, { m, k, n }, out: RealArray) {
      out.fill(0);
      const addProduct = neverSubnormal(x, y) ? neverFlushed : addProductParts;
      for (let i = 0; i < m; i++) {
        for (let p = 0; p < k; p++) {
          const [xh, xl] = [highOf(x[i * k + p]), lowOf(x[i * k + p])];
          for (let j = 0; j < n; j++) {
            const other = y[p * n + j];
            out[i * n + j] = addProduct(xh, xl, highOf(other), lowOf(other), out[i * n + j]);
          }
        }
      }
    },
  };
}

const KEEPING = { fma: 'twice', subnormals: 'kept' } as const;

/**
 * True if nothing can be subnormal. All intermediate results are multiples of the product of the operands' last bits, and a piece of an
 * operand is a multiple of its own last bit. If these are normal numbers, flushing cannot happen.
 */
function neverSubnormal(x: RealArray, y: RealArray): boolean {
  const [ofX, ofY] = [lastBit(x), lastBit(y)];
  return Math.min(ofX, ofY, ofX + ofY) >= -126;
}

/** Returns the exponent of the least bit set in any part of any pair. */
function lastBit(pairs: RealArray): number {
  const words = new Uint32Array(pairs.buffer, pairs.byteOffset, 2 * pairs.length);
  let least = Number.POSITIVE_INFINITY;
  for (const word of words) {
    if ((word & 0x7fffffff) === 0) continue;
    const exponent = (word >>> 23) & 0xff;
    const significand = (word & 0x7fffff) | (exponent === 0 ? 0 : 0x800000);
    const trailing = 31 - Math.clz32(significand & -significand);
    least = Math.min(least, Math.max(exponent, 1) - 150 + trailing);
  }
  return least;
}

function operations({ add, mul }: Operations) {
  const addParts = (ah: number, al: number, bh: number, bl: number): number => {
    const sh = add(ah, bh);
    const sb = add(sh, -ah);
    const sl = add(add(ah, -add(sh, -sb)), add(bh, -sb));
    const th = add(al, bl);
    const tb = add(th, -al);
    const tl = add(add(al, -add(th, -tb)), add(bl, -tb));
    const c = add(sl, th);
    const vh = add(sh, c);
    const w = add(tl, add(c, -add(vh, -sh)));
    const zh = add(vh, w);
    return pairOf(zh, add(w, -add(zh, -vh)));
  };
  const addProductParts = (xh: number, xl: number, yh: number, yl: number, sum: number): number => {
    const p = mul(xh, yh);
    const [x1, y1] = [leading(xh), leading(yh)];
    const [x2, y2] = [add(xh, -x1), add(yh, -y1)];
    const e1 = add(mul(x1, y1), -p);
    const e2 = add(e1, mul(x1, y2));
    const e3 = add(e2, mul(x2, y1));
    const e = add(e3, mul(x2, y2));
    const cross = add(mul(xh, yl), mul(xl, yh));
    const low = add(e, cross);
    const ph = add(p, low);
    const pl = add(low, -add(ph, -p));
    return addParts(highOf(sum), lowOf(sum), ph, pl);
  };
  return { addParts, addProductParts };
}

export const pairPrecision: Precision = {
  name: 'f32x2',
  what: 'pairs of binary32, about 48 bits',
  source: 'Joldes, Muller, Popescu 2017, Algorithms 6 and 10',
  ...setStoredFormat(f32x2),
  multiplied: f32x2,
  accumulated: f32x2,
  host: pairNumbers,
  async wgsl(device) {
    const lost = await device.losesErrors();
    if (lost !== undefined) return lost;
    const { pairs } = await loadPart('computes pairs in shaders', () => import('./wgsl/pairs.ts'));
    return { numeric: pairs, arithmetic: { ...device.arithmetic, exceptions: f32x2.exceptions } };
  },
};
