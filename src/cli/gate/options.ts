import { fileOptions, loadOptions, type RunRequest, trustOptions } from '../../config/command-options.ts';
import { runOptions, thresholdOptions } from '../../config/run-options.ts';
import { choice, flag, number, perhaps, text } from '../../options/kinds.ts';
import { repeated } from '../../options/node/kinds.ts';
import { type OptionTable, only, quoted, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { runtimeNames } from '../../runtimes/names.ts';
/** Options that `gate` and `fuzz` share. */
export const shardOption = text(
  '--shard <i/n>',
  'Run this part of the cases: 2/8; auto and auto/8 ask the scheduler',
  { scope: 'run', untrusted: 'never' },
);
export const timing = flag('--timing', 'Say at the end where the time went', {
  ...{ scope: 'run', nodeOnly: 'where the time goes is measured in Node alone' },
});
export const json = flag('--json', 'Print JSON');
export const caseOption = repeated(
  '--case <case>',
  'Run this case alone, or several in their order in one process: what a failure prints',
  { scope: 'named' },
);
export const corpus = text('--corpus <folder>', 'Found failures, run before all else', {
  ...{ usual: 'fixtures/corpus', untrusted: 'never' },
});
export const open = flag('--open', 'Show report.html in a browser when the run has ended', {
  scope: 'reports',
});

/** Options of `gate`. */
export const gateOptions = {
  ...only(runOptions, 'kernels', 'inputs', 'levels', 'sizes', 'precisions', 'fringes', 'tails'),
  ...only(runOptions, 'seed', 'replicates', 'plain'),
  ...loadOptions,
  ...only(runOptions, 'adapter', 'toggles'),
  ...thresholdOptions,
  ...fileOptions,
  in: choice(
    runtimeNames,
    '--in <runtime>',
    'Judge in another implementation of WebGPU: chromium, firefox or deno',
    { usual: 'node, this one', scope: 'judging' },
  ),
  untrusted: flag(
    '--untrusted',
    'Judge files that nobody trusts: as `judge` does, with the output and the options of `gate`',
    // The secret seed of its cases would be in the store.
    {
      scope: 'judging',
      excludes: ['--resume'],
      nodeOnly: 'what holds kernels that nobody trusts holds processes of Node',
    },
  ),
  ...trustOptions,
  ...only(runOptions, 'baselines'),
  case: caseOption,
  lastFailed: flag(
    '--last-failed',
    'Run again what failed in the results of --out, each case after those that it fails after',
    { scope: 'named', untrusted: 'never' },
  ),
  replay: number(
    ranges.cases,
    '--replay <n>',
    'Run failure n of the results of --out again, as their report counts them',
    { scope: 'named' },
  ),
  fault: text(
    '--fault <name>',
    'Plant a fault of the self-test in its kernel, to see the gate fail: `list faults`',
    {
      ...{ scope: 'named', untrusted: 'never' },
    },
  ),
  list: flag('--list', 'Print the cases that would run, a line each, and run none'),
  json: { ...json, what: 'With --list: print an array', requires: '--list' },
  corpus,
  ...only(runOptions, 'jobs', 'budget', 'cases', 'timeLimit'),
  shard: shardOption,
  all: flag('--all', 'Run all cases of a kernel that fails', {
    usual: 'as many as tell why it fails',
    scope: 'run',
  }),
  timing,
  watch: flag(
    '--watch',
    'Run again, quickly, whenever the config, a kernel or another source beside them changes',
    { scope: 'run', untrusted: 'never', excludes: ['--list', '--update', '--open', '--resume'] },
  ),
  resume: perhaps(
    '--resume [store]',
    'Keep what is finished in a folder or s3://bucket/prefix, and go on from there',
    { usual: 'reports/store', scope: 'run' },
  ),
  ...only(runOptions, 'reporters', 'out'),
  open,
  update: flag('-u, --update', 'Write the baselines that are missing; refused where CI is set', {
    ...{ scope: 'reports', untrusted: 'never', excludes: ['--shard', '--fault'] },
  }),
} as const satisfies OptionTable;

/** The request of a gate. */
export interface GateRequest extends RunRequest, ValuesOf<typeof gateOptions> {}

/** Words that a shell takes without quotes. */
const PLAIN = /^[\w./#+:@%-]+$/;

/**
 * Formats kernels in files for a replay, with the precision of those that do not state one, and a trailing space; empty if there are none.
 */
export function filesText(files: readonly string[], { precisions }: RunRequest): string {
  if (files.length === 0) return '';
  const named = files.map((file) => (PLAIN.test(file) ? file : quoted(file)));
  const said = precisions === undefined ? [] : [`--precision ${quoted(precisions.join())}`];
  return [...named, ...said, ''].join(' ');
}
