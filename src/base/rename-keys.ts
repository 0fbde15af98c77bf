import { lookUp } from './look-up.ts';

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
