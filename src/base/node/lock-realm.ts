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
  ...['setTimeout', 'setImmediate', 'clearTimeout', 'queueMicrotask', 'structuredClone'],
];

function fix(holder: Holder, key: PropertyKey): void {
  const found = Object.getOwnPropertyDescriptor(holder, key);
  if (found?.configurable !== true) return;
  const fixed = 'value' in found ? { writable: false, configurable: false } : { configurable: false };
  Object.defineProperty(holder, key, fixed);
}

/** Fixes them, for as long as this process lives. */
export function lockRealm(): void {
  for (const holder of holders())
    for (const key of Reflect.ownKeys(holder)) if (!FREE.has(key)) fix(holder, key);
  for (const name of GLOBALS) fix(globalThis, name);
  for (const holder of SEALED) Object.preventExtensions(holder);
}

// Code of the user's may replace them.
const { getOwnPropertyDescriptor, defineProperty } = Object;
const { ownKeys } = Reflect;

/** Why code of the user's is refused that replaced something built in, as a clause. */
export const replaces = (what: string): string =>
  `it replaces ${what}, a built-in object which our own code computes with; let it change a copy`;

interface Kept {
  readonly holder: Holder;
  readonly key: PropertyKey;
  readonly found: PropertyDescriptor;
  readonly name: string;
}

/**
 * Remembers what they are, for code of the user's that is trusted: it may define what it likes on objects of its own, as fixed ones would not let it.
 * @returns what puts back what was replaced since, and names the first of it; undefined where nothing was.
 */
export function watchRealm(): () => string | undefined {
  const kept: Kept[] = [];
  for (const holder of holders()) {
    for (const key of ownKeys(holder)) {
      const found = getOwnPropertyDescriptor(holder, key);
      if (FREE.has(key) || typeof found?.value !== 'function') continue;
      kept.push({ holder, key, found, name: `${nameOf(holder)}.${String(key)}` });
    }
  }
  for (const key of GLOBALS.filter((name) => !TIMERS.includes(name))) {
    const found = getOwnPropertyDescriptor(globalThis, key);
    if (found !== undefined) kept.push({ holder: globalThis, key, found, name: key });
  }
  return () => {
    let changed: string | undefined;
    for (let at = 0; at < kept.length; at++) {
      const { holder, key, found, name } = kept[at];
      if (getOwnPropertyDescriptor(holder, key)?.value === found.value) continue;
      defineProperty(holder, key, found);
      changed ??= name;
    }
    return changed;
  };
}

/** Globals of which ours replaces one while it waits for a device. */
const TIMERS: readonly string[] = ['setTimeout', 'setImmediate', 'clearTimeout'];

function nameOf(holder: Holder): string {
  if (typeof holder === 'function') return holder.name;
  const { constructor: maker } = holder as {
    readonly constructor?: { readonly name?: string; readonly prototype?: unknown };
  };
  if (maker?.prototype === holder) return `${maker.name}.prototype`;
  return String(Reflect.get(holder, Symbol.toStringTag) ?? 'a prototype');
}
