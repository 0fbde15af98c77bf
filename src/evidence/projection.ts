import { joinNumbers } from '../base/numbers.ts';
import {
  projectedErrors,
  projectionSlack,
  randomSigns,
  type SignedSums,
  signedSums,
} from '../exact/projected.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { membersOf } from '../matrix/members.ts';
import { panelsOf, type Rows, rowsOf, sliceOf } from '../matrix/row-reader.ts';
import { operandErrorOf } from '../precision/device-errors.ts';
import { type BlockTask, blockErrors } from '../readers/block-errors.ts';
import { type BlockedOperand, blockedOperand, joinOperands } from '../readers/blocked-operand.ts';
import type { ReferenceInput } from './compared.ts';
import { type SideOperands, type SpecialMarks, sideOperands } from './side-operands.ts';

/** Signed sums of blocks of the rows of a product, or of its columns: one number a block, row after row. */
export interface ProjectionSide {
  /** The most entries of a block. */
  readonly width: number;
  /** Blocks per row. */
  readonly blocks: number;
  /** The largest difference between the signed sums of the product and of the exact product. */
  readonly errors: Float64Array;
  /** Sums of the bounds of their entries; `sigma` is the root of the sum of squared expected errors. */
  readonly bound: Float64Array;
  readonly sigma: Float64Array;
  /** Errors of the differences themselves, at most. */
  readonly slack: Float64Array;
  /** Sums of the squares of their entries. */
  readonly squares: Float64Array;
  /** 0 for blocks that are left to exact entries: those with NaN and infinities, or whose sums might overflow. */
  readonly judged: Uint8Array;
}

/** Random projections of all entries of a product; those of a batch follow one another. */
export interface Projection {
  /** Vectors of random signs, for rows and for columns each. */
  readonly vectors: number;
  /** A single wrong entry that is off by more lies where compared lines cross, unless every sum of its row or column hides it. */
  readonly crossed?: number;
  readonly rows: ProjectionSide;
  readonly cols: ProjectionSide;
}

/** Lines of a product whose signed sums are furthest off, as shares of their bounds. */
export interface FurthestLines {
  readonly rows: readonly number[];
  readonly cols: readonly number[];
  /** Twice what no sum of another line exceeds. */
  readonly others: number;
}

/** Number of rows, and of columns, that are furthest off. */
const FURTHEST = 8;

/** Finds the lines whose sums are furthest off. */
export function furthestLines({ rows, cols }: Pick<Projection, 'rows' | 'cols'>): FurthestLines {
  const [ofRows, ofCols] = [furthestOf(rows), furthestOf(cols)];
  return { rows: ofRows.lines, cols: ofCols.lines, others: Math.max(ofRows.others, ofCols.others) };
}

function furthestOf({ blocks, errors, bound, slack, judged }: ProjectionSide) {
  const shares = new Float64Array(errors.length / Math.max(1, blocks));
  let most = 0;
  for (let at = 0; at < errors.length; at++) {
    if (judged[at] === 0) continue;
    const line = Math.floor(at / blocks);
    const limit = bound[at] + slack[at];
    const share = errors[at] === 0 ? 0 : errors[at] / limit;
    if (share > shares[line]) shares[line] = share;
    if (limit > most) most = limit;
  }
  const lines = [...shares.keys()].sort((x, y) => shares[y] - shares[x]);
  const left = lines.slice(FURTHEST);
  return { lines: lines.slice(0, FURTHEST), others: left.length === 0 ? 0 : 2 * shares[left[0]] * most };
}

/** Number of vectors of random signs. */
const VECTORS = 8;
/** The most multiplications for the projections of one side, and the smallest block that is worth it. */
const COST = 2 ** 26;
const SMALLEST_BLOCK = 8;
/** Number of other vectors that are multiplied by A. */
const BESIDE = 5;
/** Mask of the seed of random signs; the seed itself chooses the sampled entries. */
const STREAM = 0x51ed270b;
/** Approximate number of entries that are read at once. */
const PANEL = 2 ** 18;
/** The size from which sums of products may leave the range of doubles. */
const LARGEST = 2 ** 900;

/** The arithmetic of a projected product, as {@link blockErrors} reads it. */
export type ProjectionArithmetic = Omit<BlockTask, 'width' | 'squares' | 'gemm' | 'y'>;

