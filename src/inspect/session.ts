import type { Random } from '../base/random.ts';
import { takeRows } from '../exact/sampled.ts';
import { type Job, type Kernel, multiply } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';

import type { Coded, Quantised } from '../matrix/coded.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Operand } from '../precision/coding/coding.ts';
import type { Format } from '../precision/format.ts';
import type { Method } from '../problem/method.ts';
import { blockAlong, isHeld, nameOf, reachIn, type Side, sharesLines, sidesOf } from './held.ts';
import type { Measured } from './inspection.ts';
import { type At, type FactorAt, type Made, madeOperand, nearOperand } from './made-operand.ts';
import { askedIn, putIn } from './questions-in.ts';
import type { Dot } from './terms.ts';
import { Unasked } from './unasked.ts';
import { type Breach, breachOf, WrongProduct } from './wrong-product.ts';

/** Shapes that dot products are put into, the preferred ones first: some kernels take only sizes of their own. */
const HOMES: readonly Shape[] = [
  ...[64, 128, 256, 32, 16, 512].map((n) => ({ m: n, k: n, n })),
  { m: 1, k: 64, n: 1 },
  { m: 1, k: 64, n: 64 },
  { m: 4, k: 64, n: 4 },
];

/**
 * A kernel that is asked for products. Most are of dot products; many go into one product, row r of A against column r
 * of B, with zeros around them, so that a shape or two serve all of them.
 */
export class Session {
  readonly kernel: Kernel;
  /** The format of the numbers of A. */
  readonly stored: Format;
  /** The format of the results. */
  readonly result: Format;
  /** What entries of A and B can be. */
  readonly sides: readonly [Side, Side];
  /**
   * Every so many places along k there is a term: 1, but the length of blocks where only factors bring powers of two far apart. What
   * is then told of terms is told of blocks.
   */
  readonly stride: number = 1;
  /** How far apart, in powers of two, the terms of a question can be. */
  readonly reach: number;
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
  /** The codes of operands. */
  private readonly codes = new WeakMap<Matrix, Coded>();

  /**
   * @param measured what is known of the kernel so far.
   * @param stop asked before every product: true refuses it, see {@link Unasked}.
   */
  constructor(kernel: Kernel, method: Method, measured: Measured, stop: () => boolean = () => false) {
    this.kernel = kernel;
    this.measured = measured;
    this.method = method;
    this.stop = stop;
    const { precision } = kernel;
    [this.stored, this.result] = [precision.a, precision.d];
    this.sides = sidesOf(precision, kernel.zeroPoints);
    const own = reachIn(this.sides);
    const block = own < ENOUGH && this.isFew ? blockAlong(this.sides) : undefined;
    const isTaken =
      block !== undefined && this.homes(BLOCKS * block, false).some((one) => !this.refuses(one));
    this.stride = isTaken ? block : 1;
    this.reach = isTaken ? reachIn(this.sides, 'factors') : own;
  }

  /** Whether entries are of few bits, so that not every number is one. */
  get isFew(): boolean {
    return this.sides.some(({ isFew }) => isFew);
  }

  /** What an operand's entries can be. */
  side(of: Operand): Side {
    return this.sides[of === 'a' ? 0 : 1];
  }

  /**
   * Levels of a Strassen-like method that is known by now: questions then stay in the first of its blocks, whose product
   * meets only zeros, so that they do not mix. Where they are unknown, each has a product of its own.
   */
  keepApart(levels: number | 'unknown', parts = 2): void {
    this.levels = levels;
    this.parts = parts;
  }

  /** What terms are, where they are not all that there are, as a clause. */
  termsInWords(): string {
    return this.stride > 1 ? `, one term in each block of ${this.stride}` : '';
  }

  /** Why the kernel does not multiply a shape, if it does not. */
  refuses(shape: Shape): string | undefined {
    return this.kernel.refuses?.(shape);
  }

  /**
   * A rows×cols matrix of an operand, whose entries are these numbers.
   * @throws {@link Unasked} for a number that is none of the operand's: no question is to be rounded.
   */
  matrix(of: Operand, rows: number, cols: number, entry: (i: number, j: number) => number): Matrix {
    const side = this.side(of);
    const number = byLine(of, entry);
    return this.kept(
      madeOperand(side, { rows, cols }, this.kernel.precision[of], (line, place) => {
        const x = number(line, place);
        if (!isHeld(x, side)) throw notHeld(x, side);
        return x;
      }),
    );
  }

