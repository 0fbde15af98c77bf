/** Guards of user input. */

export const isFunction = (value: unknown) => typeof value === 'function';

/** True if a value is a text that is not blank. */
export const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** True for objects, lists included. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** True if a value is an object that is not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
