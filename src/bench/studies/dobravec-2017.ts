import type { Measurement } from '../measurement.ts';
import type { Outcome, Round } from '../sweep.ts';
import { digits, type Table } from '../table.ts';
import { dobravec2017 as published } from './published/dobravec-2017.ts';
import { type BenchStudy, cube, scaledSizes, sizeText } from './study.ts';

const { sizes: SIZES, MulH, MulDG, MulDS } = published.table1_milliseconds;
const { threads: THREADS, MulDS: byThreads, MulH: hostAt512 } = published.table2_milliseconds_n512;
const THREADS_SIZE = 512;

/** The paper's three products, and ours that have their loops. */
const HOST = 'host:double';
const GLOBAL = 'classical:naive';
const SHARED = 'classical:tiled-8';

/** Dobravec and Bulić's host, global memory and shared memory, and threads a block. */
export const dobravec2017: BenchStudy = {
  name: 'dobravec-2017',
  title: 'Host, global memory, shared memory (2017)',
  source:
    'Dobravec, Bulić: Comparing CPU and GPU Implementations of a Simple Matrix Multiplication Algorithm (2017), Tables 1 and 2, Figures 1 and 2.',
  sizes: SIZES,
  notes: [
    'matrixMulH is played by host:double (the same loops, in JavaScript), matrixMulDG by classical:naive, matrixMulDS by classical:tiled-8: 64 threads, as in Table 1.',
    'Table 1 prints whole milliseconds: its small sizes say little.',
  ],
  rounds(options): Round[] {
    const table1 = scaledSizes(SIZES, options).map(({ n }) => ({
      shape: cube(n),
      input: 'uniform',
      entrants: [HOST, GLOBAL, SHARED].map((kernel) => ({ kernel })),
    }));
    const n = threadsSize(options.maxSize, options.shrink);
    const kernels = [HOST, ...THREADS.map(sharedWith)];
    return [
      ...table1,
      { shape: cube(n), input: 'uniform-0-1', entrants: kernels.map((kernel) => ({ kernel })) },
    ];
  },
  tables(outcome, options): Table[] {
    const rows = scaledSizes(SIZES, options).map((size) => {
      const at = SIZES.findIndex((known) => known === size.paper);
      const [host, global, shared] = [HOST, GLOBAL, SHARED].map((kernel) =>
        find(outcome, kernel, size.n, 'uniform'),
      );
      const theirs = (x: number, y: number) => (at < 0 || y === 0 ? '–' : digits(x / y));
      return [
        ...[sizeText(size), over(host, global), theirs(MulH[at], MulDG[at])],
        ...[over(host, shared), theirs(MulH[at], MulDS[at])],
        ...[over(global, shared), theirs(MulDG[at], MulDS[at])],
        ...[host, global, shared].map((one) => (one === undefined ? '–' : one.bits.toFixed(1))),
      ];
    });
    return [
      {
        title: 'Table 1 and Figure 1: how many times as fast',
        headings: [
          ...['n', 'global over host', 'published', 'shared over host', 'published'],
          ...['shared over global', 'published', 'bits, host', 'global', 'shared'],
        ],
        rows,
        numbers: 1,
      },
      threadsTable(outcome, threadsSize(options.maxSize, options.shrink)),
    ];
  },
};

const sharedWith = (threads: number) => `classical:tiled-${Math.sqrt(threads)}`;
const threadsSize = (maxSize: number, shrink: number) => Math.min(maxSize, Math.round(THREADS_SIZE / shrink));

function find({ measurements }: Outcome, kernel: string, n: number, input: string) {
  return measurements.find((one) => one.kernel === kernel && one.n === n && one.input === input);
}

/** How many times as fast the second is as the first. */
function over(slow: Measurement | undefined, fast: Measurement | undefined): string {
  return slow === undefined || fast === undefined ? '–' : digits(slow.median / fast.median);
}

function threadsTable(outcome: Outcome, n: number): Table {
  const host = find(outcome, HOST, n, 'uniform-0-1');
  const most = find(outcome, sharedWith(256), n, 'uniform-0-1');
  const rows = THREADS.map((threads, at) => {
    const one = find(outcome, sharedWith(threads), n, 'uniform-0-1');
    return [
      ...[String(threads), over(host, one), digits(hostAt512 / byThreads[at])],
      ...[over(one, most), digits(byThreads[at] / byThreads[byThreads.length - 1])],
      one === undefined ? '–' : one.bits.toFixed(1),
    ];
  });
  return {
    title: `Table 2 and Figure 2: threads a block, n = ${n}; published at 512`,
    headings: ['threads', 'over host', 'published', 'time over that with 256', 'published', 'bits'],
    rows,
    numbers: 0,
  };
}
