import type { Algorithm } from '../algorithms/algorithm.ts';
import { badItem } from '../base/messages.ts';
import { isRecord, lookUp } from '../base/objects.ts';
import type { Item, Registry } from '../base/registry.ts';
import { defineCheck } from '../evidence/checks/define-check.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import { requireInput } from '../inputs/define-input.ts';
import type { CaseItems } from '../kernels/case-items.ts';
import { checkKernel } from '../kernels/check-kernel.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import type { Precision } from '../precision/precision.ts';
import type { NamedConfig } from './config.ts';
import { badConfig } from './messages.ts';

/**
 * Returns the kernels that a config defines, checked.
 * @param items items that the kernels may name
 * @param explain makes the error to throw from the error `bad-kernel`, or undefined to leave the kernel out
 * @throws the error that `explain` makes
 */
export function ownKernels(
  { kernels = [] }: NamedConfig,
  items: CaseItems,
  explain: (option: string, error: Error) => Error | undefined = (_, error) => error,
): UserKernel[] {
  return kernels.flatMap((given, at) => {
    if (typeof given === 'string') return [];
    try {
      return [checkKernel(given, items)];
    } catch (error) {
      const told = explain(`kernels[${at}]`, error as Error);
      if (told !== undefined) throw told;
      return [];
    }
  });
}

/** Makes the error to throw from the place of an item and the original error. */
type Explain = (where: string, error: Error) => Error;

/** Checks the items of a list; its schema checks the names in the list. */
function ownIn<T extends Item>(
  option: string,
  given: readonly unknown[],
  check: (given: T) => T,
  explain: Explain,
): T[] {
  return given.flatMap((one, at) =>
    isItem(one) ? [attempt(() => check(one as T), `${option}[${at}]`, explain)] : [],
  );
}

/** A config as given, and its name in messages. */
interface Given {
  readonly config: unknown;
  readonly where: string;
}

/** Returns the built-in items and those of an option of a config. @throws ParanoiaError `bad-config` */
export function addOwnItems<T extends Item>(
  option: string,
  builtin: Registry<T>,
  define: (given: T) => T,
  { config, where }: Given,
): Registry<T> {
  const explain = explainIn(where);
  const own = ownIn(option, listIn(config, option), define, explain);
  return own.length === 0 ? builtin : attempt(() => builtin.with(own), option, explain);
}

const explainIn =
  (where: string): Explain =>
  (option, error) =>
    badConfig({ where, fault: `${option}: ${error.message}` }, error);

/** Returns the list that a config has under an option; empty where that is no list, which its schema refuses. */
export function listIn(config: unknown, option: string): readonly unknown[] {
  const given = isRecord(config) ? lookUp(config, option) : undefined;
  return Array.isArray(given) ? given : [];
}

/** Returns the result of `work`. @throws the error that `explain` makes from the error of `work` and the place */
function attempt<T>(work: () => T, where: string, explain: Explain): T {
  try {
    return work();
  } catch (error) {
    throw explain(where, error as Error);
  }
}

/** Options that hold names, or items that stand for their names. */
const NAMED: readonly string[] = ['precisions', 'inputs', 'reporters'];

/** A config and its items, with the built-in ones. */
export interface ConfigItems<I extends JudgingItems = JudgingItems> {
  /** The config, with names in place of items where options hold names. */
  readonly config: unknown;
  readonly items: I;
}

/**
 * Reads the items of a config.
 * @param config as given; its schema checks whatever is not a list of items
 * @param defineAlgorithm checks algorithms; omitted for a config without algorithms, since the check is slow to load
 * @throws ParanoiaError `bad-config`: for an item that its define function did not make, or whose name is taken
 */
export function readItems(
  config: unknown,
  where: string,
  defineAlgorithm: (given: Algorithm) => Algorithm = (given) => given,
): ConfigItems {
  const given = { config, where };
  const items = {
    algorithms: addOwnItems('algorithms', builtinItems.algorithms, defineAlgorithm, given),
    precisions: addOwnItems('precisions', builtinItems.precisions, requirePrecision, given),
    inputs: addOwnItems('inputs', builtinItems.inputs, requireInput, given),
    checks: addOwnItems('checks', builtinItems.checks, defineCheck, given),
  };
  if (!isRecord(config)) return { config, items };
  const named = NAMED.filter((option) => Array.isArray(lookUp(config, option))).map((option) => [
    option,
    listIn(config, option).map((one) => (isItem(one) ? one.name : one)),
  ]);
  return { config: { ...config, ...Object.fromEntries(named) }, items };
}

const isItem = (given: unknown): given is Item => isRecord(given);

function requirePrecision(given: Precision): Precision {
  const made = typeof given.host === 'function' && given.wgsl !== undefined && isRecord(given.a);
  if (made && given.complex === true)
    throw badItem({
      kind: 'precision',
      name: given.name,
      why: 'only built-in precisions have complex entries',
    });
  if (made && typeof given.what === 'string' && given.what !== '') return given;
  const why = made ? 'it needs a string `what`' : 'it must be made with definePrecision';
  throw badItem({ kind: 'precision', name: given.name, why });
}
