import type { InputFamily, InputPair } from '../inputs/input.ts';
import type { Kernel, ProductInput } from '../kernels/kernel.ts';
import { embedLeft, embedRight } from '../matrix/complex.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';

/** Generates the operands of one product from a seed, as a family does. */
export type OperandGenerator = (seed: number) => GeneratedPair;
type GeneratedPair = Omit<InputPair, 'ideal'> & { readonly c?: Matrix | undefined };

/** Difference (XOR) between the seeds of real and imaginary parts. */
const IMAGINARY = 0x5bd1e995;

/**
 * Generates complex operands, as the real matrices that stand for them. A family's operands of one seed are the real parts, those of
 * another the imaginary parts. B is real in families where each entry of a classical product is a single term, because two such terms
 * would round.
 * @param expand makes the full matrices of structured ones. @defaultValue they are full
 */
export function complexPair(
  { exactness }: Pick<InputFamily, 'exactness'>,
  generate: OperandGenerator,
  seed: number,
  expand: (parts: GeneratedPair[]) => GeneratedPair[] = (parts) => parts,
): GeneratedPair {
  const [re, im] = expand([generate(seed), generate((seed ^ IMAGINARY) >>> 0)]);
  const right = exactness === 'classical' ? matrix(im.b.rows, im.b.cols, im.b.data.fill(0)) : im.b;
  return {
    a: embedLeft(re.a, im.a),
    b: embedRight(re.b, right),
    ...(re.c === undefined || im.c === undefined ? {} : { c: embedRight(re.c, im.c) }),
    hasSpecials: re.hasSpecials || im.hasSpecials,
    hasSubnormals: re.hasSubnormals || im.hasSubnormals,
  };
}

/**
 * Adds imaginary parts to real operands, smaller by half of the digits. Cancellation between the two parts then shows in the imaginary
 * parts, beside their own |A||B|.
 */
export function withFaintParts(
  { precision: { a: format }, entries = 'interleaved' }: Pick<Kernel, 'precision' | 'entries'>,
  a: Matrix,
  b: Matrix,
): Pick<ProductInput, 'operands'> & Required<Pick<ProductInput, 'gemm'>> {
  const scale = 2 ** -Math.floor(format.precision / 2);
  const faint = ({ rows, cols, data }: Matrix) => {
    const count = data.length;
    return matrix(rows, cols, data.map((_, e) => scale * data[(e + 1) % count]) as typeof data);
  };
  const operands = { a: embedLeft(a, faint(a)), b: embedRight(b, faint(b)) };
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const complex = { ...plainGemm(shape), entries };
  const gemm = { ...plainGemm({ m: 2 * shape.m, k: 2 * shape.k, n: shape.n }), complex };
  return { operands, gemm };
}

/**
 * True if real parts of sums are about as large as random terms make them; means of terms that are far from 0 make them larger.
 * @param products products whose terms lie one after the other along k. The first one speaks for all.
 */
export function isCentered(a: Matrix, b: Matrix, products: number): boolean {
  const [x, y] = [meanOf(a, a.cols / (2 * products)), meanOf(b, b.cols)];
  return Math.abs(x * y) * Math.sqrt(a.cols) <= 2;
}

/**
 * Returns the mean of the real parts in units of their root mean square. Real parts are the first half of the rows, and `width` columns.
 */
function meanOf({ rows, cols, data }: Matrix, width: number): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < rows / 2; i++) {
    for (let j = 0; j < width; j++) {
      const x = data[i * cols + j];
      sum += x;
      squares += x * x;
    }
  }
  return squares === 0 ? 0 : sum / Math.sqrt(squares * (rows / 2) * width);
}
