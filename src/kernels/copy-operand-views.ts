import type { Entries } from '../matrix/operands.ts';
import { mapFactorLists, type OperandMemory } from '../precision/operand-memory.ts';

// The owner of an object may replace its properties; these getters read the true ones.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const getter = <T>(key: string) =>
  Object.getOwnPropertyDescriptor(typedArray, key)?.get as (this: unknown) => T;
const [bufferOf, offsetOf, lengthOf] = [
  getter<ArrayBuffer>('buffer'),
  getter<number>('byteOffset'),
  getter<number>('length'),
];
const kindOf = Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag)?.get as (
  this: unknown,
) => string;

/** Returns another view of the memory of entries, whatever was done to the given object. */
export function privateView(entries: Entries): Entries {
  const Kind = kindOf.call(entries) === 'Float64Array' ? Float64Array : Float32Array;
  return new Kind(bufferOf.call(entries), offsetOf.call(entries), lengthOf.call(entries));
}

/** Views of memory that a kernel has seen: the same memory gets the same view. */
const seen = new WeakMap<Entries, Entries>();

function handed(entries: Entries): Entries {
  const known = seen.get(entries) ?? privateView(entries);
  seen.set(entries, known);
  return known;
}

/** Returns separate views of the operands for a kernel that may change its objects; the originals stay unchanged. */
export function copyOperandViews({ a, b, c, d, factors }: OperandMemory): OperandMemory {
  return { a: handed(a), b: handed(b), c: handed(c), d: handed(d), factors: mapFactorLists(factors, handed) };
}
