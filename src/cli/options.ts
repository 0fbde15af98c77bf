import { fileOptions, loadOptions, type RunRequest, trustOptions } from '../config/command-options.ts';
import { runOptions, thresholdOptions } from '../config/run-options.ts';
import { choice, choices, flag, number, numbers, seed, text, texts } from '../options/kinds.ts';
import { shapes } from '../options/node/kinds.ts';
import { type OptionTable, only, type ValuesOf } from '../options/option.ts';
import { ranges } from '../problem/ranges.ts';
import { caseOption, gateOptions, json } from './gate/options.ts';
import { ciNames, languageNames } from './init/languages.ts';

export const initOptions = {
  yes: flag('-y, --yes', 'Ask nothing: take what is usual'),
  language: choice(languageNames, '--language <name>', languageNames.join(', '), {
    usual: 'as the folder shows',
  }),
  ci: choice(ciNames, '--ci <name>', ciNames.join(' or '), { usual: 'github' }),
} as const satisfies OptionTable;
export type InitRequest = ValuesOf<typeof initOptions>;

/** The default port of the page, which is free on most computers. */
export const PORT = 4386;

export const pageOptions = {
  port: number(ranges.port, '--port <n>', 'Where on this computer: 0 for any port that is free', {
    usual: String(PORT),
  }),
  open: flag('--open', 'Show it in a browser'),
  out: text('--out <folder>', 'Write its files there, for any server of files, and serve nothing'),
} as const satisfies OptionTable;
export type PageRequest = ValuesOf<typeof pageOptions>;

export const selftestOptions = {
  ...only(runOptions, 'adapter'),
  fault: texts('--fault <names>', 'Only these', { usual: 'all that `list faults` prints' }),
  binary64: number(
    ranges.patterns,
    '--binary64 <n>',
    'Instead, compare binary64 on the device with this engine on n random triples of bit patterns',
    { excludes: ['--fault'] },
  ),
  seed: { ...seed('1'), what: 'Of those patterns', requires: '--binary64' },
  json,
} as const satisfies OptionTable;
export type SelfTestRequest = ValuesOf<typeof selftestOptions>;

export const mergeOptions = {
  allowMixed: flag('--allow-mixed', 'Also join runs of different adapters, versions, seeds or cases'),
  ...only(runOptions, 'reporters', 'out'),
} as const satisfies OptionTable;
export interface MergeRequest extends ValuesOf<typeof mergeOptions> {
  readonly verbose?: true | undefined;
}

export const compareOptions = {
  markdown: flag('--markdown', 'Print Markdown, for a comment', { excludes: ['--json'] }),
  json,
} as const satisfies OptionTable;
export type CompareRequest = ValuesOf<typeof compareOptions>;

export const reportOptions = {
  against: text('--against <file>', 'The results of an earlier run, to show what changed'),
  out: text('--out <folder>', 'Where to write report.html', { usual: 'beside the results' }),
  allCases: flag('--all-cases', 'List every case, on a page of up to 1 MB', {
    usual: 'as many as fit 300 KB',
  }),
  open: flag('--open', 'Show it in a browser'),
} as const satisfies OptionTable;
export type ReportRequest = ValuesOf<typeof reportOptions>;

export const tuneOptions = {
  ...only(runOptions, 'adapter', 'toggles'),
  size: shapes(ranges.size, '--size <list>', 'Time these sizes n or mxkxn, and keep nothing'),
  leaf: texts('--leaf <list>', 'Time these leaf kernels, or all whose names begin so, and keep nothing'),
  runs: number(ranges.runs, '--runs <n>', 'Timed runs of each leaf kernel and size', { usual: '5' }),
  robustness: choices(
    ['on', 'off'],
    '--robustness <list>',
    "Dawn's checks of indices: on, off or both as on,off",
    { usual: 'on' },
  ),
  json,
} as const satisfies OptionTable;
export type TuneRequest = ValuesOf<typeof tuneOptions>;

export const judgeOptions = {
  ...only(runOptions, 'precisions'),
  case: { ...caseOption, what: 'Run this case alone: what a failure prints' },
  seed: { ...runOptions.seed, usual: 'a secret, which the verdict tells' },
  ...only(runOptions, 'adapter', 'toggles'),
  sigmas: thresholdOptions.sigmas,
  ...fileOptions,
  ...trustOptions,
  budget: {
    ...runOptions.budget,
    usual: 'quick, 10 s from the start to the verdict, and up to 60 s for what a pass needs',
  },
  ...only(runOptions, 'cases', 'timeLimit'),
  reporters: { ...runOptions.reporters, usual: 'json,html where --out is given' },
  out: { ...runOptions.out, what: 'Write full reports there', usual: 'none are written' },
} as const satisfies OptionTable;

/** The request of a judge. */
export interface JudgeRequest extends RunRequest, ValuesOf<typeof judgeOptions> {}

export const inspectOptions = {
  kernels: { ...runOptions.kernels, usual: undefined },
  ...only(runOptions, 'precisions'),
  levels: { ...runOptions.levels, what: 'Levels that kernels of ours run at', usual: '0' },
  ofSizes: numbers(ranges.size, '--size <list>', 'Sizes n of n×n×n at which the algorithm is asked', {
    ...{ usual: 'while it takes little time', scope: 'cases' },
  }),
  seed: runOptions.seed,
  quick: flag('--quick', 'About 100 small products'),
  ...only(loadOptions, 'config'),
  ...only(runOptions, 'adapter', 'toggles'),
  ...fileOptions,
  untrusted: { ...gateOptions.untrusted, what: 'Hold its processes, as `judge` does', excludes: undefined },
  ...trustOptions,
  json,
} as const satisfies OptionTable;

/** The request of an inspection. */
export interface InspectRequest extends RunRequest, ValuesOf<typeof inspectOptions> {}
