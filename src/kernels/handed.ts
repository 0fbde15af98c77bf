import type { Entries } from '../matrix/operands.ts';
import { type LaidOperands, mappedFactors } from '../precision/laid-operands.ts';

// Properties of an object may be replaced by its owner; these ask what it is.
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

/** Another view of the memory of entries, whatever was done to the object that is given. */
export function privateView(entries: Entries): Entries {
  const Kind = kindOf.call(entries) === 'Float64Array' ? Float64Array : Float32Array;
  return new Kind(bufferOf.call(entries), offsetOf.call(entries), lengthOf.call(entries));
}

/** The views of memory that a kernel has seen: where memory is the same, so is the object that describes it. */
const seen = new WeakMap<Entries, Entries>();

function handed(entries: Entries): Entries {
  const known = seen.get(entries) ?? privateView(entries);
  seen.set(entries, known);
  return known;
}

/** Operands as a kernel gets them that may do to its objects what it likes: ours stay as they are. */
export function handedOf({ a, b, c, d, factors }: LaidOperands): LaidOperands {
  return { a: handed(a), b: handed(b), c: handed(c), d: handed(d), factors: mappedFactors(factors, handed) };
}
