import type { Matrix, RealArray } from '../matrix/dense.ts';
import { columnsOf, mappedRows, type Rows } from '../matrix/row-reader.ts';

/** The matrices of one product of a batch. */
interface MemberMatrices {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c: Matrix | undefined;
  readonly d: Matrix;
}

/** Lines of a product with values that are not finite. Products of finite values alone have no marks. */
export interface SpecialMarks {
  /** 1 for rows of A with NaN or an infinity; `isColOut` marks such columns of B. */
  readonly isRowOut: Uint8Array;
  readonly isColOut: Uint8Array;
}

/** A product as one side reads it: its rows, or its columns as rows. Lines and entries that are not finite are 0. */
export interface SideOperands {
  readonly a: Rows;
  readonly b: Rows;
  readonly c: Rows | undefined;
  readonly d: Rows;
  readonly isRowOut: Uint8Array | undefined;
  /** m×n: 1 for entries of C or of the product that alone are not finite; undefined where there are none. */
  readonly holes: Rows | undefined;
}

/** Returns a product as one side reads it. */
export function sideOperands(
  { a, b, c, d }: MemberMatrices,
  marks: SpecialMarks | undefined,
  side: 'rows' | 'cols',
): SideOperands {
  const ofRows = side === 'rows';
  const lines = (x: Matrix): Rows => (ofRows ? x : columnsOf(x));
  const [left, right] = ofRows ? [a, b] : [b, a];
  const own = { a: lines(left), b: lines(right), c: c && lines(c), d: lines(d) };
  if (marks === undefined) return { ...own, isRowOut: undefined, holes: undefined };
  const [isRowOut, isColOut] = ofRows ? [marks.isRowOut, marks.isColOut] : [marks.isColOut, marks.isRowOut];
  const colsOut = [...isColOut.keys()].filter((j) => isColOut[j] === 1);
  const results = [d, ...(c === undefined ? [] : [c])].map(lines);
  const cleared = (x: Rows) =>
    mappedRows([x, ...results], ([entries, ...others], from) => {
      const data = clearLines(entries, from, isRowOut, colsOut, x.cols);
      for (const other of others)
        for (let e = 0; e < data.length; e++) if (!Number.isFinite(other[e])) data[e] = 0;
      return data;
    });
  return {
    a: mappedRows([own.a], ([entries], from) => clearLines(entries, from, isRowOut, [], own.a.cols)),
    b: mappedRows([own.b], ([entries]) => clearLines(entries, 0, NO_ROWS, colsOut, own.b.cols)),
    c: own.c && cleared(own.c),
    d: cleared(own.d),
    isRowOut,
    holes: mappedRows(results, (panels, from) => {
      const holes = panels[0].map(() => 0);
      for (const panel of panels)
        for (let e = 0; e < holes.length; e++) if (!Number.isFinite(panel[e])) holes[e] = 1;
      return clearLines(holes, from, isRowOut, colsOut, own.d.cols);
    }),
  };
}

const NO_ROWS = new Uint8Array(0);

/** Copies rows from row `from` on, with 0 in the given lines. */
function clearLines(
  entries: RealArray,
  from: number,
  isRowOut: Uint8Array,
  colsOut: readonly number[],
  cols: number,
): RealArray {
  const data = entries.slice();
  for (let i = from, at = 0; at < data.length; i++, at += cols) {
    if (isRowOut[i] === 1) data.fill(0, at, at + cols);
    else for (const j of colsOut) data[at + j] = 0;
  }
  return data;
}
