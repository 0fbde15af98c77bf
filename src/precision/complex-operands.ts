import { joinComplexParts, splitComplexParts } from '../matrix/complex.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { StackedOperands } from '../matrix/members.ts';
import { type Entries, viewWords } from '../matrix/operands.ts';
import { fullInnerSize, type Part, storedOperands } from '../matrix/structured-operands.ts';
import {
  type LayoutOptions,
  layOutRealOperands,
  type OperandMemory,
  type ResultMemory,
  readRealResult,
} from './operand-memory.ts';
import type { Precision } from './precision.ts';

/**
 * Lays operands out as a product requests. Real operands are laid out by {@link layOutRealOperands}, complex ones part by part in the same way,
 * so that both parts of an entry have gaps, poison and litter.
 * @param operands those of the real product that stands for a complex one.
 */
export function layOutOperands(
  operands: StackedOperands,
  asked: Gemm,
  precision: Precision,
  how: LayoutOptions = {},
): OperandMemory {
  if (asked.entries === undefined) {
    const stored = asked.structure === undefined ? operands : storedOperands(asked, operands, 0);
    return layOutRealOperands(stored, asked, precision, how);
  }
  const full = { m: asked.m, k: fullInnerSize(asked) };
  const [re, im] = ([0, 1] as const).map((part) => {
    const partOf = (name: 'a' | 'b' | 'c', x: Matrix) => splitComplexParts(name, x, full)[part];
    const { a, b, c } = operands;
    const parts = { a: partOf('a', a), b: partOf('b', b), c: c && partOf('c', c) };
    const stored = storedOperands(asked, parts, part);
    const inMemory = (name: 'a' | 'b', x: Matrix) => conjugateForOp(name, x, asked, part);
    const laid = { a: inMemory('a', stored.a), b: inMemory('b', stored.b), c: stored.c };
    return layOutRealOperands(laid, asked, precision, how, part);
  });
  const joined = (name: 'a' | 'b' | 'c' | 'd') => joinComplexEntries(re[name], im[name], asked);
  const c = joined('c');
  return { a: joined('a'), b: joined('b'), c, d: asked.c === asked.d ? c : joined('d'), factors: {} };
}

/** Returns a part of a matrix as it is stored. If op conjugates the matrix, the stored imaginary part has the opposite sign. */
export const storedPart = (name: 'a' | 'b' | 'c', x: Matrix, asked: Gemm, part: 0 | 1): Matrix =>
  conjugateForOp(name, splitComplexParts(name, x, asked)[part], asked, part);

const conjugateForOp = (name: 'a' | 'b' | 'c', x: Matrix, asked: Gemm, part: 0 | 1): Matrix =>
  part === 0 || asked[name].op !== 'c' ? x : matrix(x.rows, x.cols, x.data.map((y) => -y) as typeof x.data);

/**
 * Reads D from the memory in which a kernel left it, like {@link readRealResult}. For complex products it returns D of the real product, and
 * counts parts one by one.
 */
export function readResult(found: Entries, asked: Gemm, isOurs: boolean): ResultMemory {
  if (asked.entries === undefined) return readRealResult(found, asked, isOurs);
  const [re, im] = apart(found, asked).map((entries, part) =>
    readRealResult(entries, asked, isOurs, part as Part),
  );
  return {
    entries: joinComplexParts(re.entries, im.entries, asked.m * asked.n),
    unwritten: re.unwritten + im.unwritten,
    overwritten: re.overwritten + im.overwritten,
  };
}

/** Returns the numbers of an entry: 2 if it is complex. */
export const numbersOf = ({ entries }: Pick<Gemm, 'entries'>): 1 | 2 => (entries === undefined ? 1 : 2);

const made = (like: Entries, length: number): Entries =>
  like instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);

/** Returns a function from an entry and its part to their place, in numbers. */
const placeIn = ({ entries }: Gemm, length: number) =>
  entries === 'planar' ? (e: number, at: 0 | 1) => at * length + e : (e: number, at: 0 | 1) => 2 * e + at;

/** Joins parts into complex entries. They are copied as words, since poison is a NaN of its own bits. */
export function joinComplexEntries(re: Entries, im: Entries, asked: Gemm): Entries {
  const all = made(re, 2 * re.length);
  copied(re, im, all, placeIn(asked, re.length), (part, whole, from, to) => {
    whole[to] = part[from];
  });
  return all;
}

function apart(all: Entries, asked: Gemm): [Entries, Entries] {
  const length = all.length / 2;
  const parts: [Entries, Entries] = [made(all, length), made(all, length)];
  copied(...parts, all, placeIn(asked, length), (part, whole, at, place) => {
    part[at] = whole[place];
  });
  return parts;
}

function copied(
  re: Entries,
  im: Entries,
  all: Entries,
  place: (e: number, at: 0 | 1) => number,
  copy: (part: Uint32Array, all: Uint32Array, e: number, place: number) => void,
): void {
  const wide = all.BYTES_PER_ELEMENT / 4;
  const whole = viewWords(all);
  for (const [at, part] of [viewWords(re), viewWords(im)].entries()) {
    for (let e = 0; e < re.length; e++) {
      const from = place(e, at as 0 | 1);
      for (let word = 0; word < wide; word++) copy(part, whole, e * wide + word, from * wide + word);
    }
  }
}
