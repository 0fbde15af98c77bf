import { spawnSync } from 'node:child_process';
import { totalmem } from 'node:os';
import { describe, type TestFunction, test } from 'vitest';
import { findRuntime } from '../../src/runtimes/node/judge-in.ts';
import { firefox as firefoxRuntime } from '../../src/runtimes/node/runtimes.ts';
import { chromiumPath } from './chromium.ts';

/** A program that some checks need, and that a machine may lack. */
interface Need {
  /** The command or setting that provides it. */
  readonly broughtBy: string;
  /** True if `.ci/run` installs it, where it can. */
  readonly isInstalledByCi?: boolean;
  isThere(): boolean;
}

const runs = (program: string) => spawnSync(program, ['--version']).status === 0;

function hasFirefox(): boolean {
  try {
    return findRuntime(firefoxRuntime) !== undefined;
  } catch {
    return false;
  }
}

/** Packages with which a wheel is built and its tests run; `venv` needs `ensurepip`. */
const PYTHON_PACKAGES = ['numpy', 'pytest', 'setuptools', 'wheel', 'pip', 'venv'] as const;

const IMPORTS = `import ensurepip, ${PYTHON_PACKAGES.join(', ')}`;

/** Returns the first Python with those packages: the active one, or the system's, for which `.ci/run` installs them. */
export const pythonWithPackages = (): string | undefined =>
  ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', IMPORTS]).status === 0);

/** Programs that checks need. */
export const needs = {
  chromium: {
    broughtBy: 'apt-get install chromium, or CHROMIUM_PATH',
    isInstalledByCi: true,
    isThere: () => chromiumPath() !== undefined,
  },
  firefox: { broughtBy: 'install Firefox 141 or later', isThere: hasFirefox },
  gcc: { broughtBy: 'apt-get install gcc', isInstalledByCi: true, isThere: () => runs('gcc') },
  python3: { broughtBy: 'apt-get install python3', isInstalledByCi: true, isThere: () => runs('python3') },
  'python-packages': {
    broughtBy: `apt-get install ${PYTHON_PACKAGES.map((name) => `python3-${name}`).join(' ')}`,
    isInstalledByCi: true,
    isThere: () => pythonWithPackages() !== undefined,
  },
  memory: { broughtBy: 'a machine with 12 GiB', isThere: () => totalmem() >= 12 * 2 ** 30 },
  strace: { broughtBy: 'apt-get install strace', isThere: () => spawnSync('strace', ['-V']).status === 0 },
  'redis-server': {
    broughtBy: 'apt-get install redis-server',
    isThere: () => runs('redis-server') || runs('valkey-server'),
  },
} satisfies Readonly<Record<string, Need>>;

export type NeedName = keyof typeof needs;

/**
 * True if a program is missing.
 * @throws Error if `CI` is set and `.ci/run` could have installed the program: it names those that it could not in `NOT_INSTALLED`
 */
export function lacks(name: NeedName): boolean {
  const need: Need = needs[name];
  if (need.isThere()) return false;
  const { CI, NOT_INSTALLED = '' } = process.env;
  if (CI === 'true' && need.isInstalledByCi && !NOT_INSTALLED.split(' ').includes(name))
    throw new Error(`There is no ${name} here, and CI=true requires it: run .ci/run, or ${need.broughtBy}.`);
  return true;
}

/** The sentence on a program that is missing. */
export const lackOf = (name: NeedName): string => `there is no ${name} here (${needs[name].broughtBy})`;

/** The title of a check that does not run; the reporter of `config/not-run.ts` reads it. */
const withNeed = (title: string, name: NeedName) => `${title} [needs ${name}]`;

/** Checks that need a program: `describe`, or a skipped one that says what it needs. */
export function describeWith(name: NeedName, title: string, body: () => void): void {
  if (lacks(name)) describe.skip(withNeed(title, name), body);
  else describe(title, body);
}

/** A check that needs a program. */
interface Check {
  (title: string, body: TestFunction): void;
  each<T>(cases: readonly T[]): (title: string, body: (...args: never[]) => unknown) => void;
}

/**
 * `it` for a file whose checks all need a program: its hooks do not run without.
 * @param isAsked false skips the check without a word, as one that only the nightly tier asks.
 */
export function itWith(name: NeedName, isAsked = true): Check {
  const isMissing = lacks(name);
  const of = isMissing || !isAsked ? test.skip : test;
  const titled = (title: string) => (isMissing && isAsked ? withNeed(title, name) : title);
  const check = (title: string, body: TestFunction) => of(titled(title), body);
  return Object.assign(check, {
    each: (cases: readonly unknown[]) => (title: string, body: (...args: never[]) => unknown) =>
      of.each(cases as never)(titled(title), body as never),
  });
}
