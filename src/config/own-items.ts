import { isRecord } from '../base/guards.ts';
import { lookUp } from '../base/look-up.ts';
import { badItem } from '../base/messages.ts';
import type { Item, OpenRegistry } from '../base/registry.ts';
import { checks } from '../evidence/checks/checks.ts';
import { defineCheck } from '../evidence/checks/define-check.ts';
import { requireInput } from '../inputs/define-input.ts';
import { inputRegistry } from '../inputs/inputs.ts';
import type { Precision } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { badConfig } from './messages.ts';

/** A list of a config that may bring items of the user's own. */
export interface Place {
  readonly option: string;
  /** Checks an item, and refuses what its define function did not make. */
  adopt(items: readonly unknown[], explain: Explain): void;
}

/** Makes the error to throw of the place of an item and what is wrong with it. */
type Explain = (where: string, error: Error) => Error;

export function place<T extends Item>(
  option: string,
  registry: OpenRegistry<T>,
  check: (given: T) => T,
): Place {
  return {
    option,
    adopt(items, explain) {
      const own = items.flatMap((given, at) => {
        if (!isItem(given)) return [];
        const where = `${option}[${at}]`;
        return [attempt(() => check(given as T), where, explain)];
      });
      attempt(() => registry.adopt(own), option, explain);
    },
  };
}

/** What `work` gives. @throws what `explain` makes of what it throws, and of where. */
export function attempt<T>(work: () => T, where: string, explain: Explain): T {
  try {
    return work();
  } catch (error) {
    throw explain(where, error as Error);
  }
}

/** All that kernels of a config may speak of comes before them; its studies are read by their command. */
const places: readonly Place[] = [
  place('precisions', precisions, requirePrecision),
  place('inputs', inputRegistry, requireInput),
  place('checks', checks, defineCheck),
];

/** Options that hold names, or items that stand for their names. */
const NAMED: readonly string[] = ['precisions', 'inputs', 'reporters'];

/**
 * Opens the registries of this process to the items of a config, in place of those of the config before.
 * @param config as it was given; what in it is no list of items is left to its schema.
 * @param others places beside these: that of algorithms, and of what is not in every runtime.
 * @returns the config with the names of items where options hold names.
 * @throws ParanoiaError `bad-config`: for an item that its define function did not make, or whose name is taken
 */
export function adoptItems(config: unknown, where: string, others: readonly Place[]): unknown {
  const given = isRecord(config) ? config : {};
  const explain: Explain = (option, error) =>
    badConfig({ where, fault: `${option}: ${error.message}` }, error);
  for (const { option, adopt } of [...others, ...places]) adopt(listOf(lookUp(given, option)), explain);
  if (!isRecord(config)) return config;
  const named = NAMED.filter((option) => Array.isArray(lookUp(given, option))).map((option) => [
    option,
    listOf(lookUp(given, option)).map((one) => (isItem(one) ? one.name : one)),
  ]);
  return { ...config, ...Object.fromEntries(named) };
}

const isItem = (given: unknown): given is Item => isRecord(given);
const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);

function requirePrecision(given: Precision): Precision {
  const made = typeof given.host === 'function' && given.wgsl !== undefined && isRecord(given.a);
  if (made && typeof given.what === 'string' && given.what !== '') return given;
  const why = made ? 'it needs a text `what`' : 'it must be made with definePrecision';
  throw badItem({ kind: 'precision', name: given.name, why });
}
