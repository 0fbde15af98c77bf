import { median } from 'd3-array';
import * as z from 'zod/mini';
import { exactProduct } from '../exact/exact.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { rateFigure } from '../pages/figures/speed.ts';
import type { Figure } from '../report/figure.ts';
import { formatShort } from '../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../report/table.ts';
import { kernelOf } from '../run/kernel-of.ts';
import type { Measurement, UntimedProduct } from '../study/bench/measurement.ts';
import { type BenchRound, sweep } from '../study/bench/sweep.ts';

/** The speed of a kernel on one square product, and the accurate bits of its worst entry. */
export const speed = z.object({
  algorithm: z.string(),
  levels: z.int(),
  n: z.int(),
  /** 10⁹ operations a second, with 2n³ operations a product. */
  gigaflops: z.number(),
  /** The speeds of the slowest and the fastest trial. */
  between: z.tuple([z.number(), z.number()]),
  bits: z.number(),
  clock: z.string(),
});
export type SpeedRow = z.infer<typeof speed>;

/** The time limit of all measurements in seconds. */
export const SECONDS = 60;

const ENTRANTS = [
  { kernel: 'classical:register' },
  { kernel: 'strassen:register', levels: 1 },
  { kernel: 'winograd:register', levels: 1 },
  { kernel: 'strassen:register', levels: 2 },
  { kernel: 'winograd:register', levels: 2 },
];

/** Sizes of the products; software needs minutes where a GPU needs one. */
const SIZES: Readonly<Record<'hardware' | 'software', readonly number[]>> = {
  hardware: [512, 1024, 2048, 4096],
  software: [128, 256],
};

/** Products of our classical and fast kernels, the smallest first. */
const roundsOn = ({ fingerprint }: OpenDevice): BenchRound[] =>
  SIZES[fingerprint.kind].map((n) => ({
    shape: { m: n, k: n, n },
    input: 'uniform',
    entrants: ENTRANTS,
  }));

/** The stop condition and the callbacks of timing. */
interface Race {
  readonly stop: () => boolean;
  /** Called before each measurement, with its subject, the number done, and the total. */
  readonly onEntrant: (says: string, done: number, of: number) => void;
  readonly onSpeeds: (speeds: readonly SpeedRow[]) => void;
}

/**
 * Times our kernels for a minute at most, and measures the errors of their products.
 * @throws ParanoiaError `device-lost`, or another error of the device
 */
export async function timeKernels(
  open: OpenDevice,
  { stop, onEntrant, onSpeeds }: Race,
): Promise<SpeedRow[]> {
  const begun = performance.now();
  const speeds: SpeedRow[] = [];
  const rounds = roundsOn(open);
  const all = rounds.reduce((sum, { entrants }) => sum + entrants.length, 0);
  let done = 0;
  await sweep(rounds, {
    ...{ machine: open, onGpu: open.fingerprint.kind === 'hardware', exactMultiply: exactProduct },
    timing: { warmUp: 1, trials: 10, least: 0.02, most: 2, fewest: 3 },
    kernelOf: ({ kernel, precision }) => kernelOf({ kernel, precision }, open),
    stop: () => stop() || performance.now() - begun > 1000 * SECONDS,
    onEntrant: (label, { n }) => onEntrant(`${label}, ${n}×${n}×${n}`, done, all),
    onMeasured: (measured: Measurement | UntimedProduct) => {
      done++;
      if (!('why' in measured)) speeds.push(speedOf(measured));
      onSpeeds(speeds);
    },
  });
  return speeds;
}

function speedOf({ algorithm, levels, n, seconds, bits, clock }: Measurement): SpeedRow {
  const rate = (taken: number) => Number(((2e-9 * n ** 3) / taken).toPrecision(4));
  const between: SpeedRow['between'] = [rate(Math.max(...seconds)), rate(Math.min(...seconds))];
  const gigaflops = rate(median(seconds) as number);
  return { algorithm, levels, n, gigaflops, between, bits: Number(bits.toFixed(2)), clock };
}

/** Returns the figure of bits against speed: up is fast, right is accurate. */
export const speedFigure = (speeds: readonly SpeedRow[]): Figure =>
  rateFigure({
    title: 'Square products of uniform entries, f32',
    rates: speeds.map(({ algorithm, levels, n, bits, gigaflops }) => {
      return { series: algorithm, levels, n, bits, gigaflops };
    }),
  });

export const speedTable = (speeds: readonly SpeedRow[]): Table => ({
  title: '10⁹ operations per second (2n³ per product)',
  columns: [
    ...columnsOf('text', 'algorithm'),
    ...columnsOf(
      'number',
      'levels',
      'n',
      'median',
      'slowest to fastest',
      'accurate bits',
      'ratio to classical',
    ),
  ],
  rows: speeds.map((one) => {
    const { algorithm, levels, n, gigaflops, between, bits } = one;
    const base = speeds.find((other) => other.algorithm === 'classical' && other.n === n);
    return [
      algorithm,
      String(levels),
      String(n),
      digitsCell(gigaflops),
      between.map((rate) => formatShort(rate)).join(' to '),
      digitsCell(bits),
      base === undefined ? '' : digitsCell(gigaflops / base.gigaflops),
    ];
  }),
});
