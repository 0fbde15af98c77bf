/** A command that is run repeatedly, each time with one fault. */
export interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  /** Commands that prepare its files, once. */
  readonly before?: readonly (readonly string[])[];
  /** Paths that it writes; older versions exist when it begins. */
  readonly writes: readonly string[];
  /** Files that it must never overwrite. */
  readonly keeps?: readonly string[];
  /** True if it begins without older files. */
  readonly isFirst?: boolean;
  /** True if the user's cache is empty when it begins. */
  readonly isCold?: boolean;
  /** The kinds of faults to inject. @defaultValue all */
  readonly kinds?: readonly string[];
  /** The divisor of the number of faults, above 1 for slow scenarios, below 1 for more faults. @defaultValue 1 */
  readonly thinned?: number;
}

/** Two kernels: a correct one, and one whose first entry is wrong by one. */
export const KERNELS = `
export function f(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++)
      for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  return c;
}
export function wrong(a, b, shape) {
  const c = f(a, b, shape);
  c[0] += 1;
  return c;
}
`;

const named = (kernel: string, ...inputs: readonly string[]) =>
  inputs.flatMap((input, at) => [
    '--case',
    `kernel=${kernel};input=${input};m=${at + 3};k=${at + 4};n=${at + 2}`,
  ]);

const SMALL = ['--size', '4,5', '--levels', '0', '--input', 'integers', '--plain', '--seed', '1'];
const FILES = ['results.json', 'report.html', 'junit.xml', 'summary.md', 'results.txt'];

