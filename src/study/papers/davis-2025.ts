import { formatProbability, formatShort } from '../../report/numbers.ts';
import type { Table } from '../../report/table.ts';
import { flops, type Measurement } from '../bench/measurement.ts';
import { productName } from '../bench/report.ts';
import { gamesHowell } from '../bench/tests-of-means.ts';
import published from '../published/davis-2025.json' with { type: 'json' };
import { entrantsOf, formatBitsOf, formatPublishedNumber, NOTHING, readingsTable } from '../readings.ts';
import { cube, type Study, scaledSizes, sizeText } from '../study.ts';

const { sizes: SIZES, columns: _, ...cells } = published.fig8_megaflops;
/** Largest size of the processor's tiled products, which are slow. Above it, only GPUs and libraries run. */
const MOST_ON_THREADS = 2000;

/** The paper's algorithms, and the kernels that stand for them here. */
const parts: readonly { readonly theirs: keyof typeof cells; readonly kernels: RegExp }[] = [
  { theirs: 'CuBLAS', kernels: /^torch:cuda/ },
  { theirs: 'CUDA', kernels: /^classical:tiled/ },
  { theirs: 'BLAS', kernels: /^(numpy|torch:f)/ },
  { theirs: 'OpenMP', kernels: /^host:shares$/ },
  { theirs: 'C++ Threads', kernels: /^host:threads$/ },
];
const roleOf = ({ kernel }: Measurement) => parts.find(({ kernels }) => kernels.test(kernel))?.theirs;

/** Davis' comparison of a tiled GPU kernel, libraries and processor threads. */
export const davis2025: Study = {
  name: 'davis-2025',
  what: 'A tiled GPU kernel, libraries and threads (2025)',
  source: 'Davis: High Performance Matrix Multiplication (2025), Figures 4–6 and 8, Tables 3 and 4.',
  speeds: {
    notes: [
      'The paper computes in binary64 with 32×32 tiles. Our tiled kernel has 16×16 tiles and computes in binary32, since WGSL has no binary64; libraries and threads compute in binary64.',
      'Stand-ins: classical:tiled for CUDA, host:threads for C++ Threads, host:shares for OpenMP (each thread has an equal run of tiles). With --beside: torch:cuda-f64 for CuBLAS, numpy:f64 for BLAS.',
      'Figure 8 has no scale for its FLOPS, so only ratios are compared. Its best and worst values are percentiles of bootstrapped means.',
    ],
    rounds: (options) =>
      scaledSizes(SIZES, options).map(({ n }) => ({
        shape: cube(n),
        input: 'uniform-2-5',
        entrants: [
          { kernel: 'classical:tiled' },
          { kernel: `classical:${options.leaf}` },
          ...entrantsOf(options.beside),
          ...entrantsOf(n <= MOST_ON_THREADS ? ['host:shares', 'host:threads'] : []),
        ],
      })),
    tables({ measurements }, options) {
      const sizes = scaledSizes(SIZES, options);
      const rows = sizes.flatMap((size) => {
        const here = measurements.filter(({ n }) => n === size.n);
        const base = here.find(({ kernel }) => kernel === 'classical:tiled');
        const at = SIZES.findIndex((known) => known === size.paper);
        return here.map((one) => ({ one, base, size, role: roleOf(one), at }));
      });
      return [
        readingsTable(
          'Figures 4–6 and 8: FLOPS relative to the tiled kernel, (2N³ − N²)/t',
          rows,
          [
            ['n', ({ size }) => sizeText(size)],
            ['kernel', ({ one }) => one.kernel],
            ['precision', ({ one }) => one.precision],
            ['plays', ({ role }) => role ?? NOTHING],
          ],
          [
            ['measured', ({ one, base }) => formatPublishedNumber(base && speedOf(one) / speedOf(base))],
            [
              'published',
              ({ role, at }) =>
                role === undefined || at < 0 ? NOTHING : formatShort(cells[role][at][0] / cells.CUDA[at][0]),
            ],
            ['bits', ({ one }) => formatBitsOf(one)],
          ],
        ),
        ...pairTable(measurements.filter((one) => one.n === sizes.at(-1)?.n && roleOf(one) !== undefined)),
      ];
    },
  },
};

const speedOf = ({ n, median }: Measurement) => flops(n, median);

/** Tabulates the pairs of the largest size, with the probabilities of Table 4. */
function pairTable(known: readonly Measurement[]): Table[] {
  const tests = gamesHowell(known.map(({ n, seconds }) => seconds.map((each) => flops(n, each))));
  if (!tests.tested) return [];
  const inPrint = (...pair: (string | undefined)[]) =>
    published.table4_games_howell_n10000.find(
      ({ one, other }) => [one, other].sort().join() === pair.sort().join(),
    );
  return [
    readingsTable(
      `Table 4: Games and Howell’s test of every pair, ${productName(known[0])}; published at 10000`,
      tests.pairs.map((pair) => ({ ...pair, a: known[pair.one], b: known[pair.other] })),
      [
        ['one', ({ a }) => a.kernel],
        ['other', ({ b }) => b.kernel],
      ],
      [
        ['q', ({ q }) => formatShort(q)],
        ['degrees of freedom', ({ dof }) => formatShort(dof)],
        ['p', ({ p }) => formatProbability(p)],
        ['published p', ({ a, b }) => formatPublishedNumber(inPrint(roleOf(a), roleOf(b))?.p, String)],
      ],
    ),
  ];
}
