/** Guards of what users give. */

export const isFunction = (value: unknown) => typeof value === 'function';

/** True of a text that says something. */
export const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** True of lists too. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** True of an object that is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
