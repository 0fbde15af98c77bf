import type { CodedMatrix } from '../../matrix/operands.ts';
import type { Coding, Operand } from '../../precision/coding/coding.ts';
import { blockIndexOf, decodeElement, factorsFrom } from '../../precision/coding/coding.ts';
import { scaleLayouts } from '../../precision/coding/scale-layouts.ts';
import type { Format } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import {
  type Cause,
  type EntryPrediction,
  type Prediction,
  scaledEntry,
  type WrongProductScene,
} from './cause.ts';

/** Readers of coded operands, with or without one mistake. */

/** Position of a factor in the matrix of factors of one product: `rows`×`cols` blocks. */
interface FactorBlock {
  readonly level: number;
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  /** Returns the factor of another block; undefined outside the matrix. */
  at(row: number, col: number): number | undefined;
}

/** A mistake in reading one operand; parts that are left out are read correctly. */
interface Misreading {
  readonly factor?: (block: FactorBlock) => number | undefined;
  readonly element?: (x: number) => number;
  readonly zero?: (x: number) => number;
  /** The place along k at which an element is read. */
  readonly place?: (q: number) => number;
}

/** The number at a line and a place along k of product p. */
type Reader = (line: number, q: number, p: number) => number | undefined;

interface CodedOperand {
  readonly of: Operand;
  readonly coding: Coding;
  readonly coded: CodedMatrix;
  readonly lines: number;
}

/** Returns the operands of a scene whose codes are known. */
function listCodedOperands({ evidence: { machine, operands }, gemm }: WrongProductScene): CodedOperand[] {
  return (['a', 'b'] as const).flatMap((of) => {
    const coding = machine.precision.coded?.[of];
    const known = operands.coded?.[of];
    if (coding === undefined || known?.decoded !== operands[of]) return [];
    return [{ of, coding, coded: known.coded, lines: of === 'a' ? gemm.m : gemm.n }];
  });
}

/** Returns a reader of an operand with a mistake. */
function readerOf(
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

function predictProduct({ gemm, c }: WrongProductScene, left: Reader, right: Reader): EntryPrediction {
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
function predictEachOperand(
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

const shifts = [
  { name: 'the previous block along k', row: 0, col: -1 },
  { name: 'the next block along k', row: 0, col: 1 },
  { name: 'the previous lines', row: -1, col: 0 },
  { name: 'the next lines', row: 1, col: 0 },
] as const;

const swizzled = scaleLayouts.find('swizzled');

const clamped = (at: number, count: number) => Math.min(count - 1, Math.max(0, at));

/** Mistakes in the places from which factors are read. */
const wrongFactors: readonly (readonly [what: string, factor: NonNullable<Misreading['factor']>])[] = [
  ['were ignored', () => 1],
  ['were those of the first block along k', ({ row, at }) => at(row, 0)],
  ['were those of the first lines', ({ col, at }) => at(0, col)],
  ...shifts.map(
    ({ name, row: down, col: right }) =>
      [
        `were those of ${name}`,
        ({ row, col, rows, cols, at }: FactorBlock) =>
          at(clamped(row + down, rows), clamped(col + right, cols)),
      ] as const,
  ),
  [
    'were read transposed',
    ({ row, col, rows, cols, at }) => {
      const place = col * rows + row;
      return at(Math.floor(place / cols), place % cols);
    },
  ],
  [
    'were read in swizzled order',
    ({ row, col, rows, cols, at }) => {
      const place = swizzled.at(row, col, cols);
      return place < rows * cols ? at(Math.floor(place / cols), place % cols) : undefined;
    },
  ],
  ['were applied twice', ({ row, col, at }) => (at(row, col) ?? Number.NaN) ** 2],
  ['were divided by, not multiplied by', ({ row, col, at }) => 1 / (at(row, col) ?? Number.NaN)],
  [
    'were rounded up to powers of two',
    ({ row, col, at }) => 2 ** Math.ceil(Math.log2(at(row, col) ?? Number.NaN)),
  ],
];

const misplaced: Cause = {
  name: 'scales',
  *predict(scene) {
    for (const [what, factor] of wrongFactors)
      yield* predictEachOperand(scene, (whose) => `the scales of ${whose} ${what}`, { factor });
    // One of two levels may be left out alone.
    const levels = Math.max(0, ...listCodedOperands(scene).map(({ coding }) => coding.scales.length));
    for (let left = 0; levels > 1 && left < levels; left++) {
      const which = left === 0 ? 'smallest' : 'largest';
      yield* predictEachOperand(
        scene,
        (whose) => `the scales of the ${which} blocks of ${whose} were ignored`,
        {
          factor: ({ level, row, col, at }) => (level === left ? 1 : at(row, col)),
        },
      );
    }
  },
};

/** A's factors taken for B and B's for A: the factor of the block at the same place, where there is one. */
const swapped: Cause = {
  name: 'scales-swapped',
  *predict(scene) {
    const [a, b] = listCodedOperands(scene);
    if (b === undefined || a.coding.scales.length !== b.coding.scales.length) return;
    const others = { a: b, b: a };
    const readers = [a, b].map((side) => {
      const { coded, coding, lines } = others[side.of];
      const taken = { ...side.coded, scales: coded.scales };
      return readerOf(
        scene,
        {
          ...side,
          coded: taken,
          coding: { ...side.coding, scales: coding.scales },
          lines: side.of === 'a' ? scene.gemm.m : lines,
        },
        {},
      );
    });
    const entry = predictProduct(scene, readers[0], readers[1]);
    yield { says: 'the scales of A and B were swapped', entry, rounded: true };
  },
};

/** Formats with codes of the same width, for which an element format may be mistaken. */
const takenFor = (element: Format): Format[] =>
  formats.items.filter(({ name, code }) => code.bits === element.code?.bits && name !== element.name);

const elements: Cause = {
  name: 'elements',
  *predict(scene) {
    yield* predictEachOperand(scene, (whose) => `the zero points of ${whose} were ignored`, {
      zero: () => 0,
    });
    yield* predictEachOperand(scene, (whose) => `neighboring elements of ${whose} along k were swapped`, {
      place: (q) => q ^ 1,
    });
    for (const { coding } of listCodedOperands(scene).slice(0, 1)) {
      const { code } = coding.element;
      if (code === undefined) continue;
      for (const other of takenFor(coding.element)) {
        yield* predictEachOperand(scene, (whose) => `elements of ${whose} were read as ${other.name}`, {
          element: (x) => other.code?.decode(code.encode(x)) ?? x,
        });
      }
    }
  },
};

/** Mistakes in reading coded operands. */
export const codeCauses: readonly Cause[] = [swapped, misplaced, elements];
