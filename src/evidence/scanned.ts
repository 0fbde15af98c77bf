import { type OperandSize, operandSize } from '../exact/sizes.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { ReferenceInput } from './compared.ts';
import { type RowRange, rangesOf } from './projection.ts';
import type { SpecialMarks } from './side-operands.ts';
import type { OperandSizes } from './whole-reference.ts';

/** The findings of a scan of rows of a matrix. */
export interface ScannedRows {
  readonly size: OperandSize;
  /** 1 for rows and columns with an entry that is not finite; undefined where all are finite. */
  readonly special: { readonly rows: Uint8Array; readonly cols: Uint8Array } | undefined;
}

/** Measures rows of a matrix, and marks their entries that are not finite. */
export function scanRows(x: Matrix): ScannedRows {
  const size = operandSize(x);
  if (size.maxAbs < Number.POSITIVE_INFINITY) return { size, special: undefined };
  const special = { rows: new Uint8Array(x.rows), cols: new Uint8Array(x.cols) };
  for (let i = 0, e = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++, e++) {
      if (Number.isFinite(x.data[e])) continue;
      special.rows[i] = 1;
      special.cols[j] = 1;
    }
  }
  return { size, special };
}

/** Rows of a matrix, and the findings of their scan. */
interface ScannedPart {
  readonly rows: number;
  readonly cols: number;
  readonly found: ScannedRows;
}

/** Returns the size of a matrix from those of its parts. */
export const joinSizes = (parts: readonly OperandSize[]): OperandSize => ({
  maxAbs: parts.reduce((most, { maxAbs }) => Math.max(most, maxAbs), 0),
  frobenius:
    parts.length === 1
      ? parts[0].frobenius
      : Math.sqrt(parts.reduce((sum, { frobenius }) => sum + frobenius ** 2, 0)),
});

/** Joins scans of parts that lie one below the other. */
export function joinScans(parts: readonly ScannedPart[]): ScannedRows {
  if (parts.length === 1) return parts[0].found;
  const size = joinSizes(parts.map(({ found }) => found.size));
  if (parts.every(({ found }) => found.special === undefined)) return { size, special: undefined };
  const cols = new Uint8Array(parts[0].cols);
  const rows = new Uint8Array(parts.reduce((sum, part) => sum + part.rows, 0));
  let at = 0;
  for (const { rows: height, found } of parts) {
    if (found.special !== undefined) {
      rows.set(found.special.rows, at);
      for (const [j, mark] of found.special.cols.entries()) cols[j] |= mark;
    }
    at += height;
  }
  return { size, special: { rows, cols } };
}

/** The matrices of a large product; `d` is the computed one. */
type Scanned = 'a' | 'b' | 'c' | 'd';

/** A scan of rows of one matrix. */
export interface ScanPiece {
  readonly scanned: Scanned;
  readonly range: RowRange;
}

/** The scans of the matrices that a product reads, one for each matrix of a batch. One that all products share stands once. */
export type Scans = { readonly [of in Scanned]: readonly ScannedRows[] };

/** Scans the matrices of a product in parts. */
export function* scanning(
  { a, b, c, d }: ReferenceInput & { readonly d?: Matrix | undefined },
  { m, k, beta }: Gemm,
): Generator<readonly ScanPiece[], Scans, readonly unknown[]> {
  const addend = beta === 0 ? undefined : c;
  const given = { a: [a, m], b: [b, k], c: [addend, m], d: [d, m] } as const;
  const parts = Object.entries(given).flatMap(([scanned, [x, rows]]) =>
    x === undefined ? [] : membersIn(x, rows).map((ranges) => ({ scanned: scanned as Scanned, x, ranges })),
  );
  const asked = parts.flatMap(({ scanned, ranges }) => ranges.map((range) => ({ scanned, range })));
  const found = ((yield asked) as ScannedRows[]).values();
  const joined = parts.map(({ scanned, x, ranges }) => ({
    scanned,
    scan: joinScans(
      ranges.map(({ from, to }) => ({
        ...{ rows: to - from, cols: x.cols },
        found: found.next().value as ScannedRows,
      })),
    ),
  }));
  const of = (name: Scanned) => joined.filter(({ scanned }) => scanned === name).map(({ scan }) => scan);
  return { a: of('a'), b: of('b'), c: of('c'), d: of('d') };
}

/** Returns the parts in which the matrices of a stack are read. @param rows rows of each */
function membersIn(x: Matrix, rows: number): RowRange[][] {
  const count = rows === 0 ? 1 : Math.max(1, x.rows / rows);
  return Array.from({ length: count }, (_, member) =>
    rangesOf(Math.min(rows, x.rows), x.cols).map(({ from, to }) => ({
      from: member * rows + from,
      to: member * rows + to,
    })),
  );
}

/** Scans rows of a matrix of a product. */
export function scanOf(
  { a, b, c, d }: ReferenceInput & { readonly d?: Matrix | undefined },
  { scanned, range: { from, to } }: ScanPiece,
): ScannedRows {
  const { cols, data } = { a, b, c, d }[scanned] as Matrix;
  return scanRows(matrix(to - from, cols, data.subarray(from * cols, to * cols)));
}

/** Marks the values of each product that are not finite. */
export function marksOf(scans: Scans, { m, n, batch }: Gemm): (SpecialMarks | undefined)[] {
  return Array.from({ length: batch }, (_, member) => {
    const [a, b, c, d] = (['a', 'b', 'c', 'd'] as const).map((name) => {
      const own = scans[name];
      return own[own.length === 1 ? 0 : member]?.special;
    });
    if ([a, b, c, d].every((special) => special === undefined)) return undefined;
    return { isRowOut: a?.rows ?? new Uint8Array(m), isColOut: b?.cols ?? new Uint8Array(n) };
  });
}

/** True if operands have entries that are not finite. */
export const hasSpecialEntries = ({ a, b, c }: Scans): boolean =>
  [...a, ...b, ...c].some(({ special }) => special !== undefined);

/** Returns the sizes of operands from those of the matrices of a batch. */
export function sizesOf({ a, b, c }: Scans): OperandSizes {
  const whole = (scans: readonly ScannedRows[]) => joinSizes(scans.map(({ size }) => size));
  return { a: whole(a), b: whole(b), c: c.length === 0 ? undefined : whole(c) };
}
