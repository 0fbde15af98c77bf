import { availableParallelism } from 'node:os';
import { integerDot, roundInteger, toIntegers } from '../../../exact/bigint.ts';
import { type Engine, engineHere } from '../../../exact/engine.ts';
import { exactProduct } from '../../../exact/exact.ts';
import type { Certificate } from '../../../exact/exact-product.ts';
import { goldProduct } from '../../../exact/gold.ts';
import { openFlint } from '../../../exact/node/flint.ts';
import { openExactPool } from '../../../exact/node/pool.ts';
import { openLines, readOperands } from '../../../exact/operands.ts';
import { type Matrix, matrix, productShape } from '../../../matrix/dense.ts';

/** A method of computing an exact product, to be timed. */
export interface ReferenceMethod {
  readonly name: string;
  readonly threads: number;
  /** The largest size that is timed: slower methods are timed on smaller products. */
  readonly upTo: number;
  /** True for our methods, which take every precision and every exponent, and are timed on each input. */
  readonly isOurs: boolean;
  product(a: Matrix, b: Matrix): Promise<MethodResult> | MethodResult;
  /** Returns the seconds of one product as the method itself measures them. If absent, the time from call to answer counts. */
  time?(a: Matrix, b: Matrix): Promise<number>;
  close?(): Promise<void>;
}

export interface MethodResult {
  readonly product: Matrix<Float64Array>;
  readonly certificate?: Certificate;
}

/** A method that this machine lacks. */
export interface MissingMethod {
  readonly name: string;
  readonly why: string;
}

const engineNames: Readonly<Record<Engine, string>> = {
  simd: 'WebAssembly vectors',
  typescript: 'TypeScript double-double',
};

const ANY_SIZE = Number.POSITIVE_INFINITY;

/** Opens the methods of this machine, ours first. */
export async function openWays(): Promise<{ ways: ReferenceMethod[]; skipped: MissingMethod[] }> {
  const ways: ReferenceMethod[] = [];
  const skipped: MissingMethod[] = [];
  const cores = availableParallelism();
  const { engine: best, why } = engineHere();
  if (why !== undefined) skipped.push({ name: engineNames.simd, why });
  for (const engine of best === 'simd' ? (['simd', 'typescript'] as const) : (['typescript'] as const)) {
    const pooled = await openPooled(engine, cores);
    if (typeof pooled !== 'string') ways.push(pooled);
    else if (cores > 1) skipped.push({ name: `${engineNames[engine]}, ${cores} threads`, why: pooled });
    const alone = (a: Matrix, b: Matrix) => exactProduct(a, b, engine);
    ways.push({ name: engineNames[engine], threads: 1, upTo: ANY_SIZE, isOurs: true, product: alone });
  }
  const flint = await openFlint();
  if (typeof flint === 'string') {
    skipped.push({ name: 'FLINT', why: flint });
  } else {
    const product = async (a: Matrix, b: Matrix) => ({ product: await flint.product(a, b) });
    for (const threads of new Set([cores, 1])) {
      const time = async (a: Matrix, b: Matrix) => Math.min(...(await flint.time(a, b, threads, 2)));
      ways.push({ name: 'FLINT fmpz_mat_mul', threads, upTo: ANY_SIZE, isOurs: false, product, time });
    }
    ways.push({ ...ways.pop()!, close: flint.close });
  }
  ways.push({ name: 'BigInt fixed point', threads: 1, upTo: 96, isOurs: false, product: bigintProduct });
  const gold = (a: Matrix, b: Matrix) => ({ product: goldProduct(a, b) });
  ways.push({ name: 'decimal.js', threads: 1, upTo: 48, isOurs: false, product: gold });
  return { ways, skipped };
}

/** Opens a working pool, or returns the reason why there is none. */
async function openPooled(engine: Engine, cores: number): Promise<ReferenceMethod | string> {
  if (cores === 1) return 'this machine has one core';
  const pool = openExactPool({ workers: cores, engine });
  // Threads start with the first product that is large enough. This product starts them before any timing.
  const first = matrix(256, 256, new Float32Array(256 * 256));
  await pool.product(first, first);
  const { threads, why } = pool.how();
  if (threads === cores) {
    const { product, close } = pool;
    return { name: engineNames[engine], threads, upTo: ANY_SIZE, isOurs: true, product, close };
  }
  await pool.close();
  return why ?? `only ${threads} of ${cores} threads started`;
}

/** Computes the product in integers of any length. All entries must be finite. */
function bigintProduct(a: Matrix, b: Matrix): MethodResult {
  const { m, k, n } = productShape(a, b);
  const operands = readOperands(a, b);
  const { rows, cols } = operands;
  const { row, column } = openLines(operands);
  const columns = Array.from({ length: n }, (_, j) => toIntegers(column(j), 0, k, cols.grid[j]));
  const data = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const integers = toIntegers(row(i), 0, k, rows.grid[i]);
    for (let j = 0; j < n; j++) {
      const sum = integerDot(integers, columns[j]);
      data[i * n + j] = roundInteger(sum, rows.grid[i] + cols.grid[j]).value;
    }
  }
  return { product: matrix(m, n, data) };
}
