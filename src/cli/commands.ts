import type { Flags } from '../config/flags.ts';
import { ENTRIES } from './atlas-folder.ts';
import { type CommandRecord, single, type Taken } from './takes.ts';

const ALGORITHM = 'strassen, winograd, …, as `list algorithms` prints, or one of the config';

/** The timed trials of `bench kernels` and of the speeds of `study`. */
const trials = (part: string): readonly Taken[] => [
  ['--trials <n>', `${part}: timed trials (default: 30)`],
  ['--warm-up <n>', `${part}: products before them (default: 2)`],
  ['--seconds <s>', `${part}: no new trial of a kernel after so long, beyond five (default: 30)`],
  ['--clock <which>', `${part}: timestamps, submission or whole (default: timestamps)`],
  ['--seed <n>', `${part}: what random entries come from (default: 1)`],
];

/** Kernels in files: `matmul.py#matmul`. */
const KERNELS = '[...files#kernels]';
const OF_FILES = ['python', 'device', 'convention'];

/** The flags of a command with the files that it names. */
const withFiles = (files: readonly unknown[], flags: Flags): Flags =>
  files.length === 0 ? flags : { ...flags, files };

/** The commands, in the order in which help lists them. */
export const commands: Readonly<Record<string, CommandRecord>> = {
  init: {
    what: 'Begin: write a kernel, a config and a CI workflow into this folder',
    options: [
      ['-y, --yes', 'Ask nothing: take what is usual'],
      ['--language <name>', 'javascript, typescript, wgsl, python or c (default: as the folder shows)'],
      ['--ci <name>', 'github or none (default: github)'],
    ],
    example: '--language python --ci none',
    run: async (flags: Flags) => (await import('./init.ts')).runInit(flags),
  },
  gate: {
    args: KERNELS,
    what: 'Judge kernels: pass, fail or inconclusive, case by case',
    options: [
      ...['config', 'ours', 'adapter', 'kernel', 'input', 'levels', 'size', 'precision', 'fringe', 'tail'],
      ...['seed', 'replicates', 'plain', 'sigmas', 'drift', 'toggle', ...OF_FILES],
      [
        '--case <case>',
        'Run this case alone, or several in their order in one process: what a failure prints',
      ],
      [
        '--last-failed',
        'Run again what failed in the results of --out, each case after those that it fails after',
      ],
      ['--replay <n>', 'Run failure n of the results of --out again, as their report counts them'],
      ['--list', 'Print the cases that would run, a line each, and run none'],
      ['json', { what: 'With --list: print an array' }],
      ['--fault <name>', 'Plant a fault of the self-test in its kernel, to see the gate fail: `list faults`'],
      ...[
        'shard',
        'reporter',
        'out',
        'baselines',
        'corpus',
        'jobs',
        'budget',
        'cases',
        'time-limit',
        'timing',
      ],
      [
        '--untrusted',
        'Judge files that nobody trusts: as `judge` does, with the output and the options of `gate`',
      ],
      ...['sandbox', 'algorithm', 'reads'],
      [
        '--in <runtime>',
        'Judge in another implementation of WebGPU: chromium, firefox or deno (default: node, this one)',
      ],
      ['--all', 'Run all cases of a kernel that fails (default: as many as tell why it fails)'],
      ['--watch', 'Run again, quickly, whenever the config, a kernel or another source beside them changes'],
      [
        '--resume [store]',
        'Keep what is finished in a folder or s3://bucket/prefix, and go on from there (default: reports/store)',
      ],
      ['--open', 'Show report.html in a browser when the run has ended'],
      ['-u, --update', 'Write the baselines that are missing; refused where CI is set'],
    ],
    example: 'matmul.ts#matmul',
    run: async (files: unknown[], flags: Flags) =>
      (await import('./gate.ts')).runGate(withFiles(files, flags)),
  },
  judge: {
    args: '<file#kernel>',
    what: 'Judge a kernel that nobody trusts, in seconds: one JSON verdict on standard output',
    options: [
      ...['adapter', 'precision', 'algorithm', 'sandbox', 'reads', ...OF_FILES],
      ['seed', { usual: 'a secret, which the verdict tells' }],
      [
        'budget',
        { usual: 'quick, 10 s from the start to the verdict, and up to 60 s for what a pass needs' },
      ],
      'cases',
      ['--case <case>', 'Run this case alone: what a failure prints'],
      ['reporter', { usual: 'json,html where --out is given' }],
      ['out', { what: 'Write full reports there', usual: 'none are written' }],
      ...['sigmas', 'toggle', 'time-limit'],
    ],
    example: 'submission.py#matmul --sandbox required',
    run: async (file: unknown, flags: Flags) => (await import('./judge.ts')).runJudge(String(file), flags),
  },
  mcp: {
    what: 'Serve the Model Context Protocol on standard input and output: an agent judges, inspects, explains and replays',
    options: [['sandbox', { usual: 'auto: held by all that this system has' }]],
    run: async (flags: Flags) => (await import('./mcp.ts')).runMcp(flags),
  },
  fuzz: {
    args: KERNELS,
    what: 'Draw cases at random, and shrink what fails to the smallest case',
    options: [
      ...['config', 'adapter', 'kernel', 'precision', ...OF_FILES],
      ['input', { usual: 'all' }],
      ['levels', { usual: '0 to 3, deep ones rarely' }],
      [
        '--max-size <n>',
        'The largest m, k and n, in products of 2^20 multiplications at most (default: 4096)',
      ],
      [
        'cases',
        {
          what: 'Cases of each kernel, in place of --time: the same ones whatever time they take',
          usual: '500',
        },
      ],
      ['--runs <n>', 'Cases of each kernel, where --time may end them before (default: until it is over)'],
      ['--time <time>', 'Draw no more after so long: 90s, 10m, 2h'],
      'seed',
      [
        '--around <sizes>',
        'Draw more beside these sizes, such as m=513,k=2049, or none (default: where the bits of a kernel change)',
      ],
      ['--path <path>', 'Run this case of the seed alone, and shrink it: what a violation prints'],
      ['--maximize', 'Search the worst error instead of a violation'],
      ['--of <what>', 'What to search the largest of: sigmas or bound (default, with --maximize: sigmas)'],
      ...['sigmas', 'toggle'],
      ['--corpus <folder>', 'Where found failures are kept (default: fixtures/corpus)'],
      'shard',
      ['--fault <name>', 'Plant a fault of the self-test in the kernel, to see it found'],
      ...['reporter', 'out', 'timing'],
    ],
    example: '--kernel strassen --time 10m',
    run: async (files: unknown[], flags: Flags) =>
      (await import('./fuzz.ts')).runFuzzing(withFiles(files, flags)),
  },
  merge: {
    args: '<...results.json>',
    what: 'Join the results of shards, and judge them as one run',
    options: [
      ...['out', 'reporter'],
      ['--allow-mixed', 'Also join runs of different adapters, versions, seeds or cases'],
    ],
    example: 'shard-*/results.json --out merged',
    run: async (files: unknown[], flags: Flags) =>
      (await import('./merge.ts')).runMerge(files.map(String), flags),
  },
  farm: {
    args: '<what> [...files#kernels]',
    what: 'Judge one campaign on many machines: submit it, work on it, watch it, collect its verdict',
    options: [
      ['--store <place>', 'Where results are kept: a folder, or s3://bucket/prefix (default: reports/store)'],
      [
        '--queue <url>',
        'Redis or Valkey, which hands out batches: redis://host:6379 (default: the folder of the store)',
      ],
      [
        '--campaign <id>',
        'Which campaign of the store is meant, by the beginning of its id (default: the only one)',
      ],
      ...['config', 'ours', ...OF_FILES, 'precision', 'adapter', 'toggle', 'sigmas', 'drift', 'baselines'],
      ...[
        'kernel',
        'input',
        'levels',
        'size',
        'fringe',
        'tail',
        'seed',
        'replicates',
        'plain',
        'budget',
        'cases',
        'corpus',
      ],
      ['--fuzz <n>', 'submit: so many drawn cases of each kernel, in place of those of a gate'],
      ['--max-size <n>', 'submit, with --fuzz: the largest m, k and n (default: 4096)'],
      ['--jobs <n>', 'work: so many processes that judge, each with a device of its own (default: 1)'],
      ['--lease <time>', 'work: after so long a worker that is silent loses its batch (default: 60s)'],
      ['--no-wait', 'work: end where there is no campaign yet (default: wait for one)'],
      ['--once', 'watch: look once'],
      ['--allow-mixed', 'collect: join results of different adapters'],
      ['reporter', { what: 'collect: files to write' }],
      ['out', { what: 'collect: where to write them' }],
      ['--open', 'collect: show report.html in a browser'],
    ],
    example: 'submit matmul.ts#matmul --queue redis://localhost:6379',
    run: async (what: unknown, files: unknown[], flags: Flags) =>
      (await import('./farm.ts')).runFarm(String(what), withFiles(files, flags)),
  },
  compare: {
    args: '<old.json> <new.json>',
    what: 'Say what changed between two results files, kernel by kernel; new failures end with 1',
    options: [['--markdown', 'Print Markdown, for a comment'], 'json'],
    example: 'before/results.json reports/local/results.json',
    run: async (old: unknown, recent: unknown, flags: Flags) =>
      (await import('./compare.ts')).runCompare(old, recent, flags),
  },
  report: {
    args: '<results.json>',
    what: 'Write an HTML report of a results file',
    options: [
      ['--against <file>', 'The results of an earlier run, to show what changed'],
      ['--out <folder>', 'Where to write report.html (default: beside the results)'],
      ['--all-cases', 'List every case, on a page of up to 1 MB (default: as many as fit 300 KB)'],
      ['--open', 'Show it in a browser'],
    ],
    example: 'reports/local/results.json --against before/results.json',
    run: async (results: unknown, flags: Flags) =>
      (await import('./report.ts')).runReport(results, flags, process.stdout),
  },
  atlas: {
    args: '<what> [...files]',
    what: 'Keep what runs say of kernels on devices: `add` results, `build` its pages',
    options: [
      ['--to <folder>', `add: where entries lie (default: ${ENTRIES})`],
      ['--from <folder>', `build: where entries lie (default: ${ENTRIES})`],
      ['--out <folder>', 'build: where the pages are written (default: reports/local/atlas)'],
      [
        '--raw <where>',
        'add: where the results file lies for others, as an address or a path of the repository',
      ],
      ['--device <name>', 'add: what the device is, where a browser does not say it'],
      ['--driver <text>', 'add: its driver, where nothing says it'],
      ['--implementation <name>', 'add: what ran the shaders, where it does not say: Firefox 140 (wgpu)'],
      [
        '--inspected <files>',
        'add: files with what `inspect --json` printed of the same kernels on the same adapter, for their grades',
      ],
    ],
    example: 'add reports/local/results.json',
    run: async (what: unknown, files: unknown[], flags: Flags) =>
      (await import('./atlas.ts')).runAtlas(String(what), files.map(String), flags),
  },
  page: {
    what: 'Serve a page that judges the GPU of whoever opens it, kernels of WGSL that they paste among what it judges',
    options: [
      ['--port <n>', 'Where on this computer: 0 for any port that is free (default: 4386)'],
      ['--open', 'Show it in a browser'],
      ['--out <folder>', 'Write its files there, for any server of files, and serve nothing'],
    ],
    example: '--open',
    run: async (flags: Flags) => (await import('./page.ts')).runPage(flags, process.stdout),
  },
  study: {
    args: '<name>',
    what: "Measure a paper's numbers again: `list studies` names them",
    options: [
      ['--only <part>', 'errors or speeds (default: all that the paper has)'],
      ...['adapter', 'toggle', 'config'],
      [
        '--max-size <n>',
        'No product larger than this (default: errors: 2048 in software, else any; speeds: 512 in software, else 16384)',
      ],
      ['--shrink <factor>', 'Divide all sizes, to see the machinery work: errors are then not compared'],
      [
        'out',
        {
          what: 'Where results are written, and taken up again',
          usual: 'a folder of its name in reports/local',
        },
      ],
      ['--figures <list>', 'errors: only these figures: 30,31 (default: all)'],
      ['--pairs <n>', 'errors: random pairs, where a table is over several (default: as published)'],
      ['--fresh', 'errors: measure again what an earlier run has finished'],
      ['time-limit', { what: 'errors: begin no product after so long; the same command goes on later' }],
      ['--sizes <sizes>', 'speeds: these sizes instead of the paper’s'],
      ['--beside <names>', 'speeds: kernels that play vendors’ libraries, such as torch:cuda-f32,numpy:f64'],
      ['--leaf <name>', 'speeds: the leaf kernel of ours (default: register)'],
      ['--multiprocessors <n>', 'speeds of huang-2020: how many the GPU has'],
      ...trials('speeds'),
      ['--json [file]', 'speeds: print JSON, or write it to a file'],
    ],
    example: 'strassen-2011 --only errors --figures 30,31 --max-size 4096',
    run: async (name: string, flags: Flags) => (await import('./study.ts')).runStudy(name, flags),
  },
  probe: {
    what: 'Ask an adapter how it computes, beside what WGSL promises',
    options: ['adapter', 'toggle', 'json'],
    run: async (flags: Flags) => (await import('./probe.ts')).runProbe(flags),
  },
  inspect: {
    args: KERNELS,
    what: 'Unmask a kernel from its outputs: algorithm, precision, order of sums',
    options: [
      'config',
      ['kernel', { usual: undefined }],
      ...['precision', ...OF_FILES],
      ['--levels <list>', 'Levels that kernels of ours run at (default: 0)'],
      [
        '--size <list>',
        'Sizes n of n×n×n at which the algorithm is asked (default: while it takes little time)',
      ],
      'seed',
      ['--quick', 'About 100 small products'],
      ['--untrusted', 'Hold its processes, as `judge` does'],
      ...['sandbox', 'adapter', 'toggle', 'json'],
    ],
    example: '--kernel winograd:register --levels 2',
    run: async (files: unknown[], flags: Flags) =>
      (await import('./inspect.ts')).runInspect(withFiles(files, flags)),
  },
  measure: {
    what: 'Measure one product: its errors, bounds and expected error',
    options: [
      ['--algorithm <name>', `${ALGORITHM} (default: classical)`],
      single('levels', '0'),
      ['--tau1 <n>', 'Instead of --levels: classical up to this size'],
      ['--tau2 <n>', 'With --tau1: one level up to this size, recursion above'],
      ['--leaf <name>', 'naive, tiled, register, wide, fused, or one of fixed tile (default: register)'],
      ...[single('fringe', 'pad'), single('tail', 'mask'), single('input', 'uniform')],
      ['size', { flag: '--size <size>', what: 'A product: n for a square one, or mxkxn', usual: undefined }],
      [
        '--a <file>',
        'Your own left matrix, a .npy file, rounded first to what --precision multiplies; with --b',
      ],
      ['--b <file>', 'Your own right matrix'],
      single('seed', '1'),
      ['--on <where>', 'gpu or mirror: the same steps on the CPU (default: gpu)'],
      ...[single('init', 'f32, or f64 for wider precisions'), single('precision', 'f32')],
      ...[single('alpha', '1'), single('beta', '0'), single('batch', '1')],
      [
        '--layout-a <layout>',
        'How A lies: n or t, f by columns, ld, offset, stride: tf,ld=70,offset=3,stride=4200 (default: n)',
      ],
      ['--layout-b <layout>', 'How B lies'],
      ['--layout-c <layout>', 'How C lies, and D where it overwrites C'],
      ['--layout-d <layout>', 'How D lies; without it, D overwrites C'],
      ...['adapter', 'toggle', 'config', 'json'],
    ],
    example: '--algorithm strassen --levels 1 --input inverse-pair --size 2048',
    run: async (flags: Flags) => (await import('./measure.ts')).runMeasure(flags),
  },
  describe: {
    what: 'List the steps of a product, its cost and its error bound; needs no GPU',
    options: [
      ['--algorithm <name>', `${ALGORITHM} (default: strassen)`],
      single('levels', '1'),
      ['--tau1 <n>', 'Instead of --levels: up to this size no recursion (default: half of --tau2)'],
      ['--tau2 <n>', 'Instead of --levels: up to this size one level (default: twice --tau1)'],
      ['size', { flag: '--size <size>', what: 'A product: n for a square one, or mxkxn', usual: '1024' }],
      ...[single('fringe', 'pad'), single('tail', 'mask')],
      [
        '--style <name>',
        'Where block sums are computed: scheduled, wide, fused, hybrid, atomic (default: scheduled)',
      ],
      ['--all', 'List every step, not one call a level'],
      ...['config', 'json'],
    ],
    example: '--algorithm winograd --levels 2 --size 4096',
    run: async (flags: Flags) => (await import('./describe.ts')).runDescribe(flags),
  },
  reference: {
    what: 'Write the exact product of two matrices, and how it is known to be exact',
    options: [
      ['--a <file>', 'The left matrix, a .npy file of float32 or float64'],
      ['--b <file>', 'The right matrix, a .npy file of float32 or float64'],
      ...[single('alpha', '1'), single('beta', '0')],
      ['--c <file>', 'The matrix that --beta multiplies, a .npy file'],
      ['--out <file>', 'The .npy file to write: the product, correctly rounded to float64'],
      ['--size <size>', 'Instead of files: make operands, n or mxkxn, and keep the product only with --out'],
      ...[single('input', 'uniform'), single('precision', 'f32'), single('seed', '1')],
      ['--on <where>', 'cpu, or gpu: by integer slices, random rows checked by the CPU (default: cpu)'],
      ['--by <name>', 'How slices are multiplied: matrix, dot-staged or dot-plain (default: the fastest)'],
      ...['adapter', 'toggle', 'json'],
    ],
    example: '--a A.npy --b B.npy --out C.npy',
    run: async (flags: Flags) => (await import('./reference.ts')).runReference(flags, process.stdout),
  },
  selftest: {
    what: 'Plant faults in our own kernels and see the gate fail each of them',
    options: [
      'adapter',
      ['--fault <names>', 'Only these (default: all that `list faults` prints)'],
      [
        '--binary64 <n>',
        'Instead, compare binary64 on the device with this engine on n random triples of bit patterns',
      ],
      ['--seed <n>', 'Of those patterns (default: 1)'],
      'json',
    ],
    run: async (flags: Flags) => (await import('./selftest.ts')).runSelfTest(flags),
  },
  devices: {
    what: 'List the GPU adapters, their arithmetic, and which one a gate would take',
    options: ['json'],
    run: async (flags: Flags) => (await import('./devices.ts')).runDevices(flags),
  },
  bench: {
    args: '[what]',
    what: 'Time the default gate, fuzzing and the leaf kernels; or `kernels`, or `reference`',
    options: [
      ...['adapter', 'toggle', 'config'],
      ['--kernels <names>', 'kernels: names, algorithms or :leaves, also host:double and others of the CPU'],
      ['--sizes <sizes>', 'kernels: square sizes, or mxkxn'],
      ['--levels <levels>', 'kernels: levels of fast algorithms, such as 0..2 or 1,3 (default: 0..2)'],
      ['--input <name>', 'kernels: the family of test matrices (default: uniform)'],
      ['--precision <name>', 'kernels: of our own kernels (default: f32)'],
      ['--fringe <how>', 'kernels: pad, peel or both (default: pad)'],
      ['--tail <how>', 'kernels: mask, pad or both (default: mask)'],
      ...trials('kernels'),
      ['--out <folder>', 'kernels: write bench.json, bench.md and bench.html there'],
      ['--json [file]', 'Print JSON, or write it to a file'],
      ['--size <n>', 'Without a word: the size of the leaf products (default: 512); of reference (1024)'],
      ['--runs <n>', 'Without a word: timed runs of each leaf kernel (default: 5); of reference (3)'],
      ['--no-gate', 'Without a word: leave out the gate'],
      ['--no-fuzz', 'Without a word: leave out fuzzing'],
    ],
    example: 'kernels --kernels :register --sizes 512,1024,2048 --levels 0..2',
    run: async (what: string | undefined, flags: Flags) => (await import('./bench.ts')).runBench(what, flags),
  },
  list: {
    args: '<kind>',
    what: 'List what is registered: algorithms, kernels, inputs, precisions, checks, styles, reporters, studies, clients, faults',
    options: ['config', 'json'],
    example: 'inputs',
    run: async (kind: unknown, flags: Flags) => (await import('./list.ts')).runList(String(kind), flags),
  },
  tune: {
    what: 'Time the leaf kernels on an adapter, and keep which are fastest for later runs',
    options: [
      ...['adapter', 'toggle'],
      ['--size <list>', 'Time these sizes n or mxkxn, and keep nothing'],
      ['--leaf <list>', 'Time these leaf kernels, or all whose names begin so, and keep nothing'],
      ['--runs <n>', 'Timed runs of each leaf kernel and size (default: 5)'],
      ['--robustness <list>', "Dawn's checks of indices: on, off or both as on,off (default: on)"],
      'json',
    ],
    example: '--size 4096 --leaf staged,gpu8 --robustness on,off',
    run: async (flags: Flags) => (await import('./tune.ts')).runTune(flags),
  },
};
