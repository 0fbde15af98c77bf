import { blockingFor } from '../../gpu/fused/blockings.ts';
import { findLeaf } from '../../gpu/leaves/leaves.ts';
import { single } from '../../gpu/numerics/single.ts';
import { builtinNames, builtinPlan } from '../../kernel/builtin.ts';
import { findStyled } from '../../kernel/styled-leaves.ts';
import type { Shape } from '../../matrix/dense.ts';
import { breakEven } from '../break-even.ts';
import { type Entrant, effectiveRate, isSquare, type Measurement } from '../measurement.ts';
import { blockingOf } from '../model/blockings.ts';
import { predictPlan } from '../model/plan-time.ts';
import type { Blocking, ModelMachine } from '../model/product-time.ts';
import type { Outcome, Round } from '../sweep.ts';
import { digits, lost, type Table } from '../table.ts';
import { huang2020 as published } from './published/huang-2020.ts';
import { type BenchStudy, cube, precisionOf, type StudyOptions, scaledSizes } from './study.ts';

const SIZES = [1024, 1536, 2048, 3072, 4096, 6144, 7680, 8192, 12288, 16384, 20480];
/** The dimensions that stay where the others vary, and those others. */
const RANK_K = 4096;
const PANEL = 8192;
const VARIED = [1024, 2048, 4096, 8192, 16384];

/** Huang, Yu and van de Geijn: square, rank-k and panel products, and what their model predicts of them. */
export const huang2020: BenchStudy = {
  name: 'huang-2020',
  title: 'Strassen’s algorithm reloaded on GPUs (2020)',
  source:
    'Huang, Yu, van de Geijn: Strassen’s Algorithm Reloaded on GPUs (ACM TOMS 46, 2020), Figures 1, 8 and 10, equations 7–22.',
  sizes: SIZES,
  notes: [
    'Figures 1, 8 and 10 are plots without numbers: break-even sizes and speed-ups are those of the text, on a V100.',
    'The model takes the machine’s rates as measured just before; WebGPU does not tell how many multiprocessors there are (--multiprocessors does).',
  ],
  model: true,
  rounds(options): Round[] {
    const entrants: Entrant[] = [
      { kernel: `classical:${options.leaf}` },
      ...[1, 2].map((levels) => ({ kernel: `strassen:${options.leaf}`, levels })),
      ...fused,
      ...options.beside.flatMap((kernel): Entrant[] =>
        kernel.startsWith('strassen:') || kernel.startsWith('winograd:')
          ? [1, 2].map((levels) => ({ kernel, levels }))
          : [{ kernel, precision: precisionOf(kernel) }],
      ),
    ];
    return shapesOf(options).map((shape) => ({ shape, input: 'uniform', entrants }));
  },
  tables(outcome, options, machine) {
    return [
      effectiveTable(outcome),
      breakEvenTable(outcome, options),
      ...(machine === undefined ? [] : [machineTable(machine, outcome), modelTable(outcome, machine)]),
    ];
  },
};

/** Square products, then k = 4096 with m = n varied, then m = n = 8192 with k varied; without repeats. */
function shapesOf(options: StudyOptions): Shape[] {
  const fixed = (size: number) => Math.min(options.maxSize, Math.round(size / options.shrink));
  const varied = scaledSizes(VARIED, { ...options, sizes: options.sizes });
  const shapes = [
    ...scaledSizes(SIZES, options).map(({ n }) => cube(n)),
    ...varied.map(({ n }) => ({ m: n, k: fixed(RANK_K), n })),
    ...varied.map(({ n }) => ({ m: fixed(PANEL), k: n, n: fixed(PANEL) })),
  ];
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}

/** The paper's own: one level, two levels direct and hybrid; and one level whose products are added in any order. */
const fused: readonly Entrant[] = [
  { kernel: 'strassen:fused', levels: 1 },
  { kernel: 'strassen:fused-atomic', levels: 1 },
  { kernel: 'strassen:fused', levels: 2 },
  { kernel: 'strassen:fused-hybrid', levels: 2 },
];

const productText = ({ m, k, n }: Shape) => `${m}×${k}×${n}`;

function baseOf({ measurements }: Outcome, one: Measurement): Measurement | undefined {
  return measurements.find(
    ({ algorithm, m, k, n }) => algorithm === 'classical' && productText({ m, k, n }) === productText(one),
  );
}

function effectiveTable(outcome: Outcome): Table {
  const rows = outcome.measurements.map((one) => {
    const base = baseOf(outcome, one);
    const rate = one.absolute ? digits(effectiveRate(one, one.median) / 1e12) : '–';
    const gain = base === undefined ? '–' : digits(base.median / one.median);
    const bits = base === undefined ? '–' : lost(base, one);
    return [productText(one), one.label, rate, gain, bits];
  });
  return {
    title: 'Figure 8: effective Tflop/s, 2mnk/t (equation 7)',
    headings: ['m×k×n', 'kernel', 'effective Tflop/s', 'over classical', 'bits lost'],
    rows,
    numbers: 2,
    note: 'On a processor, ratios alone are shown.',
  };
}

