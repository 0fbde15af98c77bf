import { resultFormatOf } from '../epilogue/target.ts';
import type { Product } from '../gpu/runner/product.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { batchLengthOf, extentsOf, type Gemm } from '../matrix/gemm.ts';
import { allocateEntries, type Entries } from '../matrix/operands.ts';
import { numbersOf, readResult } from '../precision/complex-operands.ts';
import type { Precision } from '../precision/precision.ts';
import { kernelAnswer } from './messages.ts';

export interface ProductRequest {
  readonly kernel: string;
  readonly shape: Gemm;
}

/** A requested product whose entries must be in a format. */
export interface TypedProductRequest extends ProductRequest {
  readonly precision: Precision;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** Returns the getter of typed arrays for a property. An object may replace its own properties; these getters read the true ones. */
export const trueGetter = <T>(key: PropertyKey) =>
  Object.getOwnPropertyDescriptor(typedArray, key)?.get as (this: unknown) => T;
export const kindOf = trueGetter<string | undefined>(Symbol.toStringTag);
export const lengthOf = trueGetter<number>('length');

/**
 * Reads the answer of a function as D. The copy is made at once, so that later changes to A, B or shared memory do not affect it.
 * @param ours the memory that it was given for D, if any.
 * @throws ParanoiaError `kernel-answer` for anything but the entries of D, Float32Array or Float64Array, of the stored format.
 */
export function readAnswer(
  value: unknown,
  asked: TypedProductRequest,
  ours?: Entries,
): Pick<Product, 'c' | 'unwritten' | 'overwritten'> {
  const { shape: gemm } = asked;
  const { batch, d } = gemm;
  const extent = extentsOf(gemm).d;
  const kind = kindOf.call(value);
  if (kind !== 'Float32Array' && kind !== 'Float64Array') {
    throw kernelAnswer({
      ...asked,
      why: `it returned ${describe(value)}, not a Float32Array or Float64Array`,
    });
  }
  const found = value as Entries;
  const length = lengthOf.call(found);
  const numbers = numbersOf(gemm);
  const needed = numbers * batchLengthOf(d, extent, batch);
  if (length !== needed) {
    const what = isDetached(found) ? 'with detached memory' : `of ${count(length, 'entry', 'entries')}`;
    const parts = numbers === 1 ? '' : `${numbers} parts of `;
    const size = `${parts}${batch === 1 ? '' : `${batch}×`}${extent.rows}×${extent.cols}`;
    const need =
      needed === numbers * batch * extent.rows * extent.cols
        ? `${needed} are needed (${size})`
        : `the layout of D needs ${needed}`;
    throw kernelAnswer({ ...asked, why: `it returned a ${kind} ${what}, but ${need}` });
  }
  const isOurs = ours !== undefined && value === ours;
  const own = kind === 'Float32Array' ? new Float32Array(found) : new Float64Array(found);
  const { entries, unwritten, overwritten } = readResult(isOurs ? found : own, gemm, isOurs);
  return { c: toStoredFormat(entries, asked), unwritten, overwritten };
}

/**
 * Converts entries to C in the stored format of the claims. Entries are not rounded: a result with more bits than the claimed format is
 * wrong, and rounding it here would hide that.
 * @throws ParanoiaError `kernel-answer` for an entry that the format does not hold.
 */
export function toStoredFormat(entries: Entries, asked: TypedProductRequest): Matrix {
  const { precision, shape } = asked;
  const { round, name, native } = resultFormatOf(shape.chain, precision);
  const rows = shape.batch * numbersOf(shape) * shape.m;
  const { cols } = extentsOf(shape).d;
  // Every binary32 number is valid, so entries need no check.
  const isNative = native === 'f32' && entries instanceof Float32Array;
  const at = isNative ? -1 : entries.findIndex((x) => round(x) !== x && !Number.isNaN(x));
  if (at >= 0) {
    const where = placeText(shape, at);
    const what = `C holds ${entries[at]} at ${where}, which is not a number of ${name}`;
    throw kernelAnswer({ ...asked, why: `${what}. Round the result, or claim another precision` });
  }
  if (allocateEntries(precision.d, 0).constructor === entries.constructor) return matrix(rows, cols, entries);
  const data = allocateEntries(precision.d, entries.length);
  data.set(entries);
  return matrix(rows, cols, data);
}

/** Describes the place of an entry among all products, as in "(2, 3) of product 1". */
function placeText(shape: Gemm, at: number): string {
  const { cols } = extentsOf(shape).d;
  const row = Math.floor(at / cols);
  const rows = numbersOf(shape) * shape.m;
  const part =
    numbersOf(shape) === 1 ? '' : row % rows < shape.m ? ', its real part' : ', its imaginary part';
  const of = shape.batch === 1 ? '' : ` of product ${Math.floor(row / rows)}`;
  return `(${row % shape.m}, ${at % cols})${of}${part}`;
}

function isDetached(entries: Entries): boolean {
  try {
    new Float64Array(entries);
    return false;
  } catch {
    return true;
  }
}

/** Describes the type of a value, for a sentence. */
function describe(value: unknown): string {
  try {
    if (value === null || value === undefined || typeof value === 'boolean') return String(value);
    if (typeof value === 'function') return 'a function';
    if (typeof value !== 'object') return `a ${typeof value}`;
    if (Array.isArray(value)) return `a plain array of ${count(value.length, 'entry', 'entries')}`;
    const kind = kindOf.call(value) ?? Object.prototype.toString.call(value).slice(8, -1);
    // An object disguised as an array may compute entries when they are read.
    if (!ArrayBuffer.isView(value) && /Array$/.test(String(kind))) return `a proxy of ${kind}`;
    return kind === 'Object' ? 'a plain object' : `${/^[AEIOU]/.test(String(kind)) ? 'an' : 'a'} ${kind}`;
  } catch {
    return 'an object that throws when it is inspected';
  }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Returns the versions that a kernel states, by name; values that are no texts are dropped. */
export function versionsIn(said: unknown): Record<string, string> {
  if (typeof said !== 'object' || said === null) return {};
  const texts = Object.entries(said).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
