import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { findLeaf } from '../../gpu/wgsl/leaves/leaves.ts';
import { fusedTiling } from '../../gpu/wgsl/tilings.ts';
import { builtinNames, builtinPlan, findStyled } from '../../kernels/builtin-plan.ts';

import type { Shape } from '../../matrix/dense.ts';
import { single } from '../../precision/wgsl/numeric.ts';
import { formatShort } from '../../report/numbers.ts';
import type { Table } from '../../report/table.ts';
import { type Entrant, effectiveRate, isSquare, type Measurement } from '../bench/measurement.ts';
import { type Blocking, blockingOf, type ModelMachine, predictPlanTime } from '../bench/model/model.ts';
import { breakEven } from '../bench/report.ts';
import type { BenchOutcome } from '../bench/sweep.ts';
import published from '../published/huang-2020.json' with { type: 'json' };
import {
  bitsLost,
  entrantsOf,
  findMeasurement,
  formatPublishedNumber,
  NOTHING,
  readingsTable,
  timesAsFast,
} from '../readings.ts';
import { cube, type SpeedOptions, type Study, scaledSizes } from '../study.ts';

const SIZES = [1024, 1536, 2048, 3072, 4096, 6144, 7680, 8192, 12288, 16384, 20480];
/** The fixed dimensions, and the values of the varied ones. */
const RANK_K = 4096;
const PANEL = 8192;
const VARIED = [1024, 2048, 4096, 8192, 16384];

/** Huang, Yu and van de Geijn: square, rank-k and panel products, and the predictions of their model. */
export const huang2020: Study = {
  name: 'huang-2020',
  what: 'Strassen’s algorithm reloaded on GPUs (2020)',
  source:
    'Huang, Yu, van de Geijn: Strassen’s Algorithm Reloaded on GPUs (ACM TOMS 46, 2020), Figures 1, 8 and 10, equations 7–22.',
  speeds: {
    notes: [
      'Figures 1, 8 and 10 are plots without numbers. Published break-even sizes and speed-ups come from the text, on a V100.',
      'The model uses the rates of this machine, measured just before. WebGPU does not report the number of multiprocessors; give it with --multiprocessors.',
    ],
    model: true,
    rounds(options) {
      const entrants: Entrant[] = [
        { kernel: `classical:${options.leaf}` },
        ...levelsOf(`strassen:${options.leaf}`),
        ...fused,
        ...options.beside.flatMap((kernel) => (isFast(kernel) ? levelsOf(kernel) : entrantsOf([kernel]))),
      ];
      return shapesOf(options).map((shape) => ({ shape, input: 'uniform', entrants }));
    },
    tables: (outcome, options, machine) => [
      effectiveTable(outcome),
      breakEvenTable(outcome, options),
      ...(machine === undefined ? [] : [machineTable(machine, outcome), modelTable(outcome, machine)]),
    ],
  },
};

const isFast = (kernel: string) => /^(strassen|winograd):/.test(kernel);
const levelsOf = (kernel: string): Entrant[] => [1, 2].map((levels) => ({ kernel, levels }));

/**
 * The paper's own entrants: one level, two levels direct and hybrid. One more entrant has one level whose products are added in any order.
 */
const fused: readonly Entrant[] = [
  { kernel: 'strassen:fused', levels: 1 },
  { kernel: 'strassen:fused-atomic', levels: 1 },
  { kernel: 'strassen:fused', levels: 2 },
  { kernel: 'strassen:fused-hybrid', levels: 2 },
];

/** Returns square products, then k = 4096 with m = n varied, then m = n = 8192 with k varied; without repeats. */
function shapesOf(options: SpeedOptions): Shape[] {
  const fixed = (size: number) => Math.min(options.maxSize, Math.round(size / options.shrink));
  const varied = scaledSizes(VARIED, options);
  const shapes = [
    ...scaledSizes(SIZES, options).map(({ n }) => cube(n)),
    ...varied.map(({ n }) => ({ m: n, k: fixed(RANK_K), n })),
    ...varied.map(({ n }) => ({ m: fixed(PANEL), k: n, n: fixed(PANEL) })),
  ];
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}

const productText = ({ m, k, n }: Shape) => `${m}×${k}×${n}`;

const baseOf = (outcome: BenchOutcome, { m, k, n }: Shape) =>
  findMeasurement(outcome, { algorithm: 'classical', m, k, n });

function effectiveTable(outcome: BenchOutcome): Table {
  return readingsTable(
    'Figure 8: effective Tflop/s, 2mnk/t (equation 7)',
    outcome.measurements.map((one) => ({ one, base: baseOf(outcome, one) })),
    [
      ['m×k×n', ({ one }) => productText(one)],
      ['kernel', ({ one }) => one.label],
    ],
    [
      [
        'effective Tflop/s',
        ({ one }) => (one.absolute ? formatShort(effectiveRate(one, one.median) / 1e12) : NOTHING),
      ],
      ['over classical', ({ one, base }) => timesAsFast(one, base)],
      ['bits lost', ({ one, base }) => bitsLost(one, base)],
    ],
    {
      note: 'On a CPU, only ratios are shown.',
    },
  );
}

