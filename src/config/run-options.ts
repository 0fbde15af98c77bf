import { badNumber } from '../base/messages.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { type Field, fieldOf } from '../problem/fields.ts';
import { anyText, type Held, numberIn, readKind } from '../problem/kinds.ts';
import type { Flat, Key } from '../problem/problem.ts';
import { type Range, ranges } from '../problem/ranges.ts';
import { BUDGETS, budgetOf } from '../run/budget.ts';
import { type Given, parseList, parseNumber, parseSize, parseText, type Size } from './flags.ts';

/** An option of a run: its flag, its help and its place in a config follow from this record. */
export interface RunOption<T = unknown> {
  /** As help writes it: `--kernel <names>`. */
  readonly flag: string;
  /** One clause, for help and documents. */
  readonly what: string;
  /** What holds without it, in words. */
  readonly usual?: string | undefined;
  /** What a config may hold, or each entry of a list of it. */
  readonly held: Held;
  readonly isList: boolean;
  /** Reads a flag. @throws ParanoiaError `missing-option`, `empty-item`, `bad-number`, `unknown-name` */
  readonly read: (option: string, given: Given) => T;
}

type Texts = [flag: string, what: string, usual?: string];
type ReadOne<T> = (option: string, given: Given) => T;

function one<T>(held: Held, read: ReadOne<T>, [flag, what, usual]: Texts): RunOption<T> {
  return { flag, what, usual, held, isList: false, read };
}

function list<T>(held: Held, read: ReadOne<T>, [flag, what, usual]: Texts): RunOption<readonly T[]> {
  const all: ReadOne<readonly T[]> = (option, given) =>
    parseList(option, given).map((item) => read(option, item));
  return { flag, what, usual, held, isList: true, read: all };
}

const text = (...texts: Texts) => one(anyText, parseText, texts);
const names = (...texts: Texts) => list(anyText, parseText, texts);
const number = (range: Range, ...texts: Texts) =>
  one(numberIn(range), (option, given) => parseNumber(option, given, range), texts);

/** What a field is, with the names that it may be. */
export const describe = ({ what, kind: { names } }: Field): string =>
  names === undefined ? what : `${what}: ${names.join(', ')}`;

/** Several values of a field of a case, such as a campaign goes through. */
function axis<K extends Key>(key: K, usual: string): RunOption<readonly Flat[K][]> {
  const field = fieldOf(key);
  return list(field.kind, reader(field), [`--${key} <list>`, describe(field), usual]);
}

const reader =
  <K extends Key>({ key, kind }: Field<K>): ReadOne<Flat[K]> =>
  (option, given) =>
    readKind(kind, parseText(option, given), { field: key, where: option });

/** A name, or what a config brings of that name; a size in one of its forms: its schema says them. */
const any = (need: string): Held => ({ need, holds: () => true });

const seed = fieldOf('seed');

/** The options of a run, by their names in a config. */
export const runOptions = {
  adapter: text(
    '--adapter <name>',
    'hardware, software, or part of an adapter name',
    'hardware, else software',
  ),
  kernels: list<string | UserKernel>(any('a name, or a kernel made with defineKernel'), parseText, [
    '--kernel <names>',
    'strassen, :tiled, strassen:register, tfjs:wasm, one of the config, …',
    'those of the config, else all of ours',
  ]),
  inputs: axis('input', 'those that show a fault in binary32'),
  levels: axis('levels', '0,1,2,3'),
  sizes: list<Size>(any('a whole number or [m, k, n]'), parseSize, [
    '--size <list>',
    'Sizes: 64 or 129x65x33, in a config [129, 65, 33]; all of them are run',
    '1, primes, tile edges ±1, rectangles, and a growth series',
  ]),
  precisions: axis('precision', 'f32; in a gate, all stands for every one'),
  toggles: names(
    '--toggle <names>',
    'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia; Dawn ignores those it does not know',
  ),
  fringes: axis('fringe', 'both'),
  tails: axis('tail', 'both'),
  seed: one(seed.kind, reader(seed), ['--seed <n>', describe(seed), 'the date; 1 where sizes are given']),
  replicates: number(
    ranges.replicates,
    '--replicates <n>',
    'Seeds for each point of the growth series; 0 leaves it out',
    '3; 0 where sizes are given',
  ),
  plain: one<boolean>(
    { need: 'true or false', holds: (value) => typeof value === 'boolean' },
    (_, given) => given === true,
    [
      '--plain',
      'A·B of dense matrices alone: no transposes, leading dimensions, factors, batches and sizes of 0',
      'two cases in five of each kernel go beyond that; none where sizes are given',
    ],
  ),
  baselines: text('--baselines <folder>', 'Where baselines are', 'fixtures/baselines'),
  reporters: names(
    '--reporter <list>',
    'Files to write: table, json, junit, markdown, html; beside them github, dots',
    'json,html',
  ),
  out: text('--out <folder>', 'Where to write them', 'reports/local'),
  jobs: number(
    ranges.jobs,
    '--jobs <n>',
    'Processes that judge cases, each with a device of its own',
    'up to 4 where all kernels are functions on the processor, else 1',
  ),
  budget: one<string>(
    { need: BUDGETS, holds: (value) => typeof value === 'string' && budgetOf(value) !== undefined },
    (option, given) => {
      const text = parseText(option, given);
      if (budgetOf(text) === undefined) throw badNumber({ what: option, given: text, need: BUDGETS });
      return text;
    },
    [
      '--budget <time>',
      `Time for the cases of each kernel: ${BUDGETS}; it draws more and larger ones, and what it does not afford is left out`,
      'usual, 60 s',
    ],
  ),
  cases: number(
    ranges.cases,
    '--cases <n>',
    'Cases of each kernel, in place of --budget: the same ones whatever time they take',
  ),
  timeLimit: number(
    ranges.timeLimit,
    '--time-limit <seconds>',
    'Begin no case after so long; the verdict is then inconclusive',
  ),
} as const satisfies Record<string, RunOption>;

/** When an error counts as too large: a config holds them together. */
export const thresholdOptions = {
  sigmas: number(ranges.sigmas, '--sigmas <x>', 'The largest error allowed, in sigmas', '6'),
  drift: number(ranges.drift, '--drift <x>', 'The largest growth of the mean error over its baseline', '2'),
} as const satisfies Record<string, RunOption>;

/** What records of options hold. */
export type ValuesOf<O extends Readonly<Record<string, RunOption>>> = {
  readonly [K in keyof O]?: (O[K] extends RunOption<infer T> ? T : never) | undefined;
};

/** The name of an option on a command line: `time-limit`. */
export const flagName = ({ flag }: Pick<RunOption, 'flag'>): string =>
  flag.replace(/^.*--/, '').replace(/[ =].*/, '');

/** What a case says itself. */
export const OF_A_CASE: readonly string[] = [
  'kernel',
  ...['precision', 'input', 'levels', 'size', 'fringe', 'tail', 'seed', 'replicates', 'plain'],
];
const OF_A_RUN: readonly string[] = ['reporter', 'out', 'jobs', 'time-limit', 'budget', 'cases'];

/** All others change how a case is judged: a replay repeats them. */
export const OF_A_JUDGE: readonly string[] = [
  'in',
  'config',
  'python',
  'device',
  'convention',
  'untrusted',
  'sandbox',
  'algorithm',
  'reads',
]
  .concat(Object.values({ ...runOptions, ...thresholdOptions }).map(flagName))
  .filter((name) => !OF_A_CASE.includes(name) && !OF_A_RUN.includes(name));
