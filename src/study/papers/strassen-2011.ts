import { formatPercent } from '../../report/numbers.ts';
import type { Table } from '../../report/table.ts';
import type { Entrant } from '../bench/measurement.ts';
import type { BenchOutcome } from '../bench/sweep.ts';
import published from '../published/strassen-2011.json' with { type: 'json' };
import {
  bitsLost,
  entrantsOf,
  findMeasurement,
  formatPublishedNumber,
  NOTHING,
  precisionOf,
  readingsTable,
  timeWon,
} from '../readings.ts';
import {
  cube,
  type ScaledSize,
  type SizeScaling,
  type SpeedOptions,
  type SpeedStudy,
  type Study,
  scaledSizes,
  sizeText,
} from '../study.ts';

import { errors2011, levelsAt } from './strassen-2011-errors.ts';

const { fig24_seconds_C1060: fig24, fig37_speedup_percent_n16384: fig37 } = published;
const { sizes: DOUBLE_SIZES, speedup_percent: fig40 } = published.fig40_f64_C2050_tau2_4096;
const LEVELS = [1, 2, 3, 4];
/** Our names of algorithms, and the published names of rows: a prefix `t` means textures, `d` binary64. */
const FAST = [
  { name: 'strassen', print: 'Strassen' },
  { name: 'winograd', print: 'Winograd' },
] as const;

const speeds: SpeedStudy = {
  notes: [
    'Figures 25–29, 38, 39, 41 and 42 plot the numbers of the tables here.',
    'The classical kernel stands in for the paper’s GPU8; with --leaf gpu8, the paper’s own kernel and a texture variant run. Kernels given with --beside stand in for sgemm and dgemm. Binary64 is emulated, so it is much slower than native.',
  ],
  rounds(options) {
    const { leaf } = options;
    const beside = entrantsOf(options.beside);
    const fast = (leaf: string, levels: readonly number[], precision: 'f32' | 'f64'): Entrant[] =>
      FAST.flatMap(({ name }) =>
        levels.map((of) => ({
          kernel: `${name}:${leaf}`,
          levels: of,
          ...(precision === 'f64' && { precision }),
        })),
      );
    const round = (n: number, levels: readonly number[], precision: 'f32' | 'f64') => ({
      shape: cube(n),
      input: 'uniform',
      entrants: [
        { kernel: `classical:${leaf}`, precision },
        ...fast(leaf, levels, precision),
        // The paper's own leaf kernel comes with variants that read its first operand through a texture.
        ...(leaf === 'gpu8' && precision === 'f32' ? fast('texture', levels, precision) : []),
        ...beside.filter((one) => one.precision === precision),
      ],
    });
    return [
      ...scaledSizes(fig24.sizes, options).map(({ n }) => round(n, LEVELS, 'f32')),
      ...doubleSizes(options).map((size) => round(size.n, [levelsInDouble(size)], 'f64')),
    ];
  },
  tables(outcome, options) {
    const sizes = scaledSizes(fig24.sizes, options);
    const doubles = doubleSizes(options);
    const last = sizes.at(-1);
    return [
      byTau(outcome, sizes, options),
      ...(last === undefined ? [] : [byLevels(outcome, last, options)]),
      ...(doubles.length === 0 ? [] : [inDouble(outcome, doubles, options)]),
    ];
  },
};

/** Li, Ranka and Sahni (2011): every count, every error, and the run times of every number of levels. */
export const strassen2011: Study = {
  name: 'strassen-2011',
  what: 'Strassen’s and Winograd’s algorithms against the classical one (2011)',
  source: "Li, Ranka, Sahni: Strassen's Matrix Multiplication on GPUs (2011)",
  errors: errors2011,
  speeds,
};

/** Returns the sizes in binary64, a quarter of those of binary32. An emulated product in binary64 takes about 75 times as long. */
const doubleSizes = ({ sizes, maxSize, shrink }: SizeScaling): ScaledSize[] =>
  sizes === undefined
    ? scaledSizes(DOUBLE_SIZES, { maxSize: Math.ceil(maxSize / 4), shrink: 4 * shrink })
    : [];

const levelsInDouble = ({ n, paper }: ScaledSize): number => levelsAt(paper ?? n, 4096) || 1;

