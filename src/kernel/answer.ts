import type { Precision } from '../formats/precision.ts';
import { type Matrix, matrix, type Shape } from '../matrix/dense.ts';
import { type Problem, problem } from '../problems.ts';
import { entriesFor } from './operands.ts';
import type { Entries } from './user-kernel.ts';

/** The product that is asked of a kernel, as messages name it. */
export interface Asked {
  readonly kernel: string;
  readonly precision: Precision;
  readonly shape: Shape;
}

/** @returns `2×3×4`: m, k and n. */
export function shapeText({ m, k, n }: Shape): string {
  return `${m}×${k}×${n}`;
}

/** The problem of an answer that is no product; `why` is a clause. */
export function noProduct({ kernel, shape }: Asked, why: string, cause?: unknown): Problem {
  return problem('kernel-answer', { kernel, shape: shapeText(shape), why }, cause);
}

/** The problem of no answer in time. */
export function noAnswer({ kernel, shape }: Pick<Asked, 'kernel' | 'shape'>, seconds: number): Problem {
  return problem('kernel-hangs', { kernel, shape: shapeText(shape), seconds });
}

// What an object says of itself may be anything; these ask what it is.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (key: PropertyKey) =>
  Object.getOwnPropertyDescriptor(typedArray, key)?.get as (this: unknown) => unknown;
const kindOf = getter(Symbol.toStringTag);
const lengthOf = getter('length');

/**
 * What a function returned, as C: a copy made at once, so that neither A and B nor shared memory can change it later.
 * @throws Problem `kernel-answer` for anything but m·n entries, Float32Array or Float64Array, of the stored format.
 */
export function readAnswer(value: unknown, asked: Asked): Matrix {
  const { m, n } = asked.shape;
  const kind = kindOf.call(value);
  if (kind !== 'Float32Array' && kind !== 'Float64Array') {
    throw noProduct(asked, `it returned ${describe(value)}, not a Float32Array or Float64Array`);
  }
  const entries = value as Entries;
  const length = lengthOf.call(entries) as number;
  if (length !== m * n) {
    const found = isDetached(entries)
      ? 'whose memory is detached'
      : `of ${count(length, 'entry', 'entries')}`;
    throw noProduct(asked, `it returned a ${kind} ${found}, where C has ${m}×${n} = ${m * n}`);
  }
  return heldIn(kind === 'Float32Array' ? new Float32Array(entries) : new Float64Array(entries), asked);
}

/**
 * Entries as C in the stored format of what is claimed. Nothing is rounded: a result with more bits than the claimed
 * format is not a result in it, and rounding it here would hide that.
 * @throws Problem `kernel-answer` for an entry that the format does not hold.
 */
export function heldIn(entries: Entries, asked: Asked): Matrix {
  const { precision, shape } = asked;
  const { round, name } = precision.stored;
  const at = entries.findIndex((x) => round(x) !== x && !Number.isNaN(x));
  if (at >= 0) {
    const where = `(${Math.floor(at / shape.n)}, ${at % shape.n})`;
    const what = `C holds ${entries[at]} at ${where}, which is no ${name} number`;
    throw noProduct(asked, `${what}: round what it returns, or claim another precision`);
  }
  const data =
    entriesFor(precision, 0).constructor === entries.constructor ? entries : converted(entries, asked);
  return matrix(shape.m, shape.n, data);
}

function converted(entries: Entries, { precision }: Asked): Entries {
  const data = entriesFor(precision, entries.length);
  data.set(entries);
  return data;
}

function isDetached(entries: Entries): boolean {
  try {
    new Float64Array(entries);
    return false;
  } catch {
    return true;
  }
}

/** What a value is, for a sentence. */
function describe(value: unknown): string {
  try {
    if (value === null || value === undefined || typeof value === 'boolean') return String(value);
    if (typeof value === 'function') return 'a function';
    if (typeof value !== 'object') return `a ${typeof value}`;
    if (Array.isArray(value)) return `a plain array of ${count(value.length, 'entry', 'entries')}`;
    const kind = kindOf.call(value) ?? Object.prototype.toString.call(value).slice(8, -1);
    return kind === 'Object' ? 'a plain object' : `${/^[AEIOU]/.test(String(kind)) ? 'an' : 'a'} ${kind}`;
  } catch {
    return 'an object that throws when it is looked at';
  }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