  /** A matrix of numbers that are near to these, of magnitudes up to about 1. */
  near(of: Operand, rows: number, cols: number, entry: (i: number, j: number) => number): Matrix {
    const number = byLine(of, entry);
    return this.kept(nearOperand(this.side(of), { rows, cols }, this.kernel.precision[of], number));
  }

  /** A matrix of these elements, and of these factors where the operand is coded: by lines, and places along k. */
  coded(of: Operand, rows: number, cols: number, element: At, factor?: FactorAt): Matrix {
    return this.kept(madeOperand(this.side(of), { rows, cols }, this.kernel.precision[of], element, factor));
  }

  /** The same with a zero point that is chosen. */
  codedFrom(zero: number, of: Operand, rows: number, cols: number, element: At): Matrix {
    const side = { ...this.side(of), zero };
    return this.kept(madeOperand(side, { rows, cols }, this.kernel.precision[of], element));
  }

  /** The codes of a matrix that was made here. */
  codesOf(made: Matrix): Coded | undefined {
    return this.codes.get(made);
  }

  private quantised(decoded: Matrix): Quantised | undefined {
    const coded = this.codes.get(decoded);
    return coded && { coded, decoded };
  }

  private kept({ matrix, coded }: Made): Matrix {
    if (coded !== undefined) this.codes.set(matrix, coded);
    return matrix;
  }

  /** Random numbers, uniform on [−1, 1]. */
  uniform(random: Random, of: Operand, rows: number, cols: number): Matrix {
    return this.near(of, rows, cols, () => random.uniform(-1, 1));
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
    const [x, y] = [this.quantised(a), this.quantised(b)];
    const isCoded = x !== undefined || y !== undefined;
    return { kernel, plan, operands: { a, b, ...(isCoded ? { coded: { a: x, b: y } } : {}) } };
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
    const found = this.homes(length, true).find((shape) => this.refuses(shape) === undefined);
    return found && Math.floor(found.k / this.stride);
  }

  private homes(length: number, exactly: boolean): Shape[] {
    const k = this.blocks * length * this.stride;
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

  /** The same in products of a shape. @throws {@link Unasked} where no entries hold the terms of a question */
  dotsIn(shape: Shape, questions: readonly Dot[]): Promise<number[]> {
    return this.answersTo(shape, questions, this.isFew ? 'moved' : 'as they are');
  }

  /** The same with no power of two moved. @throws {@link Unasked} for numbers that entries do not hold */
  asTheyAre(shape: Shape, questions: readonly Dot[]): Promise<number[]> {
    return this.answersTo(shape, questions, 'as they are');
  }

  private async answersTo(
    { m, k, n }: Shape,
    questions: readonly Dot[],
    how: 'moved' | 'as they are',
  ): Promise<number[]> {
    const room = Math.floor(Math.min(m, n) / this.blocks);
    const isShared = this.stride > 1 && this.sides.some(sharesLines);
    const together = this.levels === 'unknown' || isShared ? 1 : Math.max(1, room);
    const answers: number[] = [];
    for (let from = 0; from < questions.length; from += together) {
      const some = questions.slice(from, from + together);
      const { a, b, shifts } =
        how === 'moved' ? putIn(this, { m, k, n }, some) : askedIn(this, { m, k, n }, some);
      const { data } = await this.multiply(a, b);
      for (let q = 0; q < some.length; q++) answers.push(data[q * n + q] * 2 ** -shifts[q]);
    }
    return answers;
  }

  /** How many parts of a dimension the blocks of the recursion are. */
  private get blocks(): number {
    return this.levels === 'unknown' ? 1 : this.parts ** this.levels;
  }
}

/** Terms, each in a block of its own, that questions are put into. */
const BLOCKS = 16;

/** Powers of two so far apart let sums of binary32 be asked without factors. */
const ENOUGH = 30;

/** By line and place along k, what is known by row and column. */
const byLine =
  (of: Operand, entry: (i: number, j: number) => number): At =>
  (line, place) =>
    of === 'a' ? entry(line, place) : entry(place, line);

const notHeld = (x: number, side: Side) => new Unasked(`${x} ${NOT_HELD} of ${nameOf(side)}.`);

/** Said of what a question should not have asked. */
export const NOT_HELD = 'is none';

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
