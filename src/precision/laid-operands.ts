import type { Matrix } from '../matrix/dense.ts';
import { eachStored, extentsOf, type Gemm, isDense, lengthOf, readsAddend } from '../matrix/gemm.ts';
import { readsFactors, type Stacked } from '../matrix/members.ts';
import { type Entries, entriesChanged, entriesFor, wordsOf } from '../matrix/operands.ts';
import type { Operand } from './coding/coding.ts';
import { arrangedScales, type Elements, elementsOf, type Factors } from './coding/handed.ts';
import type { ScaleLayoutName } from './coding/scale-layouts.ts';
import { POISON, TRAP } from './guard-words.ts';
import type { Precision } from './precision.ts';

/** Factors of the blocks of a coded operand, as a kernel gets them: those of the matrices of a batch one after the other. */
export interface BlockFactors {
  /** From the smallest blocks to the largest; in each list one a block, those that follow each other along k side by side. */
  readonly scales: readonly Entries[];
  /** What is subtracted from elements before they are multiplied: one for each of the smallest blocks. */
  readonly zeros?: Entries | undefined;
}

/** What belongs to the elements of A and B, where they are coded. */
export type OperandFactors = { readonly [of in Operand]?: BlockFactors | undefined };

/** The operands of a product as a kernel gets them. */
export interface LaidOperands {
  readonly a: Entries;
  readonly b: Entries;
  /** Litter where it is not to be read. */
  readonly c: Entries;
  /** Litter in the entries of D, poison between them; the same array as `c` where D overwrites C. */
  readonly d: Entries;
  /** Empty where A and B are numbers. */
  readonly factors: OperandFactors;
}

/** What lies where nothing is to be read: NaN, which shows that it was, or numbers, which whoever tells NaN apart takes for entries. */
export type Litter = 'nan' | 'numbers';

/** How operands are laid out. */
export interface Laying {
  /** @defaultValue 'nan' */
  readonly litter?: Litter;
  /** @defaultValue 'plain' */
  readonly scales?: ScaleLayoutName | undefined;
}

/**
 * Lays operands out as a product asks, with litter between them and in all that is not to be read. Between the entries of D always
 * lies poison.
 */
export function layOutAll(
  operands: Stacked,
  gemm: Gemm,
  precision: Precision,
  { litter = 'nan', scales = 'plain' }: Laying = {},
): LaidOperands {
  const { a, b, c, factors } = elementsOf(operands, gemm, precision);
  const { batch } = gemm;
  const extents = extentsOf(gemm);
  const isRead = readsFactors(gemm);
  const lay = (name: 'a' | 'b' | 'c' | 'd', from?: Matrix): Entries => {
    const extent = extents[name];
    const length = lengthOf(gemm[name], extent, batch);
    const format = name === 'a' || name === 'b' ? precision.coded?.[name]?.element : undefined;
    const entries = entriesFor(format ?? precision[name], length);
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
  const laidC = lay('c', readsAddend(gemm) ? c : undefined);
  return {
    a: lay('a', isRead ? a : undefined),
    b: lay('b', isRead ? b : undefined),
    ...{ c: laidC, d: gemm.c === gemm.d ? laidC : lay('d') },
    factors: laidFactors(factors, scales),
  };
}

/** Copies of factors, for a kernel to keep. */
export function laidFactors(factors: Elements['factors'], layout: ScaleLayoutName = 'plain'): OperandFactors {
  const laid = (one: Factors | undefined): BlockFactors | undefined =>
    one && {
      scales: arrangedScales(one, layout),
      ...(one.zeros && { zeros: one.zeros.data.slice() }),
    };
  return { a: laid(factors.a), b: laid(factors.b) };
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
  const { m, n, batch } = gemm;
  const extent = extentsOf(gemm).d;
  const wide = found.BYTES_PER_ELEMENT / 4;
  const words = wordsOf(found);
  const isPoison = (at: number) => words[at * wide + wide - 1] === POISON;
  const isWritten = isOurs && (!readsAddend(gemm) || gemm.c !== gemm.d);
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

/** Entries of A and B, of C where it lies apart, and of their factors, that are no longer what they were. */
export function changedOf(before: LaidOperands, after: LaidOperands): number {
  const [was, is] = [before, after].map(({ a, b, c, d, factors }) => [
    ...[a, b],
    ...(c === d ? [] : [c]),
    ...listsOf(factors),
  ]);
  return was.reduce((sum, entries, at) => sum + entriesChanged(entries, is[at]), 0);
}

/** All lists of factors, A's before B's. */
export const listsOf = ({ a, b }: OperandFactors): readonly Entries[] =>
  [a, b].flatMap((one) => (one === undefined ? [] : [...one.scales, ...(one.zeros ? [one.zeros] : [])]));

/** The same factors, each list made another. */
export function mappedFactors(
  { a, b }: OperandFactors,
  change: (entries: Entries) => Entries,
): OperandFactors {
  const mapped = (one: BlockFactors | undefined): BlockFactors | undefined =>
    one && { scales: one.scales.map(change), ...(one.zeros && { zeros: change(one.zeros) }) };
  return { a: mapped(a), b: mapped(b) };
}
