import type { Random } from '../base/random.ts';
import { takeRows } from '../exact/sampled.ts';
import { type Job, type Kernel, multiply } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import { type Matrix, matrix, type Real, type Shape } from '../matrix/dense.ts';
import { entriesFor } from '../matrix/operands.ts';
import type { Format } from '../precision/format.ts';
import type { Method } from '../problem/method.ts';
import type { Measured } from './inspection.ts';
import { type Breach, breachOf, WrongProduct } from './wrong-product.ts';

/** A dot product to be asked: a·b, of equal lengths. */
export interface Dot {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Shapes that dot products are put into, the preferred ones first: some kernels take only sizes of their own. */
const HOMES: readonly Shape[] = [
  ...[64, 128, 256, 32, 16, 512].map((n) => ({ m: n, k: n, n })),
  { m: 1, k: 64, n: 1 },
  { m: 1, k: 64, n: 64 },
  { m: 4, k: 64, n: 4 },
];

/** Why a question could not be asked. */
export class Unasked extends Error {
  override readonly name = 'Unasked';
}

/**
 * A kernel that is asked for products. Most are of dot products; many go into one product, row r of A against column r
 * of B, with zeros around them, so that a shape or two serve all of them.
 */
export class Session {
  readonly kernel: Kernel;
  /** The format of the entries. */
  readonly stored: Format;
  /** Products computed so far. */
  products = 0;
  /** Whether a product that nothing explains ends what is asked: not where errors of any size are its subject. */
  endsOnWrong = true;
  /** The worst of the entries beyond the bound of what the kernel claims, unless the question judges its own products. */
  worst: Breach | undefined;
  judges = true;
  private readonly measured: Measured;
  private readonly method: Method;
  private levels: number | 'unknown' = 0;
  /** Into how many parts a level cuts a dimension, at most. */
  private parts = 2;

  private readonly stop: () => boolean;

  /**
   * @param measured what is known of the kernel so far.
   * @param stop asked before every product: true refuses it, see {@link Unasked}.
   */
  constructor(kernel: Kernel, method: Method, measured: Measured, stop: () => boolean = () => false) {
    this.kernel = kernel;
    this.measured = measured;
    this.method = method;
    this.stop = stop;
    this.stored = kernel.precision.a;
  }

  /**
   * Levels of a Strassen-like method that is known by now: questions then stay in the first of its blocks, whose product
   * meets only zeros, so that they do not mix. Where they are unknown, each has a product of its own.
   */
  keepApart(levels: number | 'unknown', parts = 2): void {
    this.levels = levels;
    this.parts = parts;
  }

  /** Why the kernel does not multiply a shape, if it does not. */
  refuses(shape: Shape): string | undefined {
    return this.kernel.refuses?.(shape);
  }

  /** A rows×cols matrix in the precision's entries, rounded to its stored format. */
  matrix(rows: number, cols: number, entry: (i: number, j: number) => number): Matrix {
    const { round } = this.stored;
    const data: Real = entriesFor(this.stored, rows * cols);
    for (let e = 0; e < data.length; e++) data[e] = round(entry(Math.floor(e / cols), e % cols));
    return matrix(rows, cols, data);
  }

  /** Random numbers, uniform on [−1, 1]. */
  uniform(random: Random, rows: number, cols: number): Matrix {
    return this.matrix(rows, cols, () => random.uniform(-1, 1));
  }

  /**
   * C = A·B, compared with the exact product.
   * @param before a product that was compared before, by the same B: what it has in common is not compared again.
   * @throws ParanoiaError of the kernel or device; `kernel-threw` for anything else that it throws. {@link Unasked};
   *   {@link WrongProduct} for an entry that neither what it claims nor what was found of it explains.
   */
  async multiply(a: Matrix, b: Matrix, before?: { readonly a: Matrix; readonly c: Matrix }): Promise<Matrix> {
    if (this.stop()) throw new Unasked('The inspection was ended before.');
    const job = this.job(a, b);
    if (this.refuses(job.plan.shape) === undefined) this.products++;
    const { c } = await multiply(job);
    if (this.judges) this.judge(job, c, before);
    return c;
  }

  private job(a: Matrix, b: Matrix): Job {
    const { kernel } = this;
    const plan = kernel.plan({ m: a.rows, k: a.cols, n: b.cols }, this.method);
    return { kernel, plan, operands: { a, b } };
  }

