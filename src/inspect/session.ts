import type { Random } from '../base/random.ts';
import { takeRows } from '../exact/sampled.ts';
import { type Kernel, type KernelJob, multiply } from '../kernels/kernel.ts';
import { kernelRefuses } from '../kernels/messages.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { CodedMatrix, QuantizedMatrix } from '../matrix/operands.ts';
import type { Operand } from '../precision/coding/coding.ts';
import type { Format } from '../precision/format.ts';
import type { Method } from '../problem/method.ts';
import type { InspectionMeasures } from './inspection.ts';
import {
  type MadeOperand,
  madeOperand,
  nearOperand,
  type OperandFactor,
  type OperandNumber,
} from './made-operand.ts';
import {
  blockAlong,
  describeOperand,
  isRepresentable,
  type OperandFormat,
  reachIn,
  sharesLines,
  sidesOf,
} from './operand-format.ts';
import { encodeScaled, encodeUnchanged } from './questions-in.ts';
import type { DotProduct } from './terms.ts';
import { type BoundViolation, findBoundViolation, SkippedQuestion, WrongProduct } from './wrong-product.ts';

/** Shapes that hold dot products, the preferred ones first. Some kernels accept only some sizes. */
const HOMES: readonly Shape[] = [
  ...[64, 128, 256, 32, 16, 512].map((n) => ({ m: n, k: n, n })),
  { m: 1, k: 64, n: 1 },
  { m: 1, k: 64, n: 64 },
  { m: 4, k: 64, n: 4 },
];

/**
 * A kernel under test, with the products asked of it. Most products hold many dot products, row r of A against column r of B, with zeros
 * around them. So one or two shapes serve all of them.
 */
export class InspectionSession {
  readonly kernel: Kernel;
  /** The format of the numbers of A. */
  readonly stored: Format;
  /** The format of the results. */
  readonly result: Format;
  /** The numbers that entries of A and B can be. */
  readonly sides: readonly [OperandFormat, OperandFormat];
  /**
   * Distance along k from one term to the next. It is 1, or the length of blocks where only factors bring powers of two far apart. In the
   * latter case findings on terms are findings on blocks.
   */
  readonly stride: number = 1;
  /** Largest distance of the terms of a question, in powers of two. */
  readonly reach: number;
  /** Number of products computed so far. */
  products = 0;
  /** True if an unexplained product ends the question. False where errors of any size are the subject. */
  endsOnWrong = true;
  /** The worst entry beyond the bound of the kernel's claims, unless the question judges its own products. */
  worst: BoundViolation | undefined;
  judges = true;
  private readonly measures: InspectionMeasures;
  private readonly method: Method;
  private levels: number | 'unknown' = 0;
  /** Most parts into which a level cuts a dimension. */
  private parts = 2;

  private readonly stop: () => boolean;
  /** The codes of operands. */
  private readonly codes = new WeakMap<Matrix, CodedMatrix>();

