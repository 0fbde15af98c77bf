import type { Algorithm } from '../algorithms/algorithm.ts';
import { isRecord } from '../base/guards.ts';
import { lookUp } from '../base/look-up.ts';
import { badItem } from '../base/messages.ts';
import type { Item, Registry } from '../base/registry.ts';
import { defineCheck } from '../evidence/checks/define-check.ts';
import { builtinItems, type Items } from '../evidence/items.ts';
import { requireInput } from '../inputs/define-input.ts';
import type { Precision } from '../precision/precision.ts';
import { badConfig } from './messages.ts';

/** Makes the error to throw of the place of an item and what is wrong with it. */
type Explain = (where: string, error: Error) => Error;

/** The items of a list, each checked; names among them are left to its schema. */
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

/** A config as it was given, and what messages call it. */
interface Given {
  readonly config: unknown;
  readonly where: string;
}

/** The built-in items and those of an option of a config. @throws ParanoiaError `bad-config` */
export function withOwn<T extends Item>(
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

/** The list that a config has under an option; empty where that is no list, which its schema refuses. */
export function listIn(config: unknown, option: string): readonly unknown[] {
  const given = isRecord(config) ? lookUp(config, option) : undefined;
  return Array.isArray(given) ? given : [];
}

/** What `work` gives. @throws what `explain` makes of what it throws, and of where. */
export function attempt<T>(work: () => T, where: string, explain: Explain): T {
  try {
    return work();
  } catch (error) {
    throw explain(where, error as Error);
  }
}

/** Options that hold names, or items that stand for their names. */
const NAMED: readonly string[] = ['precisions', 'inputs', 'reporters'];

/** A config and the items that it brings, beside the built-in ones. */
export interface ReadItems<I extends Items = Items> {
  /** The config with the names of items where options hold names. */
  readonly config: unknown;
  readonly items: I;
}

/**
 * Reads the items of a config.
 * @param config as it was given; what in it is no list of items is left to its schema.
 * @param defineAlgorithm checks algorithms; undefined where a config brings none, for it takes long to load.
 * @throws ParanoiaError `bad-config`: for an item that its define function did not make, or whose name is taken
 */
export function readItems(
  config: unknown,
  where: string,
  defineAlgorithm: (given: Algorithm) => Algorithm = (given) => given,
): ReadItems {
  const given = { config, where };
  const items = {
    algorithms: withOwn('algorithms', builtinItems.algorithms, defineAlgorithm, given),
    precisions: withOwn('precisions', builtinItems.precisions, requirePrecision, given),
    inputs: withOwn('inputs', builtinItems.inputs, requireInput, given),
    checks: withOwn('checks', builtinItems.checks, defineCheck, given),
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
      why: 'complex entries are of built-in precisions alone',
    });
  if (made && typeof given.what === 'string' && given.what !== '') return given;
  const why = made ? 'it needs a text `what`' : 'it must be made with definePrecision';
  throw badItem({ kind: 'precision', name: given.name, why });
}