function byTau(outcome: BenchOutcome, sizes: readonly ScaledSize[], { leaf }: SpeedOptions): Table {
  const rows = sizes.flatMap((size) =>
    FAST.flatMap(({ name, print }) =>
      [4096, 2048].map((tau2) => {
        const { n, paper } = size;
        const levels = levelsAt(paper ?? n, tau2);
        const base = findMeasurement(outcome, {
          kernel: `classical:${leaf}`,
          n,
          levels: 0,
          precision: 'f32',
        });
        const own = leaf === 'gpu8' && tau2 === 2048 ? 'texture' : leaf;
        const kernel = levels === 0 ? `classical:${leaf}` : `${name}:${own}`;
        const one = findMeasurement(outcome, { kernel, n, levels, precision: 'f32' });
        const at = fig24.sizes.findIndex((of) => of === paper);
        const [gpu8, theirs] = ['GPU8', tau2 === 2048 ? `t${print}` : print].map(
          (row) => fig24.rows.find(({ algorithm }) => algorithm === row)?.values[at],
        );
        return { size, name, tau2, levels, base, one, theirs: gpu8 && theirs && 1 - theirs / gpu8 };
      }),
    ),
  );
  return readingsTable(
    'Figures 24–29: time won over the classical product, by τ₂',
    rows,
    [
      ['n', ({ size }) => sizeText(size)],
      ['algorithm', ({ name }) => name],
      ['τ₂', ({ tau2 }) => String(tau2)],
    ],
    [
      ['levels', ({ levels }) => (Number.isInteger(levels) ? String(levels) : NOTHING)],
      ['measured', ({ one, base }) => timeWon(one, base)],
      ['published, over GPU8', ({ theirs }) => formatPublishedNumber(theirs, formatPercent)],
      ['bits lost', ({ one, base }) => bitsLost(one, base)],
    ],
    {
      note: 'Published rows of τ₂ = 2048 are those of the texture variants. τ₁ = τ₂/2, at the size of the paper.',
    },
  );
}

function byLevels(outcome: BenchOutcome, size: ScaledSize, { leaf, beside }: SpeedOptions): Table {
  const at = (kernel: string, levels: number) =>
    findMeasurement(outcome, { kernel, n: size.n, levels, precision: 'f32' });
  const vendor = beside.find((kernel) => precisionOf(kernel) === 'f32');
  const base = at(`classical:${leaf}`, 0);
  const theirs = vendor === undefined ? undefined : at(vendor, 0);
  const rows = FAST.flatMap(({ name, print }) =>
    LEVELS.map((levels) => {
      const [sgemm, gpu8] = fig37[print][levels - 1];
      const textures = fig37[`t${print}`][levels - 1];
      return { name, levels, one: at(`${name}:${leaf}`, levels), sgemm, gpu8, textures };
    }),
  );
  return readingsTable(
    `Figures 36–39: time won by levels, n = ${sizeText(size)}; published at 16384`,
    rows,
    [['algorithm', ({ name }) => name]],
    [
      ['levels', ({ levels }) => String(levels)],
      ['over classical', ({ one }) => timeWon(one, base)],
      ['over GPU8, published', ({ gpu8 }) => `${gpu8} %`],
      ['with textures', ({ textures }) => `${textures[1]} %`],
      [`over ${vendor ?? 'sgemm'}`, ({ one }) => timeWon(one, theirs)],
      ['over sgemm, published', ({ sgemm }) => `${sgemm} %`],
      ['with textures', ({ textures }) => `${textures[0]} %`],
      ['bits lost', ({ one }) => bitsLost(one, base)],
    ],
  );
}

function inDouble(outcome: BenchOutcome, sizes: readonly ScaledSize[], { leaf }: SpeedOptions): Table {
  const rows = sizes.flatMap((size) =>
    FAST.map(({ name, print }) => {
      const levels = levelsInDouble(size);
      const at = (kernel: string, levels: number) =>
        findMeasurement(outcome, { kernel: `${kernel}:${leaf}`, n: size.n, levels, precision: 'f64' });
      const theirs = fig40[`d${print}`][DOUBLE_SIZES.findIndex((of) => of === size.paper)];
      return { size, name, levels, base: at('classical', 0), one: at(name, levels), theirs };
    }),
  );
  return readingsTable(
    'Figures 40–42: binary64, τ₂ = 4096',
    rows,
    [
      ['n', ({ size }) => sizeText(size)],
      ['algorithm', ({ name }) => name],
    ],
    [
      ['levels', ({ levels }) => String(levels)],
      ['measured', ({ one, base }) => timeWon(one, base)],
      ['published, over dgemm', ({ theirs }) => formatPublishedNumber(theirs, (share) => `${share} %`)],
      ['bits lost', ({ one, base }) => bitsLost(one, base)],
    ],
  );
}
