import { badNumber } from '../base/messages.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { conventions } from '../kernels/files/file-origin.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { any, axis, choice, flag, list, number, one, seed, sizes, text, texts } from '../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../options/option.ts';
import { readText } from '../options/read.ts';
import { ranges } from '../problem/ranges.ts';
import { BUDGETS, budgetOf } from '../run/budget.ts';

/** Defaults that do not depend on the device or the kernels. */
export const defaults = {
  thresholds: defaultThresholds,
  reporters: ['json', 'html'],
  out: 'reports/local',
} as const;

/** OptionTable of a run that a config may hold, by their names in it. */
export const runOptions = {
  adapter: text('--adapter <name>', 'hardware, software, or part of an adapter name', {
    usual: 'hardware, else software',
    scope: 'judging',
  }),
  kernels: list<string | UserKernel>(
    any('a name, or a kernel made with defineKernel'),
    readText,
    '--kernel <names>',
    'strassen, :tiled, strassen:register, tfjs:wasm, one of the config, …',
    { usual: 'those of the config, else all of ours', scope: 'cases', untrusted: 'never' },
  ),
  inputs: axis('input', 'those that show a fault in binary32', { scope: 'cases' }),
  levels: axis('levels', '0,1,2,3', { scope: 'cases' }),
  sizes: sizes('--size <list>', 'Sizes: 64 or 129x65x33, in a config [129, 65, 33]; all of them are run', {
    usual: '1, primes, tile edges ±1, rectangles, and a growth series',
    scope: 'cases',
  }),
  precisions: axis('precision', 'f32; in a gate, all stands for every one', { scope: 'cases' }),
  toggles: texts(
    '--toggle <names>',
    'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia; Dawn ignores those it does not know',
    { scope: 'judging' },
  ),
  fringes: axis('fringe', 'both', { scope: 'cases' }),
  tails: axis('tail', 'both', { scope: 'cases' }),
  seed: seed('the date; 1 where sizes are given', { scope: 'cases' }),
  replicates: number(
    ranges.replicates,
    '--replicates <n>',
    'Seeds for each point of the growth series; 0 leaves it out',
    { usual: '3; 0 where sizes are given', scope: 'cases' },
  ),
  plain: one<boolean>(
    { need: 'true or false', holds: (value) => typeof value === 'boolean' },
    () => true,
    '--plain',
    'A·B of dense matrices alone: no transposes, leading dimensions, factors, batches and sizes of 0',
    {
      usual: 'two cases in five of each kernel go beyond that; none where sizes are given',
      scope: 'cases',
    },
  ),
  baselines: text('--baselines <folder>', 'Where baselines are', {
    ...{ usual: 'fixtures/baselines', scope: 'judging', untrusted: 'never' },
  }),
  reporters: texts(
    '--reporter <list>',
    'Files to write: table, json, junit, markdown, html; beside them github, dots',
    { usual: defaults.reporters.join(), scope: 'reports' },
  ),
  out: text('--out <folder>', 'Where to write them', { usual: defaults.out, scope: 'reports' }),
  jobs: number(ranges.jobs, '--jobs <n>', 'Processes that judge cases, each with a device of its own', {
    ...{ usual: 'up to 4 where all kernels are functions on the processor, else 1', scope: 'run' },
    ...{ untrusted: 'never', nodeOnly: 'one page judges, in one process' },
  }),
  budget: one<string>(
    { need: BUDGETS, holds: (value) => typeof value === 'string' && budgetOf(value) !== undefined },
    (option, given) => {
      const text = readText(option, given);
      if (budgetOf(text) === undefined) throw badNumber({ what: option, given: text, need: BUDGETS });
      return text;
    },
    '--budget <time>',
    `Time for the cases of each kernel: ${BUDGETS}; it draws more and larger ones, and what it does not afford is left out`,
    { usual: 'usual, 60 s', scope: 'run', excludes: ['--cases'] },
  ),
  cases: number(
    ranges.cases,
    '--cases <n>',
    'Cases of each kernel, in place of --budget: the same ones whatever time they take',
    { scope: 'run' },
  ),
  timeLimit: number(
    ranges.timeLimit,
    '--time-limit <seconds>',
    'Begin no case after so long; the verdict is then inconclusive',
    { scope: 'run' },
  ),
} as const satisfies OptionTable;

/** Limits of errors: a config holds them together. */
export const thresholdOptions = {
  sigmas: number(ranges.sigmas, '--sigmas <x>', 'The largest error allowed, in sigmas', {
    ...{ usual: String(defaultThresholds.sigmas), scope: 'judging' },
  }),
  drift: number(ranges.drift, '--drift <x>', 'The largest growth of the mean error over its baseline', {
    ...{ usual: String(defaultThresholds.drift), scope: 'judging' },
  }),
} as const satisfies OptionTable;

/** Ways to sandbox untrusted kernels. */
export const sandboxes = ['required', 'auto', 'off'] as const;

/** OptionTable of kernels in files, which no config has. */
export const fileOptions = {
  python: text('--python <path>', 'The Python of files of Python', {
    ...{ usual: 'PARANOIA_PYTHON, the active environment, python3', scope: 'judging' },
    nodeOnly: 'it has no Python',
  }),
  device: text('--device <name>', 'Where files of Python have their arrays: cuda, cuda:1', {
    ...{ scope: 'judging', nodeOnly: 'it has no Python' },
  }),
  convention: choice(
    conventions,
    '--convention <name>',
    'How a function of a shared library is called: fortran or cblas',
    { usual: 'as its name tells', scope: 'judging', nodeOnly: 'it opens no shared libraries' },
  ),
} as const satisfies OptionTable;

/** OptionTable of untrusted kernels. */
export const trustOptions = {
  sandbox: choice(
    sandboxes,
    '--sandbox <how>',
    'What must hold a kernel that is not trusted: required (files, network and processes, or exit code 7), auto (what can), off',
    { usual: 'auto', scope: 'judging', untrusted: 'only' },
  ),
  algorithm: text(
    '--algorithm <name>',
    'What a kernel that is not trusted may be, and its errors be those of: strassen, or strassen:2 for two levels',
    { usual: 'classical', scope: 'judging', untrusted: 'only' },
  ),
  reads: texts(
    '--reads <list>',
    'Files and folders that a kernel which is not trusted may read beside its own file, such as what it imports',
    { scope: 'judging', untrusted: 'only' },
  ),
} as const satisfies OptionTable;

/** OptionTable of several commands that decide which kernels and files there are. */
export const loadOptions = {
  config: text('--config <file>', 'The config', {
    ...{ usual: 'the nearest paranoia.config.ts', scope: 'judging', untrusted: 'never' },
  }),
  ours: flag('--ours', 'Judge our own kernels, unless --kernel or a file names others'),
} as const satisfies OptionTable;

/** The request that a command makes of kernels, config and devices: values of options, and files that it names. */
export interface RunRequest
  extends ValuesOf<typeof runOptions & typeof thresholdOptions>,
    ValuesOf<typeof fileOptions & typeof trustOptions & typeof loadOptions> {
  /** Kernels in files: `matmul.py#matmul`. */
  readonly files?: readonly string[] | undefined;
  readonly untrusted?: true | undefined;
  readonly verbose?: true | undefined;
}
