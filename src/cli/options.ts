import { fileOptions, loadOptions, type RunRequest, trustOptions } from '../config/command-options.ts';
import { defaults, runOptions, thresholdOptions } from '../config/run-options.ts';
import { choice, choices, flag, number, numbers, seed, text, texts } from '../options/kinds.ts';
import { shapes } from '../options/node/read.ts';
import { type OptionTable, pickOptions, type ValuesOf } from '../options/option.ts';
import { ranges } from '../problem/ranges.ts';
import { caseOption, gateOptions, json } from './gate/options.ts';
import { ciNames, languageNames } from './init/languages.ts';

export const initOptions = {
  yes: flag('-y, --yes', 'Ask nothing, and take the defaults'),
  language: choice(
    languageNames,
    '--language <name>',
    `Language of the kernel: ${languageNames.join(', ')}`,
    {
      usual: 'detected from the files of the folder',
    },
  ),
  ci: choice(ciNames, '--ci <name>', `CI workflow: ${ciNames.join(' or ')}`, { usual: 'github' }),
} as const satisfies OptionTable;
export type InitRequest = ValuesOf<typeof initOptions>;

/** The default port of the page, which is free on most computers. */
export const PORT = 4386;

export const pageOptions = {
  port: number(ranges.port, '--port <n>', 'Port on this computer; 0 takes any free one', {
    usual: String(PORT),
  }),
  open: flag('--open', 'Open the page in a browser'),
  out: text('--out <folder>', 'Write the files of the page there, and serve nothing'),
} as const satisfies OptionTable;
export type PageRequest = ValuesOf<typeof pageOptions>;

export const selftestOptions = {
  ...pickOptions(runOptions, 'adapter'),
  fault: texts('--fault <names>', 'Faults to plant', { usual: 'all of `list faults`' }),
  binary64: number(
    ranges.patterns,
    '--binary64 <n>',
    'Instead, compare device binary64 on n random triples',
    {
      excludes: ['--fault'],
    },
  ),
  seed: { ...seed('1'), what: 'Seed of the triples', requires: '--binary64' },
  json,
} as const satisfies OptionTable;
export type SelfTestRequest = ValuesOf<typeof selftestOptions>;

export const mergeOptions = {
  allowMixed: flag('--allow-mixed', 'Join runs of different adapters, versions, seeds or cases'),
  ...pickOptions(runOptions, 'reporters', 'out'),
} as const satisfies OptionTable;
export interface MergeRequest extends ValuesOf<typeof mergeOptions> {
  readonly verbose?: true | undefined;
}

export const compareOptions = {
  bits: flag('--bits', 'Compare products bit by bit; any difference ends with exit code 1'),
  markdown: flag('--markdown', 'Print Markdown, for a comment', { excludes: ['--json'] }),
  json,
} as const satisfies OptionTable;
export type CompareRequest = ValuesOf<typeof compareOptions>;

export const reportOptions = {
  against: text('--against <file>', 'Earlier results, to show what changed'),
  out: text('--out <folder>', 'Folder of report.html', { usual: 'beside the results' }),
  allCases: flag('--all-cases', 'List every case (page of up to 1 MB)', {
    usual: 'as many as fit 300 KB',
  }),
  open: flag('--open', 'Open the report in a browser'),
} as const satisfies OptionTable;
export type ReportRequest = ValuesOf<typeof reportOptions>;

export const tuneOptions = {
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  size: shapes(ranges.size, '--size <list>', 'Time these sizes (n or mxkxn), and store nothing'),
  leaf: texts('--leaf <list>', 'Time leaf kernels of these name prefixes, and store nothing'),
  runs: number(ranges.runs, '--runs <n>', 'Timed runs per leaf kernel and size', { usual: '5' }),
  robustness: choices(['on', 'off'], '--robustness <list>', "Dawn's bounds checks: on, off or on,off", {
    usual: 'on',
  }),
  json,
} as const satisfies OptionTable;
export type TuneRequest = ValuesOf<typeof tuneOptions>;

export const judgeOptions = {
  precisions: { ...runOptions.precisions, usual: 'f32' },
  case: { ...caseOption, what: 'Run this case alone, as a failure prints it' },
  seed: { ...runOptions.seed, usual: 'secret; the verdict states it' },
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  sigmas: thresholdOptions.sigmas,
  ...fileOptions,
  ...trustOptions,
  budget: {
    ...runOptions.budget,
    usual: 'quick: 10 s, or up to 60 s if a pass needs it',
  },
  ...pickOptions(runOptions, 'cases', 'timeLimit'),
  reporters: { ...runOptions.reporters, usual: 'json,html with --out' },
  out: { ...runOptions.out, what: 'Folder of full reports', usual: 'none' },
} as const satisfies OptionTable;

export interface JudgeRequest extends RunRequest, ValuesOf<typeof judgeOptions> {}

export const inspectOptions = {
  kernels: { ...runOptions.kernels, usual: undefined },
  precisions: { ...runOptions.precisions, usual: 'f32' },
  levels: { ...runOptions.levels, what: 'Recursion levels of built-in kernels', usual: '0' },
  ofSizes: numbers(ranges.size, '--size <list>', 'Sizes n×n×n at which the algorithm is inferred', {
    ...{ usual: 'sizes that take little time', scope: 'cases' },
  }),
  seed: runOptions.seed,
  quick: flag('--quick', 'Run about 100 small products'),
  ...pickOptions(loadOptions, 'config'),
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  ...fileOptions,
  untrusted: { ...gateOptions.untrusted, excludes: undefined },
  ...trustOptions,
  json,
} as const satisfies OptionTable;

export interface InspectRequest extends RunRequest, ValuesOf<typeof inspectOptions> {}

/** The folder of entries. */
export const ENTRIES = 'reports/atlas/entries';
/** The folder of the pages. */
export const PAGES = `${defaults.out}/atlas`;

export const addOptions = {
  to: text('--to <folder>', 'Folder of entries', { usual: ENTRIES }),
  raw: text('--raw <where>', 'Public address or repository path of the results file'),
  device: text('--device <name>', 'Device name, if the browser does not report it'),
  driver: text('--driver <text>', 'Driver, if the results do not name it'),
  implementation: text(
    '--implementation <name>',
    'WebGPU implementation, if not reported: Firefox 140 (wgpu)',
  ),
  inspected: texts('--inspected <files>', 'Outputs of `inspect --json` on this adapter, for the grades'),
} as const satisfies OptionTable;

/** The request of `atlas add`. */
export type AddRequest = ValuesOf<typeof addOptions>;

export const buildOptions = {
  from: text('--from <folder>', 'Folder of entries', { usual: ENTRIES }),
  out: { ...runOptions.out, what: 'Folder of the pages', usual: PAGES },
} as const satisfies OptionTable;