  private judge(job: Job, c: Matrix, before?: { readonly a: Matrix; readonly c: Matrix }): void {
    const { a, b } = job.operands;
    const isNew = (row: number) =>
      before === undefined || !sameRow(a, before.a, row) || !sameRow(c, before.c, row);
    const rows = Array.from({ length: c.rows }, (_, row) => row).filter(isNew);
    if (rows.length === 0) return;
    // A row of a classical product is one by itself.
    const apart = job.plan.levels === 0 && rows.length < c.rows;
    const breach = apart
      ? breachOf(this.job(takeRows(a, rows), b), takeRows(c, rows), this.measured)
      : breachOf(job, c, this.measured);
    if (breach === undefined) return;
    const placed = apart ? { ...breach, shape: job.plan.shape, i: rows[breach.i] } : breach;
    if (this.worst === undefined || placed.times > this.worst.times) this.worst = placed;
    if (placed.wrong && this.endsOnWrong) throw new WrongProduct(placed);
  }

  /**
   * The shape that dot products of a length are put into.
   * @param exactly whether k is to be that length, where the kernel takes such a shape; else zeros follow.
   * @throws ParanoiaError `kernel-refuses` where the kernel takes none that is long enough.
   */
  home(length: number, exactly = false): Shape {
    const fits = this.homes(length, exactly);
    const found = fits.find((shape) => this.refuses(shape) === undefined);
    if (found !== undefined) return found;
    throw kernelRefuses({
      kernel: this.kernel.name,
      shape: fits.map(({ m, k, n }) => `${m}×${k}×${n}`).join(', '),
      why: this.refuses(fits[0]) ?? 'it refuses them all',
    });
  }

  /** The k of the shape that sums of a length are asked in: that length where the kernel takes it; undefined for none. */
  taken(length: number): number | undefined {
    return this.homes(length, true).find((shape) => this.refuses(shape) === undefined)?.k;
  }

  private homes(length: number, exactly: boolean): Shape[] {
    const k = this.blocks * length;
    const own = [
      { m: 64, k, n: 64 },
      { m: k, k, n: k },
      { m: 1, k, n: 1 },
    ];
    const all = exactly || k > 64 ? [...own, ...HOMES] : [...HOMES, ...own];
    return all.filter((shape) => shape.k >= k);
  }

  /** The terms of a dot product that stay within a block of a Strassen-like method; undefined for a classical one. */
  longestInBlock(): number | undefined {
    if (this.levels === 0) return undefined;
    return this.levels === 'unknown' ? 32 : Math.max(2, Math.floor(this.home(1).k / this.blocks));
  }

  /**
   * What the kernel makes of dot products.
   * @param length terms that the kernel is to be asked for, zeros included; the longest of the questions by default.
   */
  async dots(questions: readonly Dot[], length?: number): Promise<number[]> {
    const longest = Math.max(1, ...questions.map(({ a }) => a.length));
    return this.dotsIn(this.home(length ?? longest, length !== undefined), questions);
  }

  /** The same in products of a shape. */
  async dotsIn({ m, k, n }: Shape, questions: readonly Dot[]): Promise<number[]> {
    const room = Math.floor(Math.min(m, n) / this.blocks);
    const together = this.levels === 'unknown' ? 1 : Math.max(1, room);
    const answers: number[] = [];
    for (let from = 0; from < questions.length; from += together) {
      const some = questions.slice(from, from + together);
      const a = this.matrix(m, k, (i, p) => some[i]?.a[p] ?? 0);
      const b = this.matrix(k, n, (p, j) => some[j]?.b[p] ?? 0);
      const { data } = await this.multiply(a, b);
      for (let q = 0; q < some.length; q++) answers.push(data[q * n + q]);
    }
    return answers;
  }

  /** How many parts of a dimension the blocks of the recursion are. */
  private get blocks(): number {
    return this.levels === 'unknown' ? 1 : this.parts ** this.levels;
  }
}

/** Whether a row holds the same bits in two matrices of one shape. */
function sameRow(x: Matrix, y: Matrix, row: number): boolean {
  for (let e = row * x.cols; e < (row + 1) * x.cols; e++) {
    if (!Object.is(x.data[e], y.data[e])) return false;
  }
  return true;
}

/** Whether two matrices of one shape hold the same bits, NaN being one of a kind. */
export function sameBits(x: Matrix, y: Matrix): boolean {
  return x.data.every((value, at) => Object.is(value, y.data[at]));
}
