import { createRandom } from '../../src/base/random.ts';
import {
  batchLengthOf,
  extentsOf,
  type Gemm,
  type MatrixLayout,
  stepsOf,
  storedCount,
} from '../../src/matrix/gemm.ts';
import { allocateEntries, type Entries } from '../../src/matrix/operands.ts';
import type { Precision } from '../../src/precision/precision.ts';
import type { GraderRequest } from './ask.ts';
import type { Fill, FilledMatrix } from './fills.ts';
import { computeExpectedEntries, type Dense, type GraderRules, sizesOf } from './reference.ts';

/** A prepared product: operands in memory, and the result that a grader expects. */
export interface PreparedProduct {
  readonly gemm: Gemm;
  readonly a: Entries;
  readonly b: Entries;
  /** C in memory; D shares it if it overwrites C. */
  readonly c: Entries;
  readonly d: Entries;
  /** Row-major entries, the matrices of a batch one after the other. */
  readonly expected: Float64Array;
  readonly sizes: () => Float64Array;
}

/** Fills the matrices of a product from a seed, and computes the expected result. */
export function prepareProduct(
  gemm: Gemm,
  ask: GraderRequest,
  manner: GraderRules,
  precision: Precision,
  seed: number,
): PreparedProduct {
  const room = (name: 'a' | 'b' | 'c' | 'd', value: number) => {
    const length = batchLengthOf(gemm[name], extentsOf(gemm)[name], gemm.batch);
    return allocateEntries(precision.c, length).fill(value);
  };
  const filled = (name: FilledMatrix, stream: number, special?: GraderRequest['special']) => {
    const target = room(name, manner.gaps);
    fillInto(target, gemm, name, ask.fill, precision, { seed, stream, special });
    return target;
  };
  const [a, b] = [filled('a', 1, ask.special), filled('b', 2)];
  const readsC = gemm.beta !== 0;
  const poison = ask.poisonsC === true && !readsC;
  const data = filled('c', 3);
  const c = poison ? onlyEntries(data, gemm, Number.NaN) : data;
  const d =
    gemm.c === gemm.d
      ? inPlace(c, gemm, ask, readsC || poison)
      : beforeOf(room('d', manner.gaps), data, gemm, ask);
  const dense = denseOf({ a, b, c: readsC ? data : undefined }, gemm);
  const expected = computeExpectedEntries(dense, gemm, manner, precision);
  let sizes: Float64Array | undefined;
  return {
    ...{ gemm, a, b, c: gemm.c === gemm.d ? d : c, d, expected },
    sizes: () => {
      sizes ??= sizesOf(dense, gemm);
      return sizes;
    },
  };
}

/** C in memory, if D overwrites it. */
const inPlace = (c: Entries, gemm: Gemm, ask: GraderRequest, isKept: boolean): Entries =>
  isKept ? c : beforeOf(c.slice(), c, gemm, ask);

/** Fills D with the contents before the call. */
function beforeOf(d: Entries, data: Entries, gemm: Gemm, { before }: GraderRequest): Entries {
  if (before === 'data') return data.length === d.length ? data.slice() : d.fill(0);
  return onlyEntries(d, gemm, before === 'nan' ? Number.NaN : 0);
}

/** Sets every entry of D to a value, and leaves its gaps. */
function onlyEntries(target: Entries, gemm: Gemm, value: number): Entries {
  visitEntries(gemm.d, gemm.m, gemm.n, gemm.batch, (at) => {
    target[at] = value;
  });
  return target;
}

interface Drawn {
  readonly seed: number;
  readonly stream: number;
  readonly special?: GraderRequest['special'];
}

function fillInto(
  target: Entries,
  gemm: Gemm,
  name: FilledMatrix,
  fill: Fill,
  precision: Precision,
  { seed, stream, special }: Drawn,
): void {
  const { rows, cols } = extentsOf(gemm)[name];
  const draw = fill(name, createRandom(seed, stream, precision.c.bytes > 4 ? 'fine' : 'coarse'));
  const { round } = name === 'c' ? precision.c : precision.multiplied;
  const { m, k, n } = gemm;
  const count = storedCount(gemm[name], gemm.batch, { rows, cols });
  visitEntries(gemm[name], rows, cols, count, (at, row, col) => {
    target[at] = round(draw({ row, col, m, k, n }));
    if (special !== undefined && row === special[0] && col === special[1]) target[at] = special[2];
  });
}

/** Calls `visit` with the place in memory of every entry, matrix by matrix and row by row. */
export function visitEntries(
  laid: MatrixLayout,
  rows: number,
  cols: number,
  count: number,
  visit: (at: number, row: number, col: number) => void,
): void {
  const { row: down, col: along } = stepsOf(laid);
  for (let p = 0; p < count; p++) {
    for (let i = 0; i < rows; i++) {
      let at = laid.offset + p * laid.stride + i * down;
      for (let j = 0; j < cols; j++, at += along) visit(at, i, j);
    }
  }
}

/** The matrices of a batch in double, one product after the other. */
function denseOf({ a, b, c }: { a: Entries; b: Entries; c: Entries | undefined }, gemm: Gemm): Dense[] {
  const { m, k, n, batch } = gemm;
  const one = (x: Entries, laid: MatrixLayout, rows: number, cols: number, p: number) => {
    const out = new Float64Array(rows * cols);
    let e = 0;
    visitEntries({ ...laid, offset: laid.offset + p * laid.stride }, rows, cols, 1, (at) => {
      out[e++] = x[at];
    });
    return out;
  };
  return Array.from({ length: batch }, (_, p) => ({
    a: one(a, gemm.a, m, k, p),
    b: one(b, gemm.b, k, n, p),
    c: c === undefined ? undefined : one(c, gemm.c, m, n, p),
  }));
}
