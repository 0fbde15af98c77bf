import { productOf } from '../compare.ts';
import { gamesHowell } from '../games-howell.ts';
import { type Entrant, flops, type Measurement } from '../measurement.ts';
import type { Round } from '../sweep.ts';
import { digits, probability, type Table } from '../table.ts';
import { davis2025 as published } from './published/davis-2025.ts';
import { type BenchStudy, cube, precisionOf, scaledSizes, sizeText } from './study.ts';

const { sizes: SIZES, columns: _, ...cells } = published.fig8_megaflops;
/** The processor's tiled products are slow: above, only GPUs and libraries run. */
const MOST_ON_THREADS = 2000;
const THREADS = ['host:shares', 'host:threads'];

/** The paper's algorithms, and what plays them here. */
const parts: readonly { readonly theirs: keyof typeof cells; readonly plays: (kernel: string) => boolean }[] =
  [
    { theirs: 'CuBLAS', plays: (kernel) => kernel.startsWith('torch:cuda') },
    { theirs: 'CUDA', plays: (kernel) => kernel.startsWith('classical:tiled') },
    { theirs: 'BLAS', plays: (kernel) => /^(numpy|torch:f)/.test(kernel) },
    { theirs: 'OpenMP', plays: (kernel) => kernel === 'host:shares' },
    { theirs: 'C++ Threads', plays: (kernel) => kernel === 'host:threads' },
  ];

/** Davis' comparison of a tiled GPU kernel, libraries and processor threads. */
export const davis2025: BenchStudy = {
  name: 'davis-2025',
  title: 'A tiled GPU kernel, libraries and threads (2025)',
  source: 'Davis: High Performance Matrix Multiplication (2025), Figures 4–6 and 8, Tables 3 and 4.',
  sizes: SIZES,
  notes: [
    'The paper computes in binary64 with 32×32 tiles. Our tiled kernel has 16×16 tiles and computes in binary32, since WGSL has no binary64; libraries and threads compute in binary64.',
    'CUDA is played by classical:tiled, C++ Threads by host:threads, OpenMP by host:shares (each thread has an equal run of tiles), CuBLAS by torch:cuda-f64 and BLAS by numpy:f64, where --beside names them.',
    'Figure 8 prints no scale for its FLOPS; only ratios are compared. Its bests and worsts are percentiles of bootstrapped means.',
  ],
  rounds(options): Round[] {
    return scaledSizes(SIZES, options).map(({ n }) => {
      const entrants: Entrant[] = [
        { kernel: 'classical:tiled' },
        { kernel: `classical:${options.leaf}` },
        ...options.beside.map((kernel) => ({ kernel, precision: precisionOf(kernel) })),
        ...(n <= MOST_ON_THREADS
          ? THREADS.map((kernel) => ({ kernel, precision: precisionOf(kernel) }))
          : []),
      ];
      return { shape: cube(n), input: 'uniform-2-5', entrants };
    });
  },
  tables(outcome, options): Table[] {
    const sizes = scaledSizes(SIZES, options);
    const rows = sizes.flatMap((size) => {
      const here = outcome.measurements.filter(({ n }) => n === size.n);
      const base = here.find(({ kernel }) => kernel === 'classical:tiled');
      return here.map((one) => ratioRow(one, base, sizeText(size), size.paper));
    });
    const last = outcome.measurements.filter(({ n }) => n === sizes.at(-1)?.n);
    return [
      {
        title: 'Figures 4–6 and 8: FLOPS over those of the tiled kernel, (2N³ − N²)/t',
        headings: ['n', 'kernel', 'precision', 'plays', 'measured', 'published', 'bits'],
        rows,
        numbers: 4,
      },
      ...pairTable(last),
    ];
  },
};

const roleOf = ({ kernel }: Measurement) => parts.find(({ plays }) => plays(kernel))?.theirs;

function ratioRow(
  one: Measurement,
  base: Measurement | undefined,
  size: string,
  paper: number | undefined,
): string[] {
  const role = roleOf(one);
  const at = SIZES.findIndex((known) => known === paper);
  const theirs = role === undefined || at < 0 ? undefined : cells[role][at][0] / cells.CUDA[at][0];
  const ratio = base === undefined ? '–' : digits(flops(one.n, one.median) / flops(base.n, base.median));
  const published = theirs === undefined ? '–' : digits(theirs);
  return [size, one.kernel, one.precision, role ?? '–', ratio, published, one.bits.toFixed(1)];
}

/** The pairs of the largest size, with the probabilities of Table 4. */
function pairTable(last: readonly Measurement[]): Table[] {
  const known = last.filter((one) => roleOf(one) !== undefined);
  const samples = known.map(({ n, seconds }) => seconds.map((each) => flops(n, each)));
  const found = gamesHowell(samples);
  if (!found.tested) return [];
  const rows = found.pairs.map(({ one, other, q, dof, p }) => {
    const [a, b] = [known[one], known[other]];
    const theirs = published.table4_games_howell_n10000.find(
      (pair) => [pair.one, pair.other].sort().join() === [roleOf(a), roleOf(b)].sort().join(),
    );
    return [
      a.kernel,
      b.kernel,
      digits(q),
      digits(dof),
      probability(p),
      theirs === undefined ? '–' : String(theirs.p),
    ];
  });
  return [
    {
      title: `Table 4: Games and Howell’s test of every pair, ${productOf(known[0])}; published at 10000`,
      headings: ['one', 'other', 'q', 'degrees of freedom', 'p', 'published p'],
      rows,
      numbers: 2,
    },
  ];
}
