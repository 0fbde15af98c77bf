import type { Coded } from '../../matrix/coded.ts';
import type { Coding, Operand } from '../../precision/coding/coding.ts';
import { scaleLayouts } from '../../precision/coding/scale-layouts.ts';
import type { Format } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import type { Cause, EntryOf, Prediction, Scene } from './cause.ts';

/** Where a factor is read: in a matrix of so many rows and columns of blocks of one product. */
interface Block {
  readonly level: number;
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  /** The factor of another block; undefined outside of them. */
  at(row: number, col: number): number | undefined;
}

/** A mistake in reading one operand: what is left out is read as it should be. */
interface Misreading {
  readonly factor?: (block: Block) => number | undefined;
  readonly element?: (x: number) => number;
  readonly zero?: (x: number) => number;
  /** Where along k an element is read. */
  readonly place?: (q: number) => number;
}

/** The number at a line and a place along k of product p. */
type Reader = (line: number, q: number, p: number) => number | undefined;

/** One coded operand of a scene. */
interface Side {
  readonly of: Operand;
  readonly coding: Coding;
  readonly coded: Coded;
  readonly lines: number;
}

function sidesOf({ evidence: { machine, operands }, gemm }: Scene): Side[] {
  return (['a', 'b'] as const).flatMap((of) => {
    const coding = machine.precision.coded?.[of];
    const known = operands.coded?.[of];
    if (coding === undefined || known?.decoded !== operands[of]) return [];
    return [{ of, coding, coded: known.coded, lines: of === 'a' ? gemm.m : gemm.n }];
  });
}

function readerOf({ gemm }: Scene, { of, coding, coded, lines }: Side, change: Misreading): Reader {
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
    const { lines: height, entries } = coding.scales[level];
    const { rows: all, cols, data } = coded.scales[level];
    const rows = Math.max(1, Math.ceil(lines / height));
    const first = Math.min(p * rows, all - rows);
    const at = (row: number, col: number) =>
      row < 0 || row >= rows || col < 0 || col >= cols ? undefined : data[(first + row) * cols + col];
    const [row, col] = [Math.floor(line / height), Math.floor(q / entries)];
    return change.factor === undefined ? at(row, col) : change.factor({ level, row, col, rows, cols, at });
  };
  const zeroAt = (line: number, q: number, p: number) => {
    if (coded.zeros === undefined) return 0;
    const { lines: height, entries } = coding.scales[0];
    const rows = Math.max(1, Math.ceil(lines / height));
    const first = Math.min(p * rows, coded.zeros.rows - rows);
    const own =
      coded.zeros.data[(first + Math.floor(line / height)) * coded.zeros.cols + Math.floor(q / entries)];
    return change.zero?.(own) ?? own;
  };
  return (line, q, asked) => {
    const p = isShared ? 0 : asked;
    const element = elementAt(line, q, p);
    if (element === undefined) return undefined;
    let number: number | undefined = (change.element?.(element) ?? element) - zeroAt(line, q, p);
    for (let level = 0; level < coding.scales.length; level++) {
      const factor = factorAt(level, line, q, p);
      if (factor === undefined) return undefined;
      number *= factor;
    }
    return number;
  };
}

/** The product where some operands are misread. */
function misread(scene: Scene, sides: readonly Side[], change: Misreading): EntryOf {
  const { gemm, a, b, c } = scene;
  const readers = new Map(sides.map((side) => [side.of, readerOf(scene, side, change)]));
  const left = readers.get('a') ?? a;
  const right = readers.get('b') ?? ((line: number, q: number, p: number) => b(q, line, p));
  const { alpha, beta, k } = gemm;
  return (i, j, p) => {
    let sum = 0;
    for (let q = 0; q < k; q++) {
      const [x, y] = [left(i, q, p), right(j, q, p)];
      if (x === undefined || y === undefined) return undefined;
      sum += x * y;
    }
    return alpha * sum + (beta === 0 ? 0 : beta * c(i, j, p));
  };
}

/** A mistake in reading one operand or both. */
function eachWay(scene: Scene, says: (whose: string) => string, change: Misreading): Prediction[] {
  const sides = sidesOf(scene);
  const both = sides.length > 1 ? [{ whose: 'A and B', own: sides }] : [];
  const each = sides.map((side) => ({ whose: side.of.toUpperCase(), own: [side] }));
  return [...both, ...each].map(({ whose, own }) => ({
    says: says(whose),
    entry: misread(scene, own, change),
    rounded: true,
  }));
}