function breakEvenTable(outcome: Outcome, { beside }: StudyOptions): Table {
  const squares = outcome.measurements.filter(isSquare);
  const fast = [...new Set(squares.filter(({ levels }) => levels > 0).map(({ label }) => label))];
  const vendors = beside.filter(
    (kernel) => !builtinNames.includes(kernel) && !/^(strassen|winograd):/.test(kernel),
  );
  const against = [squares.find(({ algorithm }) => algorithm === 'classical')?.kernel, ...vendors];
  const rows = fast.flatMap((label) =>
    against.flatMap((kernel) => {
      if (kernel === undefined) return [];
      const points = squares
        .filter((one) => one.label === label)
        .flatMap((one) => {
          const base = squares.find(
            (other) => other.kernel === kernel && other.levels === 0 && other.n === one.n,
          );
          return base === undefined ? [] : [{ size: one.n, ratio: base.median / one.median }];
        });
      const found = breakEven(points);
      const best = points.reduce((most, { ratio }) => Math.max(most, ratio), 0);
      const levels = squares.find((one) => one.label === label)?.levels;
      const { oneLevel, twoLevelHybrid } = published.breakEven;
      const { oneLevelOverCublas, twoLevelOverCublas } = published.speedups;
      const theirs = levels === 1 ? [oneLevel, oneLevelOverCublas] : [twoLevelHybrid, twoLevelOverCublas];
      return [
        [
          ...[label, kernel, found.kind === 'from' ? String(found.size) : 'not up to the largest size'],
          ...[String(theirs[0]), digits(best), String(theirs[1])],
        ],
      ];
    }),
  );
  return {
    title: 'Figure 1 and section 4: break-even sizes and best speed-ups; published against cublasSgemm',
    headings: ['kernel', 'against', 'faster from n =', 'published', 'best speed-up', 'published'],
    rows,
    numbers: 2,
  };
}

function machineTable({ name, tauFlop, tauGmop, tauSmop, sms }: ModelMachine, outcome: Outcome): Table {
  const paper = published.fig9_V100;
  const onGpu = outcome.measurements.some(({ absolute }) => absolute);
  const tera = (rate: number) => (onGpu ? digits(rate / 1e12) : '–');
  return {
    title: 'Figure 9: the rates that the model takes',
    headings: ['rate', name, 'V100, published'],
    rows: [
      ['multiply-adds, Tflop/s', tera(tauFlop), digits(paper.tauFlop / 1e12, 4)],
      ['global memory, TB/s', tera(tauGmop), digits(paper.tauGmop / 1e12)],
      ['workgroup memory, TB/s', tera(tauSmop), digits(paper.tauSmopFigure / 1e12, 4)],
      [
        'operations a byte of global memory',
        digits(tauFlop / tauGmop),
        digits(paper.tauFlop / paper.tauGmop),
      ],
      [
        'operations a byte of workgroup memory',
        digits(tauFlop / tauSmop),
        digits(paper.tauFlop / paper.tauSmopFigure),
      ],
      ['multiprocessors', sms === 1 ? 'not known' : String(sms), String(paper.sms)],
    ],
    numbers: 1,
    note: 'As measured: multiply-adds in registers, a copy, reads of workgroup memory.',
  };
}

/** Predicted times over measured ones: 1 is a perfect prediction. Also the predicted gain of a fast product. */
function modelTable(outcome: Outcome, machine: ModelMachine): Table {
  const predicted = (one: Measurement) => predict(one, machine);
  const rows = outcome.measurements.flatMap((one) => {
    const seconds = predicted(one);
    if (seconds === undefined) return [];
    const base = baseOf(outcome, one);
    const baseSeconds = base && predicted(base);
    const gain = baseSeconds === undefined ? '–' : digits(baseSeconds / seconds);
    const measured = base === undefined ? '–' : digits(base.median / one.median);
    return [[productText(one), one.label, digits(seconds / one.median), gain, measured]];
  });
  return {
    title: 'Figure 10: the model of equations 8–22',
    headings: ['m×k×n', 'kernel', 'predicted ÷ measured time', 'predicted over classical', 'measured'],
    rows,
    numbers: 2,
    note: 'The model has no caches but in its rates, no latency and no instructions beside multiply-adds: what is measured takes longer.',
  };
}

function predict(one: Measurement, machine: ModelMachine): number | undefined {
  const blocking = blockingUsed(one);
  if (blocking === undefined) return undefined;
  return predictPlan(builtinPlan(one.kernel, one, one), blocking, machine);
}

/** How the kernel of a measurement cuts its products; undefined where the model does not describe it. */
function blockingUsed({ leaf, levels, m, n }: Measurement): Blocking | undefined {
  if (leaf === undefined) return undefined;
  const styled = findStyled(leaf);
  if (styled === undefined) return blockingOf(findLeaf(leaf, cube(1)));
  const part = (size: number) => Math.ceil(size / 2 ** levels);
  return { ...blockingFor(part(m), part(n), 1, single, styled.blocking), active: 2 };
}