export const scenarios: readonly Scenario[] = [
  {
    name: 'gate',
    args: [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', 'integers', 'uniform', 'normal')],
      ...['--reporter', 'json,html,junit,markdown,table,dots', '--out', 'out'],
    ],
    writes: FILES.map((file) => `out/${file}`),
    thinned: 1.5,
  },
  {
    name: 'gate-fails',
    args: [
      'gate',
      'k.mjs#wrong',
      ...named('k.mjs#wrong', 'integers', 'uniform'),
      '--reporter',
      'json,dots',
      '--out',
      'out',
    ],
    writes: ['out/results.json'],
    thinned: 3,
  },
  {
    name: 'gate-gpu',
    args: [
      'gate',
      ...named('classical:naive', 'integers', 'uniform'),
      '--reporter',
      'json,dots',
      '--out',
      'out',
    ],
    writes: ['out/results.json'],
    thinned: 2,
  },
  {
    name: 'gate-jobs',
    args: [
      'gate',
      '--kernel',
      'classical:naive',
      ...SMALL,
      '--jobs',
      '2',
      '--reporter',
      'json,dots',
      '--out',
      'out',
    ],
    writes: ['out/results.json'],
    kinds: ['files', 'spawn', 'ipc', 'pipe', 'output', 'memory', 'gpu', 'kill'],
    thinned: 6,
  },
  {
    name: 'gate-update',
    args: [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', 'uniform', 'normal'), '--update', '--baselines', 'base'],
      ...['--reporter', 'json,dots', '--out', 'out'],
    ],
    before: [
      [
        'gate',
        'k.mjs#f',
        ...named('k.mjs#f', 'normal'),
        '--update',
        '--baselines',
        'base',
        '--out',
        'before',
      ],
    ],
    writes: ['out/results.json', 'base/*.json'],
    kinds: ['files', 'output', 'kill'],
  },
  {
    name: 'gate-shard',
    args: [
      'gate',
      'k.mjs#f',
      ...named('k.mjs#f', 'uniform', 'normal'),
      '--shard',
      '1/2',
      '--reporter',
      'json,dots',
      '--out',
      'out',
    ],
    writes: ['out/results.json'],
    kinds: ['files', 'kill'],
    thinned: 2,
  },
  {
    name: 'gate-large',
    args: [
      'gate',
      'k.mjs#f',
      '--case',
      'kernel=k.mjs#f;input=integers;m=256;k=256;n=256',
      '--reporter',
      'json,dots',
      '--out',
      'out',
    ],
    writes: ['out/results.json'],
    kinds: ['thread', 'memory'],
    thinned: 2,
  },
  {
    name: 'gate-cold',
    args: ['gate', ...named('classical:naive', 'integers'), '--reporter', 'json,dots', '--out', 'out'],
    writes: ['out/results.json'],
    isFirst: true,
    isCold: true,
    kinds: ['files', 'kill'],
    thinned: 3,
  },
  {
    name: 'fuzz',
    args: [
      ...['fuzz', 'k.mjs#wrong', '--runs', '1', '--seed', '1', '--max-size', '3', '--corpus', 'corpus'],
      ...['--reporter', 'json,dots', '--out', 'out'],
    ],
    writes: ['out/results.json', 'corpus/*.json', 'out/corpus/*.json'],
    isFirst: true,
    kinds: ['files', 'spawn', 'pipe', 'output', 'memory', 'timer', 'kill'],
    thinned: 3,
  },
  {
    name: 'fuzz-gpu',
    args: [
      'fuzz',
      '--kernel',
      'classical:naive',
      '--runs',
      '2',
      '--seed',
      '1',
      '--max-size',
      '4',
      '--reporter',
      'json,dots',
      '--out',
      'out',
    ],
    writes: ['out/results.json'],
    kinds: ['files', 'output', 'memory', 'gpu', 'kill'],
    thinned: 2,
  },
  {
    name: 'merge',
    args: ['merge', 'one/results.json', 'two/results.json', '--reporter', 'json,html,table', '--out', 'out'],
    before: ['1', '2'].map((shard) => [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', 'uniform', 'normal', 'integers'), '--shard', `${shard}/2`],
      ...['--reporter', 'json', '--out', shard === '1' ? 'one' : 'two'],
    ]),
    writes: ['out/results.json', 'out/report.html', 'out/results.txt'],
    keeps: ['one/results.json', 'two/results.json'],
    thinned: 0.6,
  },
  {
    name: 'report',
    args: ['report', 'one/results.json', '--out', 'out'],
    before: [
      ['gate', 'k.mjs#f', ...named('k.mjs#f', 'uniform', 'normal'), '--reporter', 'json', '--out', 'one'],
    ],
    writes: ['out/report.html', 'out/results.json'],
    keeps: ['one/results.json'],
    isFirst: true,
    thinned: 0.6,
  },
  {
    name: 'report-refused',
    args: ['report', 'one/results.json', '--out', 'two'],
    before: ['one', 'two'].map((out) => [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', out === 'one' ? 'uniform' : 'normal')],
      ...['--reporter', 'json', '--out', out],
    ]),
    writes: [],
    keeps: ['one/results.json', 'two/results.json'],
    kinds: ['files', 'kill'],
  },
  {
    name: 'atlas-add',
    args: ['atlas', 'add', 'one/results.json', 'two/results.json', '--to', 'entries'],
    before: ['one', 'two'].map((out) => [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', out === 'one' ? 'uniform' : 'normal')],
      ...['--reporter', 'json', '--out', out],
    ]),
    writes: ['entries/*.json'],
    keeps: ['one/results.json', 'two/results.json'],
    isFirst: true,
    thinned: 0.6,
  },
  {
    name: 'atlas-build',
    args: ['atlas', 'build', '--from', 'entries', '--out', 'site'],
    before: [
      ['gate', 'k.mjs#f', ...named('k.mjs#f', 'uniform'), '--reporter', 'json', '--out', 'one'],
      ['atlas', 'add', 'one/results.json', '--to', 'entries'],
    ],
    writes: ['site/*.html', 'site/entries/*.json'],
    thinned: 0.6,
  },
  {
    name: 'compare',
    args: ['compare', 'one/results.json', 'two/results.json'],
    before: ['one', 'two'].map((out) => [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', 'uniform', 'normal'), '--reporter', 'json', '--out', out],
    ]),
    writes: [],
    keeps: ['one/results.json', 'two/results.json'],
    thinned: 0.6,
  },
  {
    name: 'reference',
    args: ['reference', '--a', 'a.npy', '--b', 'b.npy', '--out', 'c.npy'],
    writes: ['c.npy'],
    keeps: ['a.npy', 'b.npy'],
    thinned: 0.6,
  },
  {
    name: 'reference-refused',
    args: ['reference', '--a', 'a.npy', '--b', 'b.npy', '--out', 'a.npy'],
    writes: [],
    keeps: ['a.npy', 'b.npy'],
    kinds: ['files', 'kill'],
  },
  {
    name: 'merge-refused',
    args: ['merge', 'one/results.json', 'two/results.json', '--reporter', 'json', '--out', 'one'],
    before: ['1', '2'].map((shard) => [
      ...['gate', 'k.mjs#f', ...named('k.mjs#f', 'uniform', 'normal'), '--shard', `${shard}/2`],
      ...['--reporter', 'json', '--out', shard === '1' ? 'one' : 'two'],
    ]),
    writes: [],
    keeps: ['one/results.json', 'two/results.json'],
    kinds: ['files', 'kill'],
  },
  {
    name: 'init',
    args: ['init', '--yes'],
    writes: ['matmul.mjs', 'paranoia.config.mjs', '.github/workflows/paranoia.yml'],
    isFirst: true,
    thinned: 0.6,
  },
  {
    name: 'bench',
    args: [
      ...['bench', 'kernels', '--kernels', 'host:double', '--sizes', '8', '--trials', '5', '--warm-up', '0'],
      ...['--levels', '0', '--out', 'out', '--json', 'bench.json'],
    ],
    writes: ['out/bench.json', 'out/bench.md', 'out/bench.html', 'bench.json'],
  },
  {
    name: 'bench-gpu',
    args: [
      ...[
        'bench',
        'kernels',
        '--kernels',
        'classical:naive',
        '--sizes',
        '8',
        '--trials',
        '5',
        '--warm-up',
        '0',
      ],
      ...['--levels', '0', '--out', 'out'],
    ],
    writes: ['out/bench.json', 'out/bench.md', 'out/bench.html'],
    kinds: ['gpu', 'memory'],
    thinned: 2,
  },
  {
    name: 'study',
    args: [
      'study',
      'strassen-2011',
      '--only',
      'errors',
      '--shrink',
      '1024',
      '--figures',
      '43',
      '--max-size',
      '16',
      '--out',
      'out',
    ],
    writes: ['out/results.json', 'out/study.txt', 'out/strassen-2011.partial.json'],
    kinds: ['files', 'output', 'gpu', 'kill'],
    thinned: 5,
  },
];