const shifts = [
  { name: 'the block before along k', row: 0, col: -1 },
  { name: 'the next block along k', row: 0, col: 1 },
  { name: 'the lines before', row: -1, col: 0 },
  { name: 'the next lines', row: 1, col: 0 },
] as const;

const swizzled = scaleLayouts.find('swizzled');

const clamped = (at: number, count: number) => Math.min(count - 1, Math.max(0, at));

/** Mistakes in where factors are read. */
const wrongFactors: readonly (readonly [what: string, factor: NonNullable<Misreading['factor']>])[] = [
  ['were left out', () => 1],
  ['were those of the first block along k', ({ row, at }) => at(row, 0)],
  ['were those of the first lines', ({ col, at }) => at(0, col)],
  ...shifts.map(
    ({ name, row: down, col: right }) =>
      [
        `were those of ${name}`,
        ({ row, col, rows, cols, at }: Block) => at(clamped(row + down, rows), clamped(col + right, cols)),
      ] as const,
  ),
  [
    'were read as the transpose of how they lie',
    ({ row, col, rows, cols, at }) => {
      const place = col * rows + row;
      return at(Math.floor(place / cols), place % cols);
    },
  ],
  [
    'were read as if they lay swizzled',
    ({ row, col, rows, cols, at }) => {
      const place = swizzled.at(row, col, cols);
      return place < rows * cols ? at(Math.floor(place / cols), place % cols) : undefined;
    },
  ],
  ['were multiplied by twice', ({ row, col, at }) => (at(row, col) ?? Number.NaN) ** 2],
  ['were divided by', ({ row, col, at }) => 1 / (at(row, col) ?? Number.NaN)],
  [
    'were rounded up to powers of two',
    ({ row, col, at }) => 2 ** Math.ceil(Math.log2(at(row, col) ?? Number.NaN)),
  ],
];

const misplaced: Cause = {
  name: 'scales',
  *predict(scene) {
    for (const [what, factor] of wrongFactors)
      yield* eachWay(scene, (whose) => `as if the scales of ${whose} ${what}`, { factor });
    // Of two levels one alone may be left out.
    const levels = Math.max(0, ...sidesOf(scene).map(({ coding }) => coding.scales.length));
    for (let left = 0; levels > 1 && left < levels; left++) {
      const which = left === 0 ? 'smallest' : 'largest';
      yield* eachWay(scene, (whose) => `as if the scales of the ${which} blocks of ${whose} were left out`, {
        factor: ({ level, row, col, at }) => (level === left ? 1 : at(row, col)),
      });
    }
  },
};

/** A's factors for B, and B's for A: those of the block at the same place, where there is one. */
const swapped: Cause = {
  name: 'scales-swapped',
  *predict(scene) {
    const [a, b] = sidesOf(scene);
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
    const { alpha, beta, k } = scene.gemm;
    const entry: EntryOf = (i, j, p) => {
      let sum = 0;
      for (let q = 0; q < k; q++) {
        const [x, y] = [readers[0](i, q, p), readers[1](j, q, p)];
        if (x === undefined || y === undefined) return undefined;
        sum += x * y;
      }
      return alpha * sum + (beta === 0 ? 0 : beta * scene.c(i, j, p));
    };
    yield { says: 'as if the scales of A and B traded places', entry, rounded: true };
  },
};

/** Formats whose patterns may be taken for those of an element format. */
const takenFor = (element: Format): Format[] =>
  formats.items.filter(({ name, code }) => code.bits === element.code?.bits && name !== element.name);

const elements: Cause = {
  name: 'elements',
  *predict(scene) {
    yield* eachWay(scene, (whose) => `as if the zero points of ${whose} were left out`, { zero: () => 0 });
    yield* eachWay(scene, (whose) => `as if each two elements of ${whose} along k traded places`, {
      place: (q) => q ^ 1,
    });
    for (const { coding } of sidesOf(scene).slice(0, 1)) {
      const { code } = coding.element;
      if (code === undefined) continue;
      for (const other of takenFor(coding.element)) {
        yield* eachWay(scene, (whose) => `as if elements of ${whose} were read as ${other.name}`, {
          element: (x) => other.code?.decode(code.encode(x)) ?? x,
        });
      }
    }
  },
};

/** Mistakes in reading coded operands. */
export const codeCauses: readonly Cause[] = [swapped, misplaced, elements];
