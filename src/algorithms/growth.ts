import { computeOnce } from '../base/memo.ts';
import type { Registry } from '../base/registry.ts';
import type { LevelGrowth } from '../problem/method.ts';
import type { Algorithm } from './algorithm.ts';
import { algorithmRegistry } from './algorithms.ts';
import type { BilinearTable } from './bilinear-table.ts';
import { isDyadic } from './coefficient.ts';
import { fractionsOf } from './notation.ts';
import { winograd } from './strassen.ts';

/**
 * Returns the growth constant of each output block: E = Σ_r |w_r| · Σ|u_r| · Σ|v_r| (Bini and Lotti 1980; Ballard et al.
 * 2016, the stability vector). Its maximum is the factor by which each level multiplies the normwise error
 * bound: 12 for Strassen, 18 for Winograd (Higham, *Accuracy and Stability of Numerical Algorithms*, §23.2).
 * @returns one number per block of C, row-major.
 */
export function growthByBlock(algorithm: BilinearTable): number[] {
  const { m, n } = algorithm.base;
  return Array.from({ length: m * n }, (_, c) =>
    algorithm.u.reduce(
      (sum, row, r) => sum + Math.abs(algorithm.w[r][c]) * norm1(row) * norm1(algorithm.v[r]),
      0,
    ),
  );
}

/** Returns the largest of {@link growthByBlock}: the base of the bound's exponential growth with levels. */
export function growthFactor(algorithm: BilinearTable): number {
  return Math.max(...growthByBlock(algorithm));
}

/** Returns Σ|c|: the factor by which a block sum can exceed its blocks. */
export function norm1(coefficients: readonly number[]): number {
  return coefficients.reduce((sum, c) => sum + Math.abs(c), 0);
}

/** True if the products are those of the definition: every operand is one block. */
export function sumsInnerProducts(algorithm: BilinearTable): boolean {
  const { m, k, n } = algorithm.base;
  return (
    algorithm.u.length === m * k * n && [...algorithm.u, ...algorithm.v].every((row) => norm1(row) === 1)
  );
}

/**
 * Returns the growth of whole numbers by one level of an algorithm, from its table. Results of factors such as 1/8 are counted in units of
 * the fraction that they leave, since its bits must be held as well. Fractions such as 1/3 leave no whole numbers.
 */
export function levelGrowth({ base, u, v, w }: BilinearTable): LevelGrowth {
  const products = u.map((row, r) => norm1(row) * norm1(v[r]));
  const units = u.map((row, r) => unitsOf(row) * unitsOf(v[r]));
  const rounds = [u, v, w].some((rows) => rows.some((row) => !row.every(isDyadic)));
  // A product enters the sums of C with its factor.
  const weights = w.map((row) => Math.max(1, ...row.map(Math.abs)));
  const finest = Math.max(...units.map((unit, r) => unit * unitsOf(w[r])));
  return {
    product: Math.max(...products.map((p, r) => units[r] * p)),
    total: finest * products.reduce((sum, p, r) => sum + weights[r] * p, 0),
    operand: Math.max(...[...u, ...v].map((row) => unitsOf(row) * norm1(row))),
    split: base.k,
    ...(rounds && { rounds }),
  };
}

/** Returns the least power of two that makes every dyadic factor of a row whole. */
function unitsOf(row: readonly number[]): number {
  let units = 1;
  while (!row.filter(isDyadic).every((factor) => Number.isInteger(factor * units))) units *= 2;
  return units;
}

/** Growth that covers classical products, Strassen's and Winograd's, which are compared on the same operands. */
const USUAL = levelGrowth(winograd);

const known = new WeakMap<Algorithm, LevelGrowth>();

/**
 * Returns the growth for which the operands of an algorithm leave room. It is Winograd's where that covers the algorithm's own, so that
 * most algorithms get the same operands, else its own. The result is the same object each time.
 * @param algorithm undefined where it is unknown.
 */
export function sharedGrowth(algorithm?: Algorithm): LevelGrowth {
  return algorithm === undefined ? USUAL : computeOnce(known, algorithm, growthOf);
}

/** Returns the growth of the algorithm whose name begins a kernel's name: `strassen:register`. */
export const growthOfKernel = (
  kernel: string,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): LevelGrowth => sharedGrowth(algorithms.get(kernel.split(':')[0]));

function growthOf(algorithm: Algorithm): LevelGrowth {
  const own = { ...levelGrowth(algorithm), ...(fractionsOf(algorithm).size > 0 && { rounds: true }) };
  const isCovered =
    own.product <= USUAL.product &&
    own.total <= USUAL.total &&
    own.operand <= USUAL.operand &&
    own.rounds === undefined &&
    own.split >= USUAL.split;
  return isCovered ? USUAL : own;
}
