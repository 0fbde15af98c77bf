import * as z from 'zod/mini';
import { nearest } from '../base/nearest.ts';
import { isObject, lookUp } from '../base/objects.ts';
import { describeFirstIssue, describeIssue } from '../base/plain-words.ts';
import type { Item } from '../base/registry.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { conflictingOptions } from '../options/messages.ts';
import type { OptionTable } from '../options/option.ts';
import { numberKind } from '../problem/kinds.ts';
import { ranges } from '../problem/ranges.ts';
import { schemaOf } from '../problem/schema.ts';
import { isDate, readWaiver } from '../run/waivers.ts';
import type { NamedConfig } from './config.ts';
import { badConfig } from './messages.ts';
import { checkNames, type KnownNames } from './options.ts';
import { ownKernels } from './own-items.ts';
import { runOptions, thresholdOptions } from './run-options.ts';

const date = z.string().check(z.refine(isDate, { error: 'must be a date such as 2026-12-31' }));
/** The schema of a user's items; their consumers check them further. */
const madeWith = (define: string) =>
  z.optional(some(z.custom<Item>(isObject, { error: `must be made with ${define}` })));

/** An object schema that refuses unknown keys and suggests the nearest name. */
function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [given] = issue.keys;
      const near = nearest(given, known);
      const guess = near === undefined ? '.' : `. Did you mean "${near}"?`;
      return `unknown option "${given}"${guess} Known: ${known.join(', ')}`;
    },
  });
}

const some = <T>(item: z.ZodMiniType<T>) =>
  z.readonly(z.array(item).check(z.minLength(1, 'must have at least one entry')));

const text = z
  .string()
  .check(z.refine((given) => given.trim() !== '', { error: 'must be a non-empty string' }));
const SIZES = { error: `must be ${runOptions.sizes.held.need}` };
const size = schemaOf(numberKind(ranges.dimension));
/** Schemas of options that are not of a field's kind. */
const others: Readonly<Record<string, z.ZodMiniType>> = {
  kernels: z.union([text, z.custom<UserKernel>(isObject)], {
    error: `must be ${runOptions.kernels.held.need}`,
  }),
  sizes: z.union([size, z.readonly(z.tuple([size, size, size], SIZES))], SIZES),
};

/** The part of a config's schema for a table of options, each of them optional. */
const shapeOf = (options: OptionTable) =>
  Object.fromEntries(
    Object.entries(options).map(([key, { held, isList }]) => {
      const entry = lookUp(others, key) ?? schemaOf(held);
      return [key, z.optional(isList ? some(entry) : entry)];
    }),
  );

const schema = strict({
  ...shapeOf(runOptions),
  thresholds: z.optional(strict(shapeOf(thresholdOptions))),
  algorithms: madeWith('defineAlgorithm'),
  checks: madeWith('defineCheck'),
  studies: madeWith('defineStudy'),
  waivers: z.optional(
    z.readonly(z.array(strict({ case: text, reason: text, expires: date, check: z.optional(text) }))),
  ),
}) as z.ZodMiniType<NamedConfig>;

/**
 * Checks a config.
 * @param where the config's name in messages, usually its path
 * @param onWrongKernel called with each kernel that has a wrong option; it is left out if another kernel remains
 * @throws ParanoiaError `bad-config`, whose message names the first wrong option
 */
export function parseConfig(
  value: unknown,
  { items = builtinItems, ...known }: KnownNames & { readonly items?: JudgingItems },
  where = 'The config',
  onWrongKernel?: WrongKernelHandler,
): NamedConfig {
  const read = schema.safeParse(value, { error: describeIssue });
  if (!read.success)
    throw badConfig({ where, fault: `${describeFirstIssue(read.error, value)}.` }, read.error);
  if (read.data.budget !== undefined && read.data.cases !== undefined)
    throw badConfig({ where, fault: conflictingOptions({ one: 'budget', other: 'cases' }).message });
  const explain = (option: string, error: Error) =>
    badConfig({ where, fault: `${option}: ${error.message}` }, error);
  const config =
    onWrongKernel === undefined ? read.data : withoutWrong(read.data, items, explain, onWrongKernel);
  const own = ownKernels(config, items, explain).map(({ name }) => name);
  checkNames(config, { ...known, kernels: [...known.kernels, ...own] }, explain);
  checkWaivers(config, items, explain);
  return config;
}

/** A callback for a kernel of a config that has a wrong option. */
export type WrongKernelHandler = (error: Error) => void;

/** Removes the kernels of a config that have a wrong option; if none would remain, it keeps the first, which is then refused. */
function withoutWrong(
  config: NamedConfig,
  items: JudgingItems,
  explain: (option: string, error: Error) => Error,
  onWrongKernel: WrongKernelHandler,
): NamedConfig {
  const wrong = new Map<number, Error>();
  const kernels = config.kernels?.filter((given, at) => {
    ownKernels({ kernels: [given] }, items, (_, error) => {
      wrong.set(at, explain(`kernels[${at}]`, error));
      return undefined;
    });
    return !wrong.has(at);
  });
  if (kernels === undefined || kernels.length === 0) return config;
  for (const error of wrong.values()) onWrongKernel(error);
  return { ...config, kernels };
}

function checkWaivers(
  { waivers = [] }: NamedConfig,
  items: JudgingItems,
  explain: (option: string, error: Error) => Error,
): void {
  for (const [at, waiver] of waivers.entries()) {
    try {
      readWaiver(waiver, items);
    } catch (error) {
      throw explain(`waivers[${at}]`, error as Error);
    }
  }
}
