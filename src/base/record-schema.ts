import * as z from 'zod/mini';

const PROTOTYPE = '__proto__';

/** Substitute for the key while the record is checked, since zod drops a key of that name. */
const STAND_IN = `\0${PROTOTYPE}`;

/** Renames a key of a record that has it. */
const renamed = (value: object, from: string, to: string): object =>
  Object.hasOwn(value, from)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key === from ? to : key, one]))
    : value;

/** Returns the schema of a record with arbitrary keys: `__proto__` is data like any other. */
export const recordSchemaOf = <T extends z.ZodMiniType>(value: T) =>
  z.pipe(
    z.transform((given) =>
      typeof given === 'object' && given !== null ? renamed(given, PROTOTYPE, STAND_IN) : given,
    ),
    z.pipe(
      z.record(z.string(), value),
      z.transform((record) => renamed(record, STAND_IN, PROTOTYPE) as Record<string, z.output<T>>),
    ),
  );
