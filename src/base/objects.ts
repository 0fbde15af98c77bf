/** Returns the own entry of a table under an arbitrary name. Inherited entries such as `toString` do not count. */
export const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes the undefined entries of an object, which would hide others when spread over them. */
export const withoutUndefined = <T extends object>(entries: T): Defined<T> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Defined<T>;

/** New names of keys, by the objects that have them: `cases[].exact` is that of every item of `cases`. Inner objects stand first. */
export type KeyRenames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Renames keys of a parsed JSON value, in place. Objects that are absent, or of another shape, stay as they are. */
export function renameKeys(value: unknown, renames: KeyRenames): void {
  for (const [path, keys] of Object.entries(renames))
    for (const holder of objectsAt(value, path === '' ? [] : path.replaceAll('[]', '.[]').split('.')))
      for (const [from, to] of Object.entries(keys)) renameKey(holder, from, to);
}

type JsonObject = Record<string, unknown>;

function renameKey(holder: JsonObject, from: string, to: string): void {
  if (!Object.hasOwn(holder, from)) return;
  Object.assign(holder, { [to]: lookUp(holder, from) });
  Reflect.deleteProperty(holder, from);
}

/** Returns the objects at a path, whose part `[]` stands for the items of a list. */
function objectsAt(value: unknown, [part, ...rest]: readonly string[]): JsonObject[] {
  if (part === '[]') return Array.isArray(value) ? value.flatMap((item) => objectsAt(item, rest)) : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (part === undefined) return [value as JsonObject];
  return objectsAt(lookUp(value as JsonObject, part), rest);
}

/** Guards of user input. */

export const isFunction = (value: unknown) => typeof value === 'function';

/** True if a value is a text that is not blank. */
export const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** True if a value is an object or a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** True if a value is an object that is not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
