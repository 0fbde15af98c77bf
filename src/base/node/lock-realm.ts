/**
 * Fixes what the language gives to all code of a process, so that code of the user's that is loaded later cannot change what ours
 * computes with: a method that is replaced stays what it was, or its replacement throws. What a subclass commonly overrides by assignment
 * (`toString`, `constructor` and the like of objects and errors) is left alone: nothing of ours depends on it.
 */

type Holder = object;

const typedArrays = [
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
];

const classes = [
  ...[Array, ArrayBuffer, SharedArrayBuffer, DataView, ...typedArrays, Object.getPrototypeOf(Float32Array)],
  ...[Map, Set, WeakMap, WeakSet, Promise, String, Number, BigInt, RegExp, Symbol, Buffer, Date],
];

/** Objects whose own properties are fixed. */
function holders(): Holder[] {
  const iterators = [[], new Map(), new Set(), ''].map((of) => Object.getPrototypeOf(of[Symbol.iterator]()));
  const generator = Object.getPrototypeOf((function* () {})());
  return [
    ...classes.flatMap((one) => [one, one.prototype as Holder]),
    ...[...iterators, Object.getPrototypeOf(iterators[0]), Object.getPrototypeOf(generator)],
    ...[Object, Reflect, JSON, Math, Atomics, Function.prototype],
  ];
}

/** To which nothing may be added: what is added there everything has. */
const SEALED: readonly Holder[] = [Object.prototype, Array.prototype, Function.prototype, Promise.prototype];

/** Names that code overrides on objects of its own by assignment, which a fixed one would refuse. */
const FREE: ReadonlySet<PropertyKey> = new Set([
  'toString',
  'toLocaleString',
  'valueOf',
  'name',
  'length',
  'caller',
  'arguments',
]);

/** Names of the global object that ours uses. */
const GLOBALS: readonly string[] = [
  ...classes.map(({ name }) => name).filter((name) => name !== 'TypedArray'),
  ...['Object', 'Function', 'Reflect', 'JSON', 'Math', 'Atomics', 'Proxy'],
  ...['queueMicrotask', 'structuredClone'],
];
const TIMERS: readonly string[] = ['setTimeout', 'setImmediate', 'clearTimeout'];

function fix(holder: Holder, key: PropertyKey): void {
  const found = Object.getOwnPropertyDescriptor(holder, key);
  if (found?.configurable !== true) return;
  const fixed = 'value' in found ? { writable: false, configurable: false } : { configurable: false };
  Object.defineProperty(holder, key, fixed);
}

/**
 * Fixes them, for as long as this process lives.
 * @param timers whether those that set timers are fixed too. Where a device is opened later, ours replaces one of them. @defaultValue false
 */
export function lockRealm(timers = false): void {
  for (const holder of holders())
    for (const key of Reflect.ownKeys(holder)) if (!FREE.has(key)) fix(holder, key);
  for (const name of timers ? [...GLOBALS, ...TIMERS] : GLOBALS) fix(globalThis, name);
  for (const holder of SEALED) Object.preventExtensions(holder);
}
