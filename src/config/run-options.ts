import { defaultThresholds } from '../evidence/checks/check.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { any, axis, listOfValues, number, oneValue, seed, sizes, text, texts } from '../options/kinds.ts';
import type { OptionTable } from '../options/option.ts';
import { ranges } from '../problem/ranges.ts';
import { BUDGETS, budgetOf, budgets } from '../run/budget.ts';

/** Defaults that do not depend on the device or the kernels. */
export const defaults = {
  thresholds: defaultThresholds,
  reporters: ['json', 'html'],
  out: 'reports/local',
} as const;

/** Options of a run that a config may hold, by their names in it. */
export const runOptions = {
  adapter: text('--adapter <name>', 'GPU adapter: hardware, software, or part of its name', {
    usual: 'hardware, else software',
    scope: 'judging',
  }),
  kernels: listOfValues<string | UserKernel>(
    any('a name, or a kernel made with defineKernel'),
    '--kernel <names>',
    'Kernels: strassen, strassen:tiled, tfjs:wasm (`list kernels`)',
    { usual: 'those of the config, else built-in ones', scope: 'cases', untrusted: 'never' },
  ),
  inputs: axis('input', 'those that expose most faults', { scope: 'cases' }),
  levels: axis('levels', '0,1,2,3', { scope: 'cases' }),
  sizes: sizes('--size <list>', 'Sizes: 64, 129x65x33 (in a config: [129, 65, 33])', {
    usual: '1, primes, tile edges ±1, rectangles, a growth series',
    scope: 'cases',
  }),
  precisions: axis('precision', 'f32', { scope: 'cases' }),
  toggles: texts('--toggle <names>', 'Dawn toggles to enable; Dawn ignores unknown ones', {
    scope: 'judging',
  }),
  fringes: axis('fringe', 'both', { scope: 'cases' }),
  tails: axis('tail', 'both', { scope: 'cases' }),
  seed: seed('the date, or 1 with --size', { scope: 'cases' }),
  replicates: number(ranges.replicates, '--replicates <n>', 'Seeds per point of the growth series', {
    usual: '3, or 0 with --size',
    scope: 'cases',
  }),
  plain: oneValue<boolean>(
    { need: 'true or false', holds: (value) => typeof value === 'boolean' },
    '--plain',
    'Run A·B only: no alpha, beta, transposes or batches',
    {
      usual: 'off',
      scope: 'cases',
    },
  ),
  baselines: text('--baselines <folder>', 'Folder of baselines', {
    ...{ usual: 'fixtures/baselines', scope: 'judging', untrusted: 'never' },
  }),
  reporters: texts(
    '--reporter <list>',
    'Files: table, json, junit, markdown, html; on the console: github, dots',
    { usual: defaults.reporters.join(), scope: 'reports' },
  ),
  out: text('--out <folder>', 'Folder of reports', { usual: defaults.out, scope: 'reports' }),
  jobs: number(ranges.jobs, '--jobs <n>', 'Worker processes, each with its own device', {
    ...{ usual: 'up to 4 for functions, up to 8 for built-in kernels, else 1', scope: 'run' },
    ...{ untrusted: 'never', nodeOnly: 'one page runs all cases' },
  }),
  budget: oneValue<string>(
    { need: BUDGETS, holds: (value) => typeof value === 'string' && budgetOf(value) !== undefined },
    '--budget <time>',
    `Time per kernel: ${budgets.map(({ name }) => name).join(', ')}, 90s, 10m or 2h`,
    { usual: 'usual, 60 s', scope: 'run', excludes: ['--cases'] },
  ),
  cases: number(ranges.cases, '--cases <n>', 'Cases per kernel, instead of --budget', { scope: 'run' }),
  timeLimit: number(
    ranges.timeLimit,
    '--time-limit <seconds>',
    'End the run after this time; running cases finish',
    {
      scope: 'run',
    },
  ),
} as const satisfies OptionTable;

/** Error thresholds, which a config holds as one object. */
export const thresholdOptions = {
  sigmas: number(ranges.sigmas, '--sigmas <x>', 'Largest allowed error, in sigmas', {
    ...{ usual: String(defaultThresholds.sigmas), scope: 'judging' },
  }),
  drift: number(ranges.drift, '--drift <x>', 'Largest allowed growth of the mean error since the baseline', {
    ...{ usual: String(defaultThresholds.drift), scope: 'judging' },
  }),
} as const satisfies OptionTable;
