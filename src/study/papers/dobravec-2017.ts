import { formatShort } from '../../report/numbers.ts';
import type { Table } from '../../report/table.ts';
import type { BenchOutcome } from '../bench/sweep.ts';
import published from '../published/dobravec-2017.json' with { type: 'json' };
import { findMeasurement, formatBitsOf, NOTHING, readingsTable, timesAsFast } from '../readings.ts';
import { cube, type SizeScaling, type Study, scaledSizes, sizeText } from '../study.ts';

const { sizes: SIZES, MulH, MulDG, MulDS } = published.table1_milliseconds;
const { threads: THREADS, MulDS: byThreads, MulH: hostAt512 } = published.table2_milliseconds_n512;
const THREADS_SIZE = 512;

/** Kernels with the loops of the paper's three products. */
const HOST = 'host:double';
const GLOBAL = 'classical:naive';
const SHARED = 'classical:tiled-8';
const sharedWith = (threads: number) => `classical:tiled-${Math.sqrt(threads)}`;

/** Dobravec and Bulić's comparison of host, global memory and shared memory, and of threads a block. */
export const dobravec2017: Study = {
  name: 'dobravec-2017',
  what: 'Host, global memory, shared memory (2017)',
  source:
    'Dobravec, Bulić: Comparing CPU and GPU Implementations of a Simple Matrix Multiplication Algorithm (2017), Tables 1 and 2, Figures 1 and 2.',
  speeds: {
    notes: [
      'Stand-ins: host:double for matrixMulH (the same loops in JavaScript), classical:naive for matrixMulDG, classical:tiled-8 for matrixMulDS (64 threads, as in Table 1).',
      'Table 1 prints whole milliseconds, so its small sizes are imprecise.',
    ],
    rounds(options) {
      const round = (n: number, input: string, kernels: readonly string[]) => ({
        shape: cube(n),
        input,
        entrants: kernels.map((kernel) => ({ kernel })),
      });
      return [
        ...scaledSizes(SIZES, options).map(({ n }) => round(n, 'uniform', [HOST, GLOBAL, SHARED])),
        round(threadsSize(options), 'uniform-0-1', [HOST, ...THREADS.map(sharedWith)]),
      ];
    },
    tables: (outcome, options) => [kindsTable(outcome, options), threadsTable(outcome, threadsSize(options))],
  },
};

const threadsSize = ({ maxSize, shrink }: SizeScaling) =>
  Math.min(maxSize, Math.round(THREADS_SIZE / shrink));

function kindsTable(outcome: BenchOutcome, options: SizeScaling): Table {
  const rows = scaledSizes(SIZES, options).map((size) => {
    const [host, global, shared] = [HOST, GLOBAL, SHARED].map((kernel) =>
      findMeasurement(outcome, { kernel, n: size.n, input: 'uniform' }),
    );
    const at = SIZES.findIndex((known) => known === size.paper);
    return { size, at, host, global, shared };
  });
  const theirs = (x: readonly number[], y: readonly number[], at: number) =>
    at < 0 || y[at] === 0 ? NOTHING : formatShort(x[at] / y[at]);
  return readingsTable(
    'Table 1 and Figure 1: speed-ups',
    rows,
    [['n', ({ size }) => sizeText(size)]],
    [
      ['global over host', ({ host, global }) => timesAsFast(global, host)],
      ['published', ({ at }) => theirs(MulH, MulDG, at)],
      ['shared over host', ({ host, shared }) => timesAsFast(shared, host)],
      ['published', ({ at }) => theirs(MulH, MulDS, at)],
      ['shared over global', ({ global, shared }) => timesAsFast(shared, global)],
      ['published', ({ at }) => theirs(MulDG, MulDS, at)],
      ['bits, host', ({ host }) => formatBitsOf(host)],
      ['global', ({ global }) => formatBitsOf(global)],
      ['shared', ({ shared }) => formatBitsOf(shared)],
    ],
  );
}

function threadsTable(outcome: BenchOutcome, n: number): Table {
  const at = (kernel: string) => findMeasurement(outcome, { kernel, n, input: 'uniform-0-1' });
  const [host, most] = [at(HOST), at(sharedWith(256))];
  return readingsTable(
    `Table 2 and Figure 2: threads per block, n = ${n}; published at 512`,
    THREADS.map((threads, of) => ({ threads, one: at(sharedWith(threads)), theirs: byThreads[of] })),
    [],
    [
      ['threads', ({ threads }) => String(threads)],
      ['over host', ({ one }) => timesAsFast(one, host)],
      ['published', ({ theirs }) => formatShort(hostAt512 / theirs)],
      ['time over that with 256', ({ one }) => timesAsFast(most, one)],
      ['published', ({ theirs }) => formatShort(theirs / byThreads[byThreads.length - 1])],
      ['bits', ({ one }) => formatBitsOf(one)],
    ],
  );
}