/** A large product, with all that a piece of judging it needs. */
export interface LargeProduct {
  readonly computed: Matrix;
  readonly operands: ReferenceInput;
  readonly gemm: Gemm;
  /** The errors that each product of a batch may have. */
  readonly tasks: readonly ProjectionArithmetic[];
  /** The largest finite number. */
  readonly largest: number;
}

/** The rows of a matrix from ≤ i < to. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** The sums of B's rows, or of some of them, as one side of a product needs them. */
export interface InnerSums {
  readonly blocks: BlockedOperand;
  readonly signed: SignedSums;
}

/** Reads one side of a product of a batch in parts. */
interface SideReader {
  /** Sums rows of B. */
  readInner(range: RowRange): InnerSums;
  /** Adds up rows of the product with random signs, in blocks as small as its size affords. */
  readOuter(range: RowRange, inner: InnerSums): ProjectionSide;
}

/** Entries of an operand that one thread reads for one part. */
const ENTRIES_OF_PART = 2 ** 25;

/** Returns the parts in which rows of so many entries are read. */
export const rangesOf = (rows: number, cols: number): RowRange[] => {
  const height = Math.max(1, Math.floor(ENTRIES_OF_PART / Math.max(1, cols)));
  const count = Math.max(1, Math.ceil(rows / height));
  return Array.from({ length: count }, (_, at) => ({
    from: at * height,
    to: Math.min(rows, (at + 1) * height),
  }));
};

/** Returns the parts in which one side is read: those of B's rows, and those of the rows of A, C and D. */
export const partsOfSide = ({ m, k, n }: Gemm, side: 'rows' | 'cols') =>
  side === 'rows'
    ? { inner: rangesOf(k, n), outer: rangesOf(m, k + n) }
    : { inner: rangesOf(k, m), outer: rangesOf(n, k + m) };

/** Returns a function that reads the rows of a product of a batch, or its columns as rows. */
export function sideReader({ computed, operands, gemm, tasks, largest }: LargeProduct) {
  const { m, n, beta, batch } = gemm;
  const size = m * n;
  const seed = (operands.seed ?? 1) ^ STREAM;
  const members = [...membersOf(operands, gemm)];
  return (member: number, side: 'rows' | 'cols', marks: SpecialMarks | undefined): SideReader => {
    const { a, b, c } = members[member];
    const d = matrix(m, n, computed.data.subarray(member * size, (member + 1) * size));
    const given = { a, b, c: beta === 0 ? undefined : c, d };
    const drawn = { seed: seed + 2 * member + Number(side === 'cols'), largest, share: batch };
    return readerOf(sideOperands(given, marks, side), gemm, tasks[member], drawn);
  };
}

/** Joins the parts of B's rows. */
export const joinInner = (parts: readonly InnerSums[]): InnerSums =>
  parts.length === 1
    ? parts[0]
    : {
        blocks: joinOperands(parts.map(({ blocks }) => blocks)),
        signed: {
          value: joinNumbers(parts.map(({ signed }) => signed.value)),
          low: joinNumbers(parts.map(({ signed }) => signed.low)),
        },
      };

/** Joins the sums of the products of a batch, and of the parts of each. */
export const joinSides = (rows: readonly ProjectionSide[], cols: readonly ProjectionSide[]): Projection => ({
  ...{ vectors: VECTORS, rows: joined(rows), cols: joined(cols) },
});

interface Drawn {
  readonly seed: number;
  readonly largest: number;
  /** Number of products that share the cost. */
  readonly share: number;
}

