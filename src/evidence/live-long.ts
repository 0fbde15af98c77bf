import { createRandom } from '../base/random.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { KernelJob } from '../kernels/kernel.ts';
import { kernelWearsOut } from '../kernels/messages.ts';
import { type Matrix, matrix, type Shape } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { stackRows } from '../matrix/members.ts';
import type { Case } from '../problem/case.ts';
import type { ProductJob } from './evidence.ts';
import type { LifeSpan } from './long-life.ts';

/** Products of the first block, which one message requests, and of the largest block. */
const [FIRST, MOST] = [8, 1024];
/** Seconds for a block, where time ends the life; products of a block, where their number does. */
const [BLOCK, COUNTED] = [0.1, 32];
/** A random stream that no family draws from. */
const STREAM = 3002;

/** Callbacks of a long life: `ask` multiplies, and `told` receives the number of products so far. */
interface Living {
  ask(job: KernelJob): Promise<Product>;
  told(made: number): void;
}

/**
 * Computes small products one after the other, in blocks of about a tenth of a second, or of a fixed number where no time ends it.
 * @returns the number of products
 * @throws ParanoiaError `kernel-wears-out` for the first entry that is not exact, and any error that `ask` throws
 */
export async function liveLong(
  job: ProductJob,
  value: Case,
  { seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY }: LifeSpan,
  { ask, told }: Living,
): Promise<number> {
  const { case: _, beside: __, ...own } = job;
  const { m, k, n, seed, repeats } = value.problem;
  const shape = { m, k, n };
  const random = createRandom(seed, STREAM);
  const start = performance.now();
  let made = 0;
  const isTimed = seconds < Number.POSITIVE_INFINITY;
  let block = isTimed ? FIRST : COUNTED;
  const goesOn = () => made < count && performance.now() - start < 1000 * seconds;
  for (let round = 1; round < repeats && goesOn(); round++) {
    const begun = performance.now();
    const all = Array.from({ length: Math.min(block, count - made) }, () => reordered(job, shape, random));
    const [a, b, d] = [stacked(all, 'a', m, k), stacked(all, 'b', k, n), stacked(all, 'd', m, n)];
    const gemm = plainGemm({ m: 1, k: 1, n: d.data.length });
    const { c } = await ask({ ...own, operands: { a, b }, gemm, apart: all.map(() => shape) });
    made += all.length;
    told(made);
    requireExact(c, d, { kernel: job.kernel.name, shape, before: made - all.length });
    const took = (performance.now() - begun) / 1000;
    if (isTimed) block = Math.max(1, Math.min(MOST, Math.round((all.length * BLOCK) / took)));
  }
  return made;
}

interface Member {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly d: Matrix;
}

const stacked = (all: readonly Member[], of: keyof Member, m: number, n: number): Matrix =>
  stackRows(
    all.map((one) => one[of]),
    { m, n },
  );

/** Permutes rows, columns and k of the operands and changes their signs; returns them with their product. */
function reordered(
  { operands: { a, b } }: ProductJob,
  { m, k, n }: Shape,
  random: ReturnType<typeof createRandom>,
): Member {
  const [rows, inner, cols] = [m, k, n].map((size) => random.permutation(size));
  const [ofRow, ofCol] = [m, n].map((size) => Array.from({ length: size }, () => random.sign()));
  const made: Member = { a: like(a, m, k), b: like(b, k, n), d: like(b, m, n) };
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) made.a.data[i * k + p] = ofRow[i] * a.data[rows[i] * k + inner[p]];
  for (let p = 0; p < k; p++)
    for (let j = 0; j < n; j++) made.b.data[p * n + j] = ofCol[j] * b.data[inner[p] * n + cols[j]];
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++)
      for (let p = 0; p < k; p++) made.d.data[i * n + j] += made.a.data[i * k + p] * made.b.data[p * n + j];
  return made;
}

const like = ({ data }: Matrix, rows: number, cols: number): Matrix =>
  matrix(
    rows,
    cols,
    data instanceof Float64Array ? new Float64Array(rows * cols) : new Float32Array(rows * cols),
  );

function requireExact(
  found: Matrix,
  expected: Matrix,
  { kernel, shape, before }: { readonly kernel: string; readonly shape: Shape; readonly before: number },
): void {
  // Zeros of both signs are exact.
  const at = expected.data.findIndex((one, e) => found.data[e] !== one);
  if (at < 0) return;
  const product = Math.floor(at / (shape.m * shape.n));
  const [row, col] = [Math.floor(at / shape.n) % shape.m, at % shape.n];
  throw kernelWearsOut({
    ...{ kernel, shape, row, col, number: before + product + 1 },
    ...{ found: found.data[at], expected: expected.data[at] },
  });
}
