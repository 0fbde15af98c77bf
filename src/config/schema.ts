import { z } from 'zod';
import { precisionNames } from '../formats/precision.ts';
import { isDate, readWaiver } from '../gate/waivers.ts';
import { checkKernel } from '../kernel/check-kernel.ts';
import type { UserKernel } from '../kernel/user-kernel.ts';
import { borders, edges } from '../plan/plan.ts';
import { nearest, problem } from '../problems.ts';
import { firstFault, plainWords } from '../report/plain-words.ts';
import type { Config } from './config.ts';
import { isWithin, type Range, ranges } from './ranges.ts';

const within = (range: Range) => {
  const error = `must be ${range.need}`;
  return z.number({ error }).refine((x) => isWithin(x, range), { error });
};
const some = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1, 'must have at least one entry').readonly();
const text = z.string().refine((value) => value.trim() !== '', { error: 'must be a text that is not empty' });

const date = z.string().refine(isDate, { error: 'must be a date such as 2026-12-31' });
const size = within(ranges.size);
const kernel = z.custom<UserKernel>((value) => typeof value === 'object' && value !== null);
const KERNELS = { error: 'must be a name, or a kernel made with defineKernel' };
const SIZES = { error: 'must be a whole number or [m, k, n]' };

/** An object that refuses keys it does not know, naming the nearest. */
function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const [given] = issue.keys;
      const near = nearest(given, known);
      const guess = near === undefined ? '.' : `; did you mean "${near}"?`;
      return `has no option "${given}"${guess} Known: ${known.join(', ')}`;
    },
  });
}

const schema = strict({
  adapter: text.optional(),
  kernels: some(z.union([text, kernel], KERNELS)).optional(),
  inputs: some(text).optional(),
  levels: some(within(ranges.levels)).optional(),
  sizes: some(z.union([size, z.tuple([size, size, size], SIZES).readonly()], SIZES)).optional(),
  precisions: some(z.enum(precisionNames)).optional(),
  toggles: some(text).optional(),
  borders: some(z.enum(borders)).optional(),
  edges: some(z.enum(edges)).optional(),
  seed: within(ranges.seed).optional(),
  replicates: within(ranges.replicates).optional(),
  thresholds: strict({
    sigmas: within(ranges.sigmas).optional(),
    drift: within(ranges.drift).optional(),
  }).optional(),
  waivers: z
    .array(strict({ case: text, reason: text, expires: date, check: text.optional() }))
    .readonly()
    .optional(),
  baselines: text.optional(),
  reporters: some(text).optional(),
  out: text.optional(),
  timeLimit: within(ranges.timeLimit).optional(),
}) satisfies z.ZodType<Config>;

/** The names that options may hold, by option. */
export interface KnownNames {
  readonly kernels: readonly string[];
  readonly inputs: readonly string[];
  readonly reporters: readonly string[];
}

/**
 * Checks a config.
 * @param where - what to call the config in messages, usually its path.
 * @throws Problem `bad-config`, whose message names the first wrong option.
 */
export function parseConfig(value: unknown, known: KnownNames, where = 'The config'): Config {
  const read = schema.safeParse(value, { error: plainWords });
  if (!read.success)
    throw problem('bad-config', { where, fault: `${firstFault(read.error, value)}.` }, read.error);
  const explain = (option: string, error: Error) =>
    problem('bad-config', { where, fault: `${option}: ${error.message}` }, error);
  const own = ownKernels(read.data, explain).map(({ name }) => name);
  checkNames(read.data, { ...known, kernels: [...known.kernels, ...own] }, explain);
  checkWaivers(read.data, explain);
  return read.data;
}

function checkWaivers({ waivers = [] }: Config, explain: (option: string, error: Error) => Error): void {
  for (const [at, waiver] of waivers.entries()) {
    try {
      readWaiver(waiver);
    } catch (error) {
      throw explain(`waivers[${at}]`, error as Error);
    }
  }
}

/**
 * The kernels that a config brings, checked.
 * @throws what `explain` makes of the problem `bad-kernel`.
 */
export function ownKernels(
  { kernels = [] }: Config,
  explain: (option: string, error: Error) => Error = (_, error) => error,
): UserKernel[] {
  return kernels.flatMap((given, at) => {
    if (typeof given === 'string') return [];
    try {
      return [checkKernel(given)];
    } catch (error) {
      throw explain(`kernels[${at}]`, error as Error);
    }
  });
}

const named: Readonly<Record<keyof KnownNames, string>> = {
  kernels: 'kernel',
  inputs: 'input',
  reporters: 'reporter',
};

/**
 * Checks the names in options.
 * @param explain - makes the error to throw of an option's path and the problem `unknown-name`.
 */
export function checkNames(
  config: Config,
  known: KnownNames,
  explain: (option: string, error: Error) => Error,
): void {
  for (const [option, what] of Object.entries(named) as [keyof KnownNames, string][]) {
    for (const [at, given] of (config[option] ?? []).entries()) {
      if (typeof given !== 'string' || known[option].includes(given)) continue;
      throw explain(`${option}[${at}]`, problem('unknown-name', { what, given, known: known[option] }));
    }
  }
}
