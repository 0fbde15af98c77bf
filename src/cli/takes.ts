import type { CAC } from 'cac';
import { describe, flagName, type RunOption, runOptions, thresholdOptions } from '../config/run-options.ts';
import { fieldOf } from '../problem/fields.ts';
import type { Key } from '../problem/problem.ts';

/** What help says of an option. */
type Told = Pick<RunOption, 'flag' | 'what'> & { readonly usual?: string | undefined };

/** Options of several commands that no config has. */
const ofCommands: readonly Told[] = [
  { flag: '--config <file>', what: 'The config', usual: 'the nearest paranoia.config.ts' },
  { flag: '--ours', what: 'Judge our own kernels, unless --kernel or a file names others' },
  { flag: '--json', what: 'Print JSON' },
  { flag: '--shard <i/n>', what: 'Run this part of the cases: 2/8; auto and auto/8 ask the scheduler' },
  { flag: '--corpus <folder>', what: 'Found failures, run before all else', usual: 'fixtures/corpus' },
  {
    flag: '--python <path>',
    what: 'The Python of files of Python',
    usual: 'PARANOIA_PYTHON, the active environment, python3',
  },
  { flag: '--device <name>', what: 'Where files of Python have their arrays: cuda, cuda:1' },
  {
    flag: '--convention <name>',
    what: 'How a function of a shared library is called: fortran or cblas',
    usual: 'as its name tells',
  },
  {
    flag: '--sandbox <how>',
    what: 'What must hold a kernel that is not trusted: required (files, network and processes, or exit code 7), auto (what can), off',
    usual: 'auto',
  },
  {
    flag: '--reads <list>',
    what: 'Files and folders that a kernel which is not trusted may read beside its own file, such as what it imports',
  },
  {
    flag: '--algorithm <name>',
    what: 'What a kernel that is not trusted may be, and its errors be those of: strassen, or strassen:2 for two levels',
    usual: 'classical',
  },
  { flag: '--timing', what: 'Say at the end where the time went' },
];

const all = new Map<string, Told>(
  [...ofCommands, ...Object.values(runOptions), ...Object.values(thresholdOptions)].map((option) => [
    flagName(option),
    option,
  ]),
);

/**
 * An option by its name, or by its name with what is usual in its command; or one of the command's own, as its flag and
 * its help.
 */
export type Taken = string | readonly [name: string, otherwise: string | Partial<Told>];

/** A command: what help says of it, what it takes, and where it is run. */
export interface CommandRecord {
  /** Its arguments: `<results.json>`, `[...kernels]`. */
  readonly args?: string;
  readonly what: string;
  readonly options: readonly Taken[];
  readonly example?: string;
  /** Loaded when it is run: help and wrong calls need none of it. Returns its exit code. */
  readonly run: (...given: never[]) => Promise<number>;
}

/** Adds a command to the command line, its options in the order of its help. */
export function register(cli: CAC, name: string, { args, what, options, example, run }: CommandRecord): void {
  const command = cli.command(args === undefined ? name : `${name} ${args}`, what).action(run);
  if (example !== undefined) command.example(`${cli.name} ${name} ${example}`);
  for (const one of options) {
    const [key, otherwise] = typeof one === 'string' ? [one, {}] : one;
    const told =
      typeof otherwise === 'string' ? { flag: key, what: otherwise } : { ...all.get(key), ...otherwise };
    const { flag, what: clause, usual } = told as Told;
    command.option(flag, usual === undefined ? clause : `${clause} (default: ${usual})`);
  }
}

/** An option for one value of a field of a case, where others take a list. */
export function single(key: Key, usual: string): Taken {
  return [key, { flag: `--${key} <value>`, what: describe(fieldOf(key)), usual }];
}
