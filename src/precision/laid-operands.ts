import type { Matrix } from '../matrix/dense.ts';
import { eachStored, extentsOf, type Gemm, isDense, lengthOf } from '../matrix/gemm.ts';
import { readsFactors, type Stacked } from '../matrix/members.ts';
import { type Entries, entriesChanged, entriesFor, wordsOf } from '../matrix/operands.ts';
import { POISON, TRAP } from './guard-words.ts';
import type { Precision } from './precision.ts';

/** The operands of a product as a kernel gets them. */
export interface LaidOperands {
  readonly a: Entries;
  readonly b: Entries;
  /** Litter where it is not to be read. */
  readonly c: Entries;
  /** Litter in the entries of D, poison between them; the same array as `c` where D overwrites C. */
  readonly d: Entries;
}

/** What lies where nothing is to be read: NaN, which shows that it was, or numbers, which whoever tells NaN apart takes for entries. */
export type Litter = 'nan' | 'numbers';

/**
 * Lays operands out as a product asks, with litter between them and in all that is not to be read. Between the entries of D always
 * lies poison.
 */
export function layOutAll(
  { a, b, c }: Stacked,
  gemm: Gemm,
  precision: Precision,
  litter: Litter = 'nan',
): LaidOperands {
  const { batch, beta } = gemm;
  const extents = extentsOf(gemm);
  const isRead = readsFactors(gemm);
  const lay = (name: 'a' | 'b' | 'c' | 'd', from?: Matrix): Entries => {
    const extent = extents[name];
    const length = lengthOf(gemm[name], extent, batch);
    const entries = entriesFor(precision[name], length);
    if (from !== undefined && isDense(gemm[name], extent, batch) && from.data.length === length) {
      entries.set(from.data);
      return entries;
    }
    // A sum that reads a NaN of operands keeps its payload: it is not to be taken for what nobody wrote.
    const isResult = name === 'd' || (name === 'c' && gemm.c === gemm.d);
    wordsOf(entries).fill(isResult ? POISON : TRAP);
    if (litter === 'numbers') {
      if (!isResult) strew(entries);
      else if (from === undefined)
        eachStored(gemm[name], extent, batch, (_, stored) => (entries[stored] = stored % 7));
    }
    if (from !== undefined) {
      eachStored(gemm[name], extent, batch, (at, stored) => {
        entries[stored] = from.data[at];
      });
    }
    return entries;
  };
  const laidC = lay('c', beta === 0 ? undefined : c);
  return {
    a: lay('a', isRead ? a : undefined),
    b: lay('b', isRead ? b : undefined),
    ...{ c: laidC, d: gemm.c === gemm.d ? laidC : lay('d') },
  };
}

/** Small numbers, none like its neighbours. */
function strew(entries: Entries): void {
  for (let at = 0; at < entries.length; at++) entries[at] = (at % 7) - 3.5;
}

/** What was found in D's memory. */
export interface LeftInPlace {
  /** The products of a batch one below the other. */
  readonly entries: Entries;
  /** Entries that hold the poison still. */
  readonly unwritten: number;
  /** Entries between the lines of D that do not. */
  readonly overwritten: number;
}

/**
 * Takes D from where a kernel left it.
 * @param found as long as D is to be.
 * @param isOurs whether it is the memory that the kernel was given, where poison lay; in an array of its own nothing is known of
 *   what it did not write.
 */
export function takeLeft(found: Entries, gemm: Gemm, isOurs: boolean): LeftInPlace {
  const { m, n, batch, beta } = gemm;
  const extent = extentsOf(gemm).d;
  const wide = found.BYTES_PER_ELEMENT / 4;
  const words = wordsOf(found);
  const isPoison = (at: number) => words[at * wide + wide - 1] === POISON;
  const isWritten = isOurs && (beta === 0 || gemm.c !== gemm.d);
  let unwritten = 0;
  if (isDense(gemm.d, extent, batch)) {
    if (isWritten) for (let at = 0; at < found.length; at++) if (isPoison(at)) unwritten++;
    return { entries: found.slice(), unwritten, overwritten: 0 };
  }
  const entries = new (found.constructor as Float32ArrayConstructor)(batch * m * n) as Entries;
  let kept = 0;
  eachStored(gemm.d, extent, batch, (at, stored) => {
    entries[at] = found[stored];
    if (!isOurs || !isPoison(stored)) return;
    kept++;
    if (isWritten) unwritten++;
  });
  if (!isOurs) return { entries, unwritten, overwritten: 0 };
  let poisoned = 0;
  for (let at = 0; at < found.length; at++) if (isPoison(at)) poisoned++;
  return { entries, unwritten, overwritten: found.length - batch * m * n - (poisoned - kept) };
}

/** Entries of A and B, and of C where it lies apart, that are no longer what they were. */
export function changedOf(before: LaidOperands, after: LaidOperands): number {
  const c = after.c === after.d ? 0 : entriesChanged(before.c, after.c);
  return entriesChanged(before.a, after.a) + entriesChanged(before.b, after.b) + c;
}
