import type { Entrant, Measurement } from '../measurement.ts';
import type { Outcome, Round } from '../sweep.ts';
import { lost, percentage, type Table } from '../table.ts';
import { strassen2011Speed as published } from './published/strassen-2011-speed.ts';
import {
  type BenchStudy,
  cube,
  precisionOf,
  type ScaledSize,
  type StudyOptions,
  scaledSizes,
  sizeText,
} from './study.ts';

const SIZES = published.fig24_seconds_C1060.sizes;
const DOUBLE_SIZES = published.fig40_f64_C2050_tau2_4096.sizes;
const LEVELS = [1, 2, 3, 4];
const FAST = ['strassen', 'winograd'] as const;
/** Levels where n stands for `paper` and τ₁ = τ₂/2: log₂(2n/τ₂). */
const levelsAt = (paper: number, tau2: number) => Math.max(0, Math.log2((2 * paper) / tau2));

/** Li, Ranka and Sahni's run times: every number of levels at every size, in binary32, and two in binary64. */
export const strassen2011: BenchStudy = {
  name: 'strassen-2011',
  title: 'Strassen’s and Winograd’s algorithms against the classical one (2011)',
  source: 'Li, Ranka, Sahni: Strassen’s Matrix Multiplication on GPUs (2011), Figures 24–29 and 36–42.',
  sizes: SIZES,
  notes: [
    'Figures 25–29, 38, 39, 41 and 42 plot what the tables here print.',
    'The paper’s GPU8 is played by our classical kernel (by its own, and its textures by ours, with --leaf gpu8), its sgemm and dgemm by the kernels given with --beside; binary64 is emulated, and so far slower than a GPU’s own.',
  ],
  rounds(options) {
    const beside = (precision: 'f32' | 'f64'): Entrant[] =>
      options.beside
        .filter((kernel) => precisionOf(kernel) === precision)
        .map((kernel) => ({ kernel, precision }));
    const ours = (levels: readonly number[], precision: 'f32' | 'f64'): Entrant[] => [
      { kernel: `classical:${options.leaf}`, precision },
      ...FAST.flatMap((name) =>
        levels.map((of) => ({ kernel: `${name}:${options.leaf}`, levels: of, precision })),
      ),
      // With the paper's own leaf kernel come those that read its first operand through a texture.
      ...(options.leaf === 'gpu8' && precision === 'f32'
        ? FAST.flatMap((name) => levels.map((of) => ({ kernel: `${name}:texture`, levels: of })))
        : []),
    ];
    const single: Round[] = scaledSizes(SIZES, options).map(({ n }) => ({
      shape: cube(n),
      input: 'uniform',
      entrants: [...ours(LEVELS, 'f32'), ...beside('f32')],
    }));
    const double: Round[] = doubleSizes(options).map(({ n, paper }) => ({
      shape: cube(n),
      input: 'uniform',
      entrants: [...ours([levelsAt(paper ?? n, 4096) || 1], 'f64'), ...beside('f64')],
    }));
    return [...single, ...double];
  },
  tables(outcome, options) {
    const sizes = scaledSizes(SIZES, options);
    return [
      ...byTau(outcome, sizes, options),
      ...byLevels(outcome, sizes.at(-1), options),
      ...doubles(outcome, doubleSizes(options), options),
    ];
  },
};

/** Emulated, a product in binary64 takes about 75 times as long: the sizes are a quarter of those of binary32. */
const doubleSizes = (options: StudyOptions) =>
  options.sizes === undefined
    ? scaledSizes(DOUBLE_SIZES, {
        ...options,
        maxSize: Math.ceil(options.maxSize / 4),
        shrink: 4 * options.shrink,
      })
    : [];

interface Wanted {
  readonly kernel: string;
  readonly n: number;
  readonly levels?: number;
  readonly precision?: string;
}

function find({ measurements }: Outcome, { kernel, n, levels = 0, precision = 'f32' }: Wanted) {
  return measurements.find(
    (one) => one.kernel === kernel && one.n === n && one.levels === levels && one.precision === precision,
  );
}

/** Time won over another, as the paper counts it: a share of the other's time. */
function reduction(one: Measurement | undefined, base: Measurement | undefined): string {
  return one === undefined || base === undefined ? '–' : percentage(1 - one.median / base.median);
}

const bitsLost = (one: Measurement | undefined, base: Measurement | undefined) =>
  one === undefined || base === undefined ? '–' : lost(base, one);

const printed = (share: number | undefined) => (share === undefined ? '–' : percentage(share));

