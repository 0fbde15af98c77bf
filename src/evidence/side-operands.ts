import { areFinite, type Matrix, type RealArray } from '../matrix/dense.ts';
import { columnsOf, mappedRows, type Rows } from '../matrix/row-reader.ts';

/** The matrices of one product of a batch. */
interface MemberMatrices {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c: Matrix | undefined;
  readonly d: Matrix;
}

/** Lines and entries with values that are not finite. */
export interface SpecialMarks {
  /** 1 for rows of A with NaN or an infinity; `isColOut` marks such columns of B. */
  readonly isRowOut: Uint8Array;
  readonly isColOut: Uint8Array;
  /** True if all entries are finite. */
  readonly areNone: boolean;
}

/** Marks the values of a product that are not finite. */
export function marksOf({ a, b, c, d }: MemberMatrices): SpecialMarks {
  const [isRowOut, isColOut] = [specialRows(a), specialCols(b)];
  const hasOut = isRowOut.includes(1) || isColOut.includes(1);
  return {
    isRowOut,
    isColOut,
    areNone: !hasOut && areFinite(d.data) && (c === undefined || areFinite(c.data)),
  };
}

/** A product as one side reads it: its rows, or its columns as rows. Lines and entries that are not finite are 0. */
export interface SideOperands {
  readonly a: Rows;
  readonly b: Rows;
  readonly c: Rows | undefined;
  readonly d: Rows;
  readonly isRowOut: Uint8Array;
  /** m×n: 1 for entries of C or of the product that alone are not finite; undefined where there are none. */
  readonly holes: Rows | undefined;
}

/** Returns a product as one side reads it. */
export function sideOperands(
  { a, b, c, d }: MemberMatrices,
  marks: SpecialMarks,
  side: 'rows' | 'cols',
): SideOperands {
  const ofRows = side === 'rows';
  const lines = (x: Matrix): Rows => (ofRows ? x : columnsOf(x));
  const [left, right] = ofRows ? [a, b] : [b, a];
  const [isRowOut, isColOut] = ofRows ? [marks.isRowOut, marks.isColOut] : [marks.isColOut, marks.isRowOut];
  const own = { a: lines(left), b: lines(right), c: c && lines(c), d: lines(d), isRowOut };
  if (marks.areNone) return { ...own, holes: undefined };
  const isOut = (i: number, j: number) => isRowOut[i] === 1 || isColOut[j] === 1;
  const results = [d, ...(c === undefined ? [] : [c])];
  const isHole = (panels: readonly RealArray[], at: number) =>
    panels.some((panel) => !Number.isFinite(panel[at]));
  const cleared = (x: Matrix) =>
    mappedRows([x, ...results].map(lines), ([entries, ...others], at, i, j) =>
      isOut(i, j) || isHole(others, at) ? 0 : entries[at],
    );
  return {
    a: mappedRows([own.a], ([entries], at, i) => (isRowOut[i] === 1 ? 0 : entries[at])),
    b: mappedRows([own.b], ([entries], at, _, j) => (isColOut[j] === 1 ? 0 : entries[at])),
    c: c && cleared(c),
    d: cleared(d),
    isRowOut,
    holes: mappedRows(results.map(lines), (panels, at, i, j) => Number(!isOut(i, j) && isHole(panels, at))),
  };
}

/** Marks with 1 the rows with an entry that is not finite. */
export function specialRows({ rows, cols, data }: Matrix): Uint8Array {
  const marks = new Uint8Array(rows);
  for (let e = 0; e < data.length; e++) if (!Number.isFinite(data[e])) marks[Math.floor(e / cols)] = 1;
  return marks;
}

/** Marks with 1 the columns with an entry that is not finite. */
export function specialCols({ cols, data }: Matrix): Uint8Array {
  const marks = new Uint8Array(cols);
  for (let e = 0; e < data.length; e++) if (!Number.isFinite(data[e])) marks[e % cols] = 1;
  return marks;
}