  /**
   * @param measured the findings on the kernel so far.
   * @param stop called before every product: true refuses the product, see {@link SkippedQuestion}.
   */
  constructor(
    kernel: Kernel,
    method: Method,
    measures: InspectionMeasures,
    stop: () => boolean = () => false,
  ) {
    this.kernel = kernel;
    this.measures = measures;
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

  /** True if entries are of few bits, so that they cannot be any number. */
  get isFew(): boolean {
    return this.sides.some(({ isFew }) => isFew);
  }

  /** Returns the numbers that an operand's entries can be. */
  side(of: Operand): OperandFormat {
    return this.sides[of === 'a' ? 0 : 1];
  }

  /**
   * Keeps questions apart in a Strassen-like method of known levels. Questions then stay in the first of its blocks, whose product meets
   * only zeros. With unknown levels, each question has a product of its own.
   */
  keepApart(levels: number | 'unknown', parts = 2): void {
    this.levels = levels;
    this.parts = parts;
  }

  /** Describes the terms as a clause, where not every place along k holds one. */
  termsInWords(): string {
    return this.stride > 1 ? `, one term in each block of ${this.stride}` : '';
  }

  /** Returns the reason why the kernel does not multiply a shape, if it does not. */
  refuses(shape: Shape): string | undefined {
    return this.kernel.refuses?.(shape);
  }

  /**
   * Makes a rows×cols matrix of an operand with exactly these entries.
   * @throws {@link SkippedQuestion} for a number that the operand cannot hold: questions must not be rounded.
   */
  matrix(of: Operand, rows: number, cols: number, entry: (i: number, j: number) => number): Matrix {
    const side = this.side(of);
    const number = byLine(of, entry);
    return this.kept(
      madeOperand(side, { rows, cols }, this.kernel.precision[of], (line, place) => {
        const x = number(line, place);
        if (!isRepresentable(x, side)) throw notHeld(x, side);
        return x;
      }),
    );
  }

  /** Makes a matrix of numbers near to these, of magnitudes up to about 1. */
  near(of: Operand, rows: number, cols: number, entry: (i: number, j: number) => number): Matrix {
    const number = byLine(of, entry);
    return this.kept(nearOperand(this.side(of), { rows, cols }, this.kernel.precision[of], number));
  }

  /** Makes a matrix of these elements, and of these factors where the operand is coded, by lines and places along k. */
  coded(of: Operand, rows: number, cols: number, element: OperandNumber, factor?: OperandFactor): Matrix {
    return this.kept(madeOperand(this.side(of), { rows, cols }, this.kernel.precision[of], element, factor));
  }

  /** Makes a matrix of these elements with a given zero point. */
  codedFrom(zero: number, of: Operand, rows: number, cols: number, element: OperandNumber): Matrix {
    const side = { ...this.side(of), zero };
    return this.kept(madeOperand(side, { rows, cols }, this.kernel.precision[of], element));
  }

  /** Returns the codes of a matrix that this session made. */
  codesOf(made: Matrix): CodedMatrix | undefined {
    return this.codes.get(made);
  }

  private quantized(decoded: Matrix): QuantizedMatrix | undefined {
    const coded = this.codes.get(decoded);
    return coded && { coded, decoded };
  }

  private kept({ matrix, coded }: MadeOperand): Matrix {
    if (coded !== undefined) this.codes.set(matrix, coded);
    return matrix;
  }

  /** Makes a matrix of random numbers, uniform on [−1, 1]. */
  uniform(random: Random, of: Operand, rows: number, cols: number): Matrix {
    return this.near(of, rows, cols, () => random.uniform(-1, 1));
  }

  /**
   * Computes C = A·B and compares it with the exact product.
   * @param before an earlier, compared product with the same B: rows that both have in common are not compared again.
   * @throws ParanoiaError of the kernel or device; `kernel-threw` for anything else that it throws. {@link SkippedQuestion}; {@link WrongProduct}
   * for an entry that neither the claims nor the findings explain.
   */
  async multiply(a: Matrix, b: Matrix, before?: { readonly a: Matrix; readonly c: Matrix }): Promise<Matrix> {
    if (this.stop()) throw new SkippedQuestion('The inspection had ended.');
    const job = this.job(a, b);
    if (this.refuses(job.plan.shape) === undefined) this.products++;
    const { c } = await multiply(job);
    if (this.judges) this.judge(job, c, before);
    return c;
  }

  private job(a: Matrix, b: Matrix): KernelJob {
    const { kernel } = this;
    const plan = kernel.plan({ m: a.rows, k: a.cols, n: b.cols }, this.method);
    const [x, y] = [this.quantized(a), this.quantized(b)];
    const isCoded = x !== undefined || y !== undefined;
    return { kernel, plan, operands: { a, b, ...(isCoded ? { coded: { a: x, b: y } } : {}) } };
  }

  private judge(job: KernelJob, c: Matrix, before?: { readonly a: Matrix; readonly c: Matrix }): void {
    const { a, b } = job.operands;
    const isNew = (row: number) =>
      before === undefined || !sameRow(a, before.a, row) || !sameRow(c, before.c, row);
    const rows = Array.from({ length: c.rows }, (_, row) => row).filter(isNew);
    if (rows.length === 0) return;
    // Each row of a classical product is computed by itself.
    const apart = job.plan.levels === 0 && rows.length < c.rows;
    const breach = apart
      ? findBoundViolation(this.job(takeRows(a, rows), b), takeRows(c, rows), this.measures)
      : findBoundViolation(job, c, this.measures);
    if (breach === undefined) return;
    const placed = apart ? { ...breach, shape: job.plan.shape, i: rows[breach.i] } : breach;
    if (this.worst === undefined || placed.times > this.worst.times) this.worst = placed;
    if (placed.wrong && this.endsOnWrong) throw new WrongProduct(placed);
  }

  /**
   * Returns the shape that holds dot products of a length.
   * @param exactly whether k must be that length, where the kernel accepts such a shape; else zeros follow.
   * @throws ParanoiaError `kernel-refuses` where the kernel accepts none that is long enough.
   */
  home(length: number, exactly = false): Shape {
    const fits = this.homes(length, exactly);
    const found = fits.find((shape) => this.refuses(shape) === undefined);
    if (found !== undefined) return found;
    throw kernelRefuses({
      kernel: this.kernel.name,
      shape: fits.map(({ m, k, n }) => `${m}×${k}×${n}`).join(', '),
      why: this.refuses(fits[0]) ?? 'it refuses all of them',
    });
  }

  /** Returns the k of the shape for sums of a length: that length where the kernel accepts it; undefined if there is none. */
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

  /** Returns the number of terms that stay within a block of a Strassen-like method; undefined for a classical one. */
  longestInBlock(): number | undefined {
    if (this.levels === 0) return undefined;
    return this.levels === 'unknown' ? 32 : Math.max(2, Math.floor(this.home(1).k / this.blocks));
  }

  /**
   * Computes dot products with the kernel.
   * @param length terms of the product, zeros included; the longest of the questions by default.
   */
  async dots(questions: readonly DotProduct[], length?: number): Promise<number[]> {
    const longest = Math.max(1, ...questions.map(({ a }) => a.length));
    return this.dotsIn(this.home(length ?? longest, length !== undefined), questions);
  }

  /** Computes dot products in products of a given shape. @throws {@link SkippedQuestion} where no entries hold the terms of a question */
  dotsIn(shape: Shape, questions: readonly DotProduct[]): Promise<number[]> {
    return this.answersTo(shape, questions, this.isFew ? 'moved' : 'as they are');
  }

  /** Computes dot products in a given shape with no power of two moved. @throws {@link SkippedQuestion} for numbers that entries do not hold */
  asTheyAre(shape: Shape, questions: readonly DotProduct[]): Promise<number[]> {
    return this.answersTo(shape, questions, 'as they are');
  }

  private async answersTo(
    { m, k, n }: Shape,
    questions: readonly DotProduct[],
    how: 'moved' | 'as they are',
  ): Promise<number[]> {
    const room = Math.floor(Math.min(m, n) / this.blocks);
    const isShared = this.stride > 1 && this.sides.some(sharesLines);
    const together = this.levels === 'unknown' || isShared ? 1 : Math.max(1, room);
    const answers: number[] = [];
    for (let from = 0; from < questions.length; from += together) {
      const some = questions.slice(from, from + together);
      const { a, b, shifts } =
        how === 'moved' ? encodeScaled(this, { m, k, n }, some) : encodeUnchanged(this, { m, k, n }, some);
      const { data } = await this.multiply(a, b);
      for (let q = 0; q < some.length; q++) answers.push(data[q * n + q] * 2 ** -shifts[q]);
    }
    return answers;
  }

  /** Number of parts into which the recursion cuts a dimension. */
  private get blocks(): number {
    return this.levels === 'unknown' ? 1 : this.parts ** this.levels;
  }
}

/** Number of blocks that a shape must hold, one for each term. */
const BLOCKS = 16;

/** Distance of powers of two that suffices to test sums of binary32 without factors. */
const ENOUGH = 30;

/** Converts a function of row and column to one of line and place along k. */
const byLine =
  (of: Operand, entry: (i: number, j: number) => number): OperandNumber =>
  (line, place) =>
    of === 'a' ? entry(line, place) : entry(place, line);

const notHeld = (x: number, side: OperandFormat) =>
  new SkippedQuestion(`${x} ${NOT_HELD} of ${describeOperand(side)}.`);

/** The words of an error for a number that an operand cannot hold. */
export const NOT_HELD = 'is none';

/** True if a row has the same bits in two matrices of one shape. */
function sameRow(x: Matrix, y: Matrix, row: number): boolean {
  for (let e = row * x.cols; e < (row + 1) * x.cols; e++) {
    if (!Object.is(x.data[e], y.data[e])) return false;
  }
  return true;
}

/** True if two matrices of one shape have the same bits; all NaN count as equal. */
export function matricesHaveSameBits(x: Matrix, y: Matrix): boolean {
  return x.data.every((value, at) => Object.is(value, y.data[at]));
}