function readerOf(
  of: SideOperands,
  gemm: Gemm,
  task: ProjectionArithmetic,
  { seed, largest, share }: Drawn,
): SideReader {
  const { a, b } = of;
  const { alpha, beta } = gemm;
  const [m, k, n] = [a.rows, a.cols, b.cols];
  const affordable = Math.floor(COST / (m * Math.max(1, k) * (VECTORS + BESIDE) * share));
  const width = Math.ceil(n / Math.max(1, Math.min(affordable, Math.ceil(n / SMALLEST_BLOCK))));
  const blocks = Math.ceil(n / width);
  const by = { signs: randomSigns(n, VECTORS, seed), width };
  const readInner = ({ from, to }: RowRange): InnerSums => {
    const rows = sliceOf(b, from, to);
    return {
      blocks: blockedOperand(rows, width, operandErrorOf(task.computation)),
      signed: signedSums(rows, by),
    };
  };
  const readOuter = ({ from, to }: RowRange, { blocks: y, signed }: InnerSums): ProjectionSide => {
    const part = (x: Rows) => sliceOf(x, from, to);
    const own = { a: part(a), c: of.c && part(of.c), d: part(of.d), holes: of.holes && part(of.holes) };
    const squares = squaresOf(own, gemm, width, y);
    const gemmOfPart = { ...plainGemm({ m: to - from, k, n }), alpha, beta };
    const read = blockErrors({ a: own.a, b, c: own.c }, { ...task, gemm: gemmOfPart, width, squares, y });
    const errors = projectedErrors(
      { computed: own.d, a: own.a, b, c: own.c, alpha, beta, sumsOfB: signed },
      by,
    );
    const slack = read.size.map((size, at) =>
      projectionSlack(k, width, size + squares.sizes[at], squares.largestA),
    );
    const judged = new Uint8Array(errors.length);
    for (let at = 0; at < judged.length; at++) {
      const inRange = read.size[at] < LARGEST && read.largest[at] * 1.01 + read.bound[at] < largest;
      const isRowOut = of.isRowOut?.[from + Math.floor(at / blocks)] === 1;
      judged[at] = Number(!isRowOut && squares.holes[at] === 0 && inRange);
    }
    return {
      ...{ width, blocks, errors, slack, judged, squares: squares.value },
      bound: read.bound,
      sigma: read.sigma,
    };
  };
  return { readInner, readOuter };
}

/**
 * Returns for each block Σ c² over the entries of D and of A·B. The entries are those of the judged product: a wrong entry raises the
 * expected error by no more than u·√k of its own error. The sum is capped at what Cauchy and Schwarz allow, ‖a_i‖²·Σ‖b_j‖².
 */
function squaresOf(
  { a, c, d, holes }: Pick<SideOperands, 'a' | 'c' | 'd' | 'holes'>,
  { alpha, beta }: Gemm,
  width: number,
  { squares: norms }: BlockedOperand,
) {
  const blocks = Math.ceil(d.cols / width);
  const make = () => new Float64Array(d.rows * blocks);
  const sums = { value: make(), product: make(), sizes: make(), holes: make() };
  const added = make();
  const before = c === undefined ? undefined : rowsOf(c);
  const marks = holes === undefined ? undefined : rowsOf(holes);
  for (const { from, panel } of panelsOf(d, PANEL)) {
    const to = from + panel.rows;
    const [own, marked] = [before?.read(from, to).data, marks?.read(from, to).data];
    const { data, cols } = panel;
    let at = from * blocks;
    for (let row = 0; row < data.length; row += cols) {
      for (let first = row; first < row + cols; first += width, at++) {
        const end = Math.min(row + cols, first + width);
        for (let e = first; e < end; e++) {
          const value = data[e];
          const past = own === undefined ? 0 : beta * own[e];
          const product = alpha === 0 ? 0 : (value - past) / alpha;
          sums.value[at] += value * value;
          sums.product[at] += product * product;
          sums.sizes[at] += Math.abs(value);
          if (marked !== undefined) sums.holes[at] += marked[e];
          added[at] += past * past;
        }
      }
    }
  }
  const { squares: rowNorms, largest: largestA } = blockedOperand(a, Math.max(1, a.cols), undefined);
  const blockNorms = new Float64Array(blocks);
  for (let e = 0; e < norms.length; e++) blockNorms[e % blocks] += norms[e];
  for (let at = 0; at < added.length; at++) {
    const cap = (rowNorms[Math.floor(at / blocks)] ?? 0) * blockNorms[at % blocks];
    sums.product[at] = Math.min(sums.product[at], cap);
    sums.value[at] = Math.min(sums.value[at], (Math.abs(alpha) * Math.sqrt(cap) + Math.sqrt(added[at])) ** 2);
  }
  return { ...sums, largestA };
}

function joined(sides: readonly ProjectionSide[]): ProjectionSide {
  if (sides.length === 1) return sides[0];
  const all = (name: 'errors' | 'bound' | 'sigma' | 'slack' | 'squares') =>
    joinNumbers(sides.map((side) => side[name]));
  const [{ width, blocks }] = sides;
  return {
    ...{
      width,
      blocks,
      errors: all('errors'),
      bound: all('bound'),
      sigma: all('sigma'),
      slack: all('slack'),
    },
    ...{ squares: all('squares'), judged: Uint8Array.from(sides.flatMap((side) => Array.from(side.judged))) },
  };
}
