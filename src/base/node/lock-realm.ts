/**
 * Freezes the built-ins of the language for all code of a process, so that user code that is loaded later cannot change our computations. A
 * replaced method stays what it was, or its replacement throws. Names that subclasses commonly override by assignment (`toString`,
 * `constructor` and the like of objects and errors) stay free: our code does not depend on them.
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

/** Returns the objects whose own properties are frozen. */
function holders(): Holder[] {
  const iterators = [[], new Map(), new Set(), ''].map((of) => Object.getPrototypeOf(of[Symbol.iterator]()));
  const generator = Object.getPrototypeOf((function* () {})());
  return [
    ...classes.flatMap((one) => [one, one.prototype as Holder]),
    ...[...iterators, Object.getPrototypeOf(iterators[0]), Object.getPrototypeOf(generator)],
    ...[Object, Reflect, JSON, Math, Atomics, Function.prototype],
  ];
}

/** Objects that cannot be extended, since every object inherits their properties. */
const SEALED: readonly Holder[] = [Object.prototype, Array.prototype, Function.prototype, Promise.prototype];

/** Names that code overrides on its own objects by assignment, which a frozen property would refuse. */
const FREE: ReadonlySet<PropertyKey> = new Set([
  'toString',
  'toLocaleString',
  'valueOf',
  'name',
  'length',
  'caller',
  'arguments',
]);

/** Names of the global object that our code uses. */
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

/** Freezes the built-ins for the lifetime of this process. */
export function lockRealm(): void {
  for (const holder of holders())
    for (const key of Reflect.ownKeys(holder)) if (!FREE.has(key)) fix(holder, key);
  for (const name of GLOBALS) fix(globalThis, name);
  for (const holder of SEALED) Object.preventExtensions(holder);
}

// User code may replace them.
const { getOwnPropertyDescriptor, defineProperty } = Object;
const { ownKeys } = Reflect;

/** Returns the reason for refusing user code that replaced a built-in, as a clause. */
export const findReplacedBuiltin = (what: string): string =>
  `it replaces ${what}, a built-in object that gemm-paranoia also uses. Change a copy instead`;

interface Kept {
  readonly holder: Holder;
  readonly key: PropertyKey;
  readonly found: PropertyDescriptor;
  readonly name: string;
}

/**
 * Remembers the built-ins, for trusted user code: it may define anything on its own objects, which frozen ones would prevent.
 * @returns a function that restores what was replaced since, and names the first of it; undefined where nothing was.
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

/** Globals of which our code replaces one while it waits for a device. */
const TIMERS: readonly string[] = ['setTimeout', 'setImmediate', 'clearTimeout'];

function nameOf(holder: Holder): string {
  if (typeof holder === 'function') return holder.name;
  const { constructor: maker } = holder as {
    readonly constructor?: { readonly name?: string; readonly prototype?: unknown };
  };
  if (maker?.prototype === holder) return `${maker.name}.prototype`;
  return String(Reflect.get(holder, Symbol.toStringTag) ?? 'a prototype');
}
