import { scaleLayouts } from '../../precision/coding/scale-layouts.ts';
import type { Format } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import type { Cause } from './cause.ts';
import {
  type FactorBlock,
  listCodedOperands,
  type Misreading,
  predictEachOperand,
  predictProduct,
  readerOf,
} from './coded-reading.ts';

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
