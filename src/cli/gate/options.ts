import { fileOptions, loadOptions, type RunRequest, trustOptions } from '../../config/command-options.ts';
import { findConfig } from '../../config/node/find-config.ts';
import { runOptions, thresholdOptions } from '../../config/run-options.ts';
import { choice, flag, number, optionalValue, text } from '../../options/kinds.ts';
import { repeatedOption } from '../../options/node/read.ts';
import { type OptionTable, pickOptions, quoteForShell, type ValuesOf } from '../../options/option.ts';
import { ranges } from '../../problem/ranges.ts';
import { runtimeNames } from '../../runtimes/names.ts';
import { noKernels } from '../messages.ts';

/** Options that `gate` and `fuzz` share. */
export const shardOption = text(
  '--shard <i/n>',
  'Run one part of the cases: 2/8, or auto (from the CI job)',
  {
    scope: 'run',
    untrusted: 'never',
  },
);
export const timing = flag('--timing', 'Print a breakdown of the time at the end', {
  ...{ scope: 'run', nodeOnly: 'only Node measures the time' },
});
export const json = flag('--json', 'Print JSON');
export const caseOption = repeatedOption(
  '--case <case>',
  'Run the case that a failure printed; repeat for several in order',
  {
    scope: 'named',
  },
);
const corpus = text('--corpus <folder>', 'Folder of earlier failures, which run first', {
  ...{ usual: 'fixtures/corpus', untrusted: 'never' },
});
export const open = flag('--open', 'Open report.html in a browser afterwards', {
  scope: 'reports',
});

/** Options of `gate`. */
export const gateOptions = {
  ...pickOptions(runOptions, 'kernels', 'inputs', 'levels', 'sizes', 'precisions', 'fringes', 'tails'),
  ...pickOptions(runOptions, 'seed', 'replicates', 'plain'),
  ...loadOptions,
  ...pickOptions(runOptions, 'adapter', 'toggles'),
  ...thresholdOptions,
  ...fileOptions,
  in: choice(
    runtimeNames,
    '--in <runtime>',
    'Run kernels in another WebGPU runtime: chromium, firefox or deno',
    { usual: 'node', scope: 'judging' },
  ),
  untrusted: flag(
    '--untrusted',
    'Sandbox untrusted files, as `judge` does',
    // The secret seed of its cases would be in the store.
    {
      scope: 'judging',
      excludes: ['--resume'],
      nodeOnly: 'the sandbox runs only processes of Node',
    },
  ),
  ...trustOptions,
  ...pickOptions(runOptions, 'baselines'),
  case: caseOption,
  lastFailed: flag('--last-failed', 'Run the failures of the last run in --out again', {
    ...{ scope: 'named', untrusted: 'never' },
  }),
  replay: number(ranges.cases, '--replay <n>', 'Run failure n of the last run in --out again', {
    scope: 'named',
  }),
  fault: text('--fault <name>', 'Plant a known bug in a built-in kernel (`list faults`)', {
    ...{ scope: 'named', untrusted: 'never' },
  }),
  list: flag('--list', 'Print the cases, one a line, and run none'),
  json: { ...json, what: 'With --list: print a JSON array', requires: '--list' },
  corpus,
  ...pickOptions(runOptions, 'jobs', 'budget', 'cases', 'timeLimit'),
  shard: shardOption,
  all: flag('--all', 'Run all cases of a failing kernel', {
    usual: 'enough cases to explain the failure',
    scope: 'run',
  }),
  timing,
  watch: flag('--watch', 'Run again when a source changes, with the quick budget', {
    scope: 'run',
    untrusted: 'never',
    excludes: ['--list', '--update', '--open', '--resume'],
  }),
  resume: optionalValue(
    '--resume [store]',
    'Store finished cases, and resume: a folder or s3://bucket/prefix',
    {
      usual: 'reports/store',
      scope: 'run',
    },
  ),
  ...pickOptions(runOptions, 'reporters', 'out'),
  open,
  update: flag('-u, --update', 'Write missing baselines (refused if CI is set)', {
    ...{ scope: 'reports', untrusted: 'never', excludes: ['--shard', '--fault'] },
  }),
} as const satisfies OptionTable;

export interface GateRequest extends RunRequest, ValuesOf<typeof gateOptions> {}

/** Words that a shell takes without quotes. */
const PLAIN = /^[\w./#+:@%-]+$/;

/**
 * Formats kernels in files for a replay, with the precision of those that do not state one, and a trailing space; empty if there are none.
 */
export function filesText(files: readonly string[], { precisions }: RunRequest): string {
  if (files.length === 0) return '';
  const named = files.map((file) => (PLAIN.test(file) ? file : quoteForShell(file)));
  const said = precisions === undefined ? [] : [`--precision ${quoteForShell(precisions.join())}`];
  return [...named, ...said, ''].join(' ');
}

/** Options that name no kernel and no case. */
const PRINTING: ReadonlySet<string> = new Set(['list', 'json', 'verbose']);

/**
 * Refuses a request that says nothing, where no config can name a kernel. A plan refuses it too, but loads all that judges.
 * @throws ParanoiaError `no-kernels`, and Error of the file system
 */
export function refuseNothing(request: GateRequest): void {
  const folder = process.cwd();
  if (Object.keys(request).every((key) => PRINTING.has(key)) && findConfig(folder) === undefined)
    throw noKernels({ folder });
}
