import type { Matrix } from '../matrix/dense.ts';
import { batchLengthOf, eachStored, extentsOf, type Gemm, isDense, readsAddend } from '../matrix/gemm.ts';
import { readsFactors, type StackedOperands } from '../matrix/members.ts';
import { allocateEntries, type Entries, entriesChanged, viewWords } from '../matrix/operands.ts';
import { heldEntries, mirrorResult, type Part } from '../matrix/structured-operands.ts';
import type { Operand } from './coding/coding.ts';
import {
  arrangeScales,
  type CodedFactors,
  type KernelOperands,
  kernelOperandsOf,
} from './coding/kernel-operands.ts';
import type { ScaleLayoutName } from './coding/scale-layouts.ts';
import { POISON, TRAP } from './entries.ts';
import type { Precision } from './precision.ts';

/** The factors of a coded operand's blocks, as a kernel receives them: those of the matrices of a batch one after the other. */
export interface BlockFactors {
  /** The factors, from the smallest blocks to the largest. A list has one factor for each block; neighbors along k lie side by side. */
  readonly scales: readonly Entries[];
  /** The zero points, one for each of the smallest blocks, which are subtracted from elements before the multiplication. */
  readonly zeros?: Entries | undefined;
}

/** The factors of A and B, if they are coded. */
export type OperandFactors = { readonly [of in Operand]?: BlockFactors | undefined };

/** The operands of a product as a kernel receives them. */
export interface OperandMemory {
  readonly a: Entries;
  readonly b: Entries;
  /** C; litter if it must not be read. */
  readonly c: Entries;
  /** D: litter in its entries, poison between them; the same array as `c` if D overwrites C. */
  readonly d: Entries;
  /** The factors; empty if A and B are numbers. */
  readonly factors: OperandFactors;
}

/**
 * The contents of memory that must not be read: NaN, which shows that it was read, or numbers, which code that checks for NaN takes for
 * entries.
 */
export type GapContents = 'nan' | 'numbers';

/** Options for laying operands out. */
export interface LayoutOptions {
  /** @defaultValue 'nan' */
  readonly litter?: GapContents;
  /** @defaultValue 'plain' */
  readonly scales?: ScaleLayoutName | undefined;
}

/**
 * Lays operands out as a product requests, with litter between entries and in memory that must not be read. Between the entries of D
 * there is always poison. In a triangle of D that is not written there are numbers, since a NaN that is scaled keeps its bits.
 * @param part the part of complex entries that is laid out.
 */
export function layOutRealOperands(
  operands: StackedOperands,
  gemm: Gemm,
  precision: Precision,
  { litter = 'nan', scales = 'plain' }: LayoutOptions = {},
  part: Part = 0,
): OperandMemory {
  const { a, b, c, factors } = kernelOperandsOf(operands, gemm, precision);
  const { batch } = gemm;
  const extents = extentsOf(gemm);
  const isRead = readsFactors(gemm);
  const lay = (name: 'a' | 'b' | 'c' | 'd', from?: Matrix): Entries => {
    const extent = extents[name];
    const length = batchLengthOf(gemm[name], extent, batch);
    const format = name === 'a' || name === 'b' ? precision.coded?.[name]?.element : undefined;
    const entries = allocateEntries(format ?? precision[name], length);
    const isHeld = heldEntries(gemm, name, part);
    const isWhole = isHeld === undefined && isDense(gemm[name], extent, batch);
    if (from !== undefined && isWhole && from.data.length === length) {
      entries.set(from.data);
      return entries;
    }
    const each = (visit: (at: number, stored: number) => void) =>
      eachStored(gemm[name], extent, batch, (at, stored) => {
        if (isHeld?.(Math.floor(at / extent.cols), at % extent.cols) !== false) visit(at, stored);
      });
    // A sum that reads a NaN of operands keeps its payload, which must differ from that of unwritten entries.
    const isResult = name === 'd' || (name === 'c' && gemm.c === gemm.d);
    viewWords(entries).fill(isResult ? POISON : TRAP);
    if (litter === 'numbers') {
      if (!isResult) strew(entries);
      else if (from === undefined) each((_, stored) => (entries[stored] = stored % 7));
    }
    if (from !== undefined) each((at, stored) => (entries[stored] = from.data[at]));
    const isWritten = isResult ? heldEntries(gemm, 'd', part) : undefined;
    if (isWritten !== undefined)
      eachStored(gemm[name], extent, batch, (at, stored) => {
        if (!isWritten(Math.floor(at / extent.cols), at % extent.cols)) entries[stored] = guardAt(stored);
      });
    return entries;
  };
  const laidC = lay('c', readsAddend(gemm) ? c : undefined);
  return {
    a: lay('a', isRead ? a : undefined),
    b: lay('b', isRead ? b : undefined),
    ...{ c: laidC, d: gemm.c === gemm.d ? laidC : lay('d') },
    factors: copyFactors(factors, scales),
  };
}

