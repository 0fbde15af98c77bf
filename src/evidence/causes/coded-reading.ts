import type { CodedMatrix } from '../../matrix/operands.ts';
import {
  blockIndexOf,
  type Coding,
  decodeElement,
  factorsFrom,
  type Operand,
} from '../../precision/coding/coding.ts';
import { type EntryPrediction, type Prediction, scaledEntry, type WrongProductScene } from './cause.ts';

/** Readers of coded operands, with or without one mistake. */

/** Position of a factor in the matrix of factors of one product: `rows`×`cols` blocks. */
export interface FactorBlock {
  readonly level: number;
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  /** Returns the factor of another block; undefined outside the matrix. */
  at(row: number, col: number): number | undefined;
}

/** A mistake in reading one operand; parts that are left out are read correctly. */
export interface Misreading {
  readonly factor?: (block: FactorBlock) => number | undefined;
  readonly element?: (x: number) => number;
  readonly zero?: (x: number) => number;
  /** The place along k at which an element is read. */
  readonly place?: (q: number) => number;
}

/** The number at a line and a place along k of product p. */
type Reader = (line: number, q: number, p: number) => number | undefined;

/** One coded operand of a scene. */
export interface CodedOperand {
  readonly of: Operand;
  readonly coding: Coding;
  readonly coded: CodedMatrix;
  readonly lines: number;
}

/** Returns the operands of a scene whose codes are known. */
export function listCodedOperands({
  evidence: { machine, operands },
  gemm,
}: WrongProductScene): CodedOperand[] {
  return (['a', 'b'] as const).flatMap((of) => {
    const coding = machine.precision.coded?.[of];
    const known = operands.coded?.[of];
    if (coding === undefined || known?.decoded !== operands[of]) return [];
    return [{ of, coding, coded: known.coded, lines: of === 'a' ? gemm.m : gemm.n }];
  });
}

/** Returns a reader of an operand with a mistake. */
export function readerOf(
  { gemm }: WrongProductScene,
  { of, coding, coded, lines }: CodedOperand,
  change: Misreading,
): Reader {
  const { elements } = coded;
  const { k } = gemm;
  const isShared = gemm[of].stride === 0;
  const elementAt = (line: number, q: number, p: number) => {
    const place = change.place?.(q) ?? q;
    if (place < 0 || place >= k) return undefined;
    const row = of === 'a' ? p * lines + line : p * k + place;
    return elements.data[row * elements.cols + (of === 'a' ? place : line)];
  };
  const factorAt = (level: number, line: number, q: number, p: number) => {
    const block = coding.scales[level];
    const { rows: all, cols, data } = coded.scales[level];
    const rows = Math.max(1, Math.ceil(lines / block.lines));
    const first = Math.min(p * rows, all - rows);
    const at = (row: number, col: number) =>
      row < 0 || row >= rows || col < 0 || col >= cols ? undefined : data[(first + row) * cols + col];
    const { row, col } = blockIndexOf(line, q, block);
    return change.factor === undefined ? at(row, col) : change.factor({ level, row, col, rows, cols, at });
  };
  const zeroAt = (line: number, q: number, p: number) => {
    if (coded.zeros === undefined) return 0;
    const [block] = coding.scales;
    const { rows: all, cols, data } = coded.zeros;
    const rows = Math.max(1, Math.ceil(lines / block.lines));
    const { row, col } = blockIndexOf(line, q, block);
    const own = data[(Math.min(p * rows, all - rows) + row) * cols + col];
    return change.zero?.(own) ?? own;
  };
  return (line, q, asked) => {
    const p = isShared ? 0 : asked;
    const element = elementAt(line, q, p);
    if (element === undefined) return undefined;
    const { factor, minimum } = factorsFrom(
      coding.scales,
      (level) => factorAt(level, line, q, p) ?? Number.NaN,
    );
    if (Number.isNaN(factor) || Number.isNaN(minimum)) return undefined;
    return decodeElement(change.element?.(element) ?? element, zeroAt(line, q, p), factor, minimum);
  };
}

/** Returns the product of the operands as two readers see them. */
export function predictProduct({ gemm, c }: WrongProductScene, left: Reader, right: Reader): EntryPrediction {
  const product: EntryPrediction = (i, j, p) => {
    let sum = 0;
    for (let q = 0; q < gemm.k; q++) {
      const [x, y] = [left(i, q, p), right(j, q, p)];
      if (x === undefined || y === undefined) return undefined;
      sum += x * y;
    }
    return sum;
  };
  return scaledEntry(gemm, product, c);
}

/** Returns the product with some operands misread. */
function misread(
  scene: WrongProductScene,
  sides: readonly CodedOperand[],
  change: Misreading,
): EntryPrediction {
  const { a, b } = scene;
  const readers = new Map(sides.map((side) => [side.of, readerOf(scene, side, change)]));
  return predictProduct(scene, readers.get('a') ?? a, readers.get('b') ?? ((line, q, p) => b(q, line, p)));
}

/** Returns predictions of a mistake in reading both operands, A alone, and B alone. */
export function predictEachOperand(
  scene: WrongProductScene,
  says: (whose: string) => string,
  change: Misreading,
): Prediction[] {
  const sides = listCodedOperands(scene);
  const both = sides.length > 1 ? [{ whose: 'A and B', own: sides }] : [];
  const each = sides.map((side) => ({ whose: side.of.toUpperCase(), own: [side] }));
  return [...both, ...each].map(({ whose, own }) => ({
    says: says(whose),
    entry: misread(scene, own, change),
    rounded: true,
  }));
}
