import * as z from 'zod/mini';
import { type Case, flattenCase, formatCase } from './case.ts';
import { fieldOf } from './fields.ts';
import type { ValueSet } from './kinds.ts';
import type { FlatCase } from './problem.ts';

/** Returns the schema of a kind for JSON and configs. Its error message follows the name of the place. */
export function schemaOf(held: ValueSet): z.ZodMiniType {
  const { names, json, need } = held;
  const error = `must be ${need}`;
  const holds = (value: unknown) => held.holds(value, {});
  if (names !== undefined) return z.enum(names);
  if (json === undefined) return z.custom(holds, { error });
  if (json.type === 'string') return z.string().check(z.refine(holds, { error }));
  return z.number({ error }).check(z.refine(holds, { error }), z.meta({ ...json }));
}

/** The fields by which reports sort and select. */
const KEYS = ['kernel', 'levels', 'fringe', 'tail', 'precision', 'input', 'm', 'k', 'n', 'seed'] as const;
type Reported = Pick<FlatCase, (typeof KEYS)[number]>;

const schemas = Object.fromEntries(KEYS.map((key) => [key, schemaOf(fieldOf(key).kind)])) as {
  [K in keyof Reported]: z.ZodMiniType<Reported[K]>;
};

/** The schema of a case in results, as JSON: its text, which is its replay handle, and some of its fields. */
export const reportedShape = {
  case: z.string(),
  ...schemas,
  precision: z._default(schemas.precision, 'f32'),
};

/** Returns the reported fields of a case. */
export function reportedFields(value: Case): Reported & { readonly case: string } {
  const all: FlatCase & { case?: string } = flattenCase(value);
  return { case: formatCase(value), ...(Object.fromEntries(KEYS.map((key) => [key, all[key]])) as Reported) };
}