/** The paper's GPU8 row of Figure 24, and the row of an algorithm. */
function publishedReduction(algorithm: string, paper: number | undefined): number | undefined {
  const { sizes, rows } = published.fig24_seconds_C1060;
  const at = sizes.findIndex((size) => size === paper);
  const [base, one] = ['GPU8', algorithm].map(
    (name) => rows.find((row) => row.algorithm === name)?.values[at],
  );
  return base === undefined || one === undefined ? undefined : 1 - one / base;
}

function byTau(outcome: Outcome, sizes: readonly ScaledSize[], { leaf }: StudyOptions): Table[] {
  const rows = sizes.flatMap((size) =>
    FAST.flatMap((name) =>
      [4096, 2048].map((tau2) => {
        const levels = levelsAt(size.paper ?? size.n, tau2);
        const base = find(outcome, { kernel: `classical:${leaf}`, n: size.n });
        const own = leaf === 'gpu8' && tau2 === 2048 ? 'texture' : leaf;
        const kernel = levels === 0 ? `classical:${leaf}` : `${name}:${own}`;
        const one = find(outcome, { kernel, n: size.n, levels });
        const algorithm = (tau2 === 2048 ? 't' : '') + name[0].toUpperCase() + name.slice(1);
        const shown = tau2 === 2048 ? algorithm : algorithm.replace(/^t/, '');
        return [
          ...[sizeText(size), name, String(tau2), Number.isInteger(levels) ? String(levels) : '–'],
          ...[reduction(one, base), printed(publishedReduction(shown, size.paper)), bitsLost(one, base)],
        ];
      }),
    ),
  );
  return [
    {
      title: 'Figures 24–29: time won over the classical product, by τ₂',
      headings: ['n', 'algorithm', 'τ₂', 'levels', 'measured', 'published, over GPU8', 'bits lost'],
      rows,
      numbers: 3,
      note: 'Published rows of τ₂ = 2048 are those of the texture variants; τ₁ = τ₂/2, by the paper’s size.',
    },
  ];
}

function byLevels(outcome: Outcome, size: ScaledSize | undefined, { leaf, beside }: StudyOptions): Table[] {
  if (size === undefined) return [];
  const base = find(outcome, { kernel: `classical:${leaf}`, n: size.n });
  const vendor = beside.find((kernel) => precisionOf(kernel) === 'f32');
  const theirs = vendor === undefined ? undefined : find(outcome, { kernel: vendor, n: size.n });
  const rows = FAST.flatMap((name) =>
    LEVELS.map((levels) => {
      const one = find(outcome, { kernel: `${name}:${leaf}`, n: size.n, levels });
      const title = (name[0].toUpperCase() + name.slice(1)) as 'Strassen' | 'Winograd';
      const [sgemm, gpu8] = published.fig37_speedup_percent_n16384[title][levels - 1];
      const textures = published.fig37_speedup_percent_n16384[`t${title}`][levels - 1];
      return [
        ...[name, String(levels), reduction(one, base), `${gpu8} %`, `${textures[1]} %`],
        ...[reduction(one, theirs), `${sgemm} %`, `${textures[0]} %`, bitsLost(one, base)],
      ];
    }),
  );
  return [
    {
      title: `Figures 36–39: time won by levels, n = ${sizeText(size)}; published at 16384`,
      headings: [
        ...['algorithm', 'levels', 'over classical', 'over GPU8, published', 'with textures'],
        ...[`over ${vendor ?? 'sgemm'}`, 'over sgemm, published', 'with textures', 'bits lost'],
      ],
      rows,
      numbers: 1,
    },
  ];
}

function doubles(outcome: Outcome, sizes: readonly ScaledSize[], { leaf }: StudyOptions): Table[] {
  const { speedup_percent, sizes: printedSizes } = published.fig40_f64_C2050_tau2_4096;
  const rows = sizes.flatMap((size) =>
    FAST.map((name) => {
      const levels = levelsAt(size.paper ?? size.n, 4096) || 1;
      const base = find(outcome, { kernel: `classical:${leaf}`, n: size.n, precision: 'f64' });
      const one = find(outcome, { kernel: `${name}:${leaf}`, n: size.n, levels, precision: 'f64' });
      const at = printedSizes.findIndex((of) => of === size.paper);
      const key = name === 'strassen' ? 'dStrassen' : 'dWinograd';
      const theirs = at < 0 ? '–' : `${speedup_percent[key][at]} %`;
      return [sizeText(size), name, String(levels), reduction(one, base), theirs, bitsLost(one, base)];
    }),
  );
  if (rows.length === 0) return [];
  return [
    {
      title: 'Figures 40–42: binary64, τ₂ = 4096',
      headings: ['n', 'algorithm', 'levels', 'measured', 'published, over dgemm', 'bits lost'],
      rows,
      numbers: 2,
    },
  ];
}