function breakEvenTable({ measurements }: BenchOutcome, { beside }: SpeedOptions): Table {
  const squares = measurements.filter(isSquare);
  const fast = new Map(squares.filter(({ levels }) => levels > 0).map((one) => [one.label, one.levels]));
  const vendors = beside.filter((kernel) => !builtinNames.includes(kernel) && !isFast(kernel));
  const classical = squares.find(({ algorithm }) => algorithm === 'classical')?.kernel;
  const { oneLevel, twoLevelHybrid } = published.breakEven;
  const { oneLevelOverCublas, twoLevelOverCublas } = published.speedups;
  const rows = [...fast].flatMap(([label, levels]) =>
    [...(classical === undefined ? [] : [classical]), ...vendors].map((kernel) => {
      const points = squares.flatMap((one) => {
        if (one.label !== label) return [];
        const base = squares.find(
          (other) => other.kernel === kernel && other.levels === 0 && other.n === one.n,
        );
        return base === undefined ? [] : [{ size: one.n, ratio: base.median / one.median }];
      });
      const best = points.reduce((most, { ratio }) => Math.max(most, ratio), 0);
      return { label, levels, kernel, from: breakEven(points), best };
    }),
  );
  return readingsTable(
    'Figure 1 and section 4: break-even sizes and best speed-ups; published against cublasSgemm',
    rows,
    [
      ['kernel', ({ label }) => label],
      ['against', ({ kernel }) => kernel],
    ],
    [
      ['faster from n =', ({ from }) => (from.kind === 'from' ? String(from.size) : 'never')],
      ['published', ({ levels }) => String(levels === 1 ? oneLevel : twoLevelHybrid)],
      ['best speed-up', ({ best }) => formatShort(best)],
      ['published', ({ levels }) => String(levels === 1 ? oneLevelOverCublas : twoLevelOverCublas)],
    ],
  );
}

function machineTable(machine: ModelMachine, outcome: BenchOutcome): Table {
  const { tauFlop, tauGmop, tauSmop, sms } = machine;
  const paper = published.fig9_V100;
  const onGpu = outcome.measurements.some(({ absolute }) => absolute);
  const tera = (rate: number) => (onGpu ? formatShort(rate / 1e12) : NOTHING);
  const rows = [
    ['multiply-adds, Tflop/s', tera(tauFlop), formatShort(paper.tauFlop / 1e12, 4)],
    ['global memory, TB/s', tera(tauGmop), formatShort(paper.tauGmop / 1e12)],
    ['workgroup memory, TB/s', tera(tauSmop), formatShort(paper.tauSmopFigure / 1e12, 4)],
    [
      'operations per byte of global memory',
      formatShort(tauFlop / tauGmop),
      formatShort(paper.tauFlop / paper.tauGmop),
    ],
    [
      'operations per byte of workgroup memory',
      formatShort(tauFlop / tauSmop),
      formatShort(paper.tauFlop / paper.tauSmopFigure),
    ],
    ['multiprocessors', sms === 1 ? 'unknown' : String(sms), String(paper.sms)],
  ];
  return readingsTable(
    'Figure 9: rates of the model',
    rows,
    [['rate', ([rate]) => rate]],
    [
      [machine.name, ([, here]) => here],
      ['V100, published', ([, , there]) => there],
    ],
    {
      note: 'Measured with multiply-adds in registers, a copy, and reads of workgroup memory.',
    },
  );
}

/** Tabulates predicted times over measured ones, where 1 is a perfect prediction, and the predicted gain of a fast product. */
function modelTable(outcome: BenchOutcome, machine: ModelMachine): Table {
  const rows = outcome.measurements.flatMap((one) => {
    const seconds = predict(one, machine);
    if (seconds === undefined) return [];
    const base = baseOf(outcome, one);
    const predicted = base && predict(base, machine);
    return [{ one, base, seconds, gain: predicted && predicted / seconds }];
  });
  return readingsTable(
    'Figure 10: the model of equations 8–22',
    rows,
    [
      ['m×k×n', ({ one }) => productText(one)],
      ['kernel', ({ one }) => one.label],
    ],
    [
      ['predicted ÷ measured time', ({ one, seconds }) => formatShort(seconds / one.median)],
      ['predicted over classical', ({ gain }) => formatPublishedNumber(gain)],
      ['measured', ({ one, base }) => timesAsFast(one, base)],
    ],
    {
      note: 'The model ignores latency, caches (except in its rates) and all instructions but multiply-adds, so measured times are longer.',
    },
  );
}

function predict(one: Measurement, machine: ModelMachine): number | undefined {
  const blocking = blockingUsed(one);
  if (blocking === undefined) return undefined;
  return predictPlanTime(builtinPlan(one.kernel, one, one), blocking, machine);
}

/** Returns the blocking of a measurement's kernel; undefined where the model does not describe it. */
function blockingUsed({ kernel, leaf, levels, m, n }: Measurement): Blocking | undefined {
  if (leaf === undefined) return undefined;
  const styled = findStyled(leaf);
  if (styled === undefined) return blockingOf(findLeaf(leaf, cube(1)).tiling);
  const { base } = algorithmRegistry.find(kernel.split(':')[0]);
  const part = (size: number, parts: number) => Math.ceil(size / parts ** levels);
  return blockingOf(fusedTiling(part(m, base.m), part(n, base.n), 1, single, styled.blocking));
}