/** Copies factors for a kernel. */
export function copyFactors(
  factors: KernelOperands['factors'],
  layout: ScaleLayoutName = 'plain',
): OperandFactors {
  const laid = (one: CodedFactors | undefined): BlockFactors | undefined =>
    one && {
      scales: arrangeScales(one, layout),
      ...(one.zeros && { zeros: one.zeros.data.slice() }),
    };
  return { a: laid(factors.a), b: laid(factors.b) };
}

/** Returns the number in a triangle of D that is not written. Every format holds it. */
const guardAt = (stored: number): number => 1 + (stored % 7);

/** Fills entries with small numbers that differ from their neighbors. */
function strew(entries: Entries): void {
  for (let at = 0; at < entries.length; at++) entries[at] = (at % 7) - 3.5;
}

/** The contents of D's memory. */
export interface ResultMemory {
  /** The products of a batch, one below the other. */
  readonly entries: Entries;
  /** The number of entries that still hold the poison. */
  readonly unwritten: number;
  /** The number of entries between the lines of D, or in a triangle that is not written, that were changed. */
  readonly overwritten: number;
}

/**
 * Reads D from the memory in which a kernel left it.
 * @param found the memory, of the length of D.
 * @param isOurs true if it is the memory that the kernel was given, which was poisoned. In an array of the kernel's own, unwritten
 * entries are unknown.
 * @param part the part of complex entries that is read.
 */
export function readRealResult(found: Entries, gemm: Gemm, isOurs: boolean, part: Part = 0): ResultMemory {
  const { batch } = gemm;
  const extent = extentsOf(gemm).d;
  const count = batch * extent.rows * extent.cols;
  const wide = found.BYTES_PER_ELEMENT / 4;
  const words = viewWords(found);
  const isPoison = (at: number) => words[at * wide + wide - 1] === POISON;
  const isWritten = isOurs && (!readsAddend(gemm) || gemm.c !== gemm.d);
  let unwritten = 0;
  const isHeld = heldEntries(gemm, 'd', part);
  if (isHeld === undefined && isDense(gemm.d, extent, batch)) {
    if (isWritten) for (let at = 0; at < found.length; at++) if (isPoison(at)) unwritten++;
    return { entries: found.slice(), unwritten, overwritten: 0 };
  }
  const entries = new (found.constructor as Float32ArrayConstructor)(count) as Entries;
  let [kept, changed] = [0, 0];
  eachStored(gemm.d, extent, batch, (at, stored) => {
    const isGuard = isHeld?.(Math.floor(at / extent.cols), at % extent.cols) === false;
    if (isGuard && found[stored] !== guardAt(stored)) changed++;
    if (!isGuard) entries[at] = found[stored];
    if (!isOurs || !isPoison(stored)) return;
    kept++;
    if (isWritten && !isGuard) unwritten++;
  });
  mirrorResult(gemm, entries, part);
  if (!isOurs) return { entries, unwritten, overwritten: 0 };
  let poisoned = 0;
  for (let at = 0; at < found.length; at++) if (isPoison(at)) poisoned++;
  return { entries, unwritten, overwritten: found.length - count - (poisoned - kept) + changed };
}

/** Counts the changed entries of A and B, of C if it is apart from D, and of their factors. */
export function countChanges(before: OperandMemory, after: OperandMemory): number {
  const [was, is] = [before, after].map(({ a, b, c, d, factors }) => [
    ...[a, b],
    ...(c === d ? [] : [c]),
    ...listsOf(factors),
  ]);
  return was.reduce((sum, entries, at) => sum + entriesChanged(entries, is[at]), 0);
}

/** Returns all lists of factors, A's before B's. */
export const listsOf = ({ a, b }: OperandFactors): readonly Entries[] =>
  [a, b].flatMap((one) => (one === undefined ? [] : [...one.scales, ...(one.zeros ? [one.zeros] : [])]));

/** Applies a function to each list of factors. */
export function mapFactorLists(
  { a, b }: OperandFactors,
  change: (entries: Entries) => Entries,
): OperandFactors {
  const mapped = (one: BlockFactors | undefined): BlockFactors | undefined =>
    one && { scales: one.scales.map(change), ...(one.zeros && { zeros: change(one.zeros) }) };
  return { a: mapped(a), b: mapped(b) };
}
