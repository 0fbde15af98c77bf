import { matrix } from '../matrix/dense.ts';
import { type Gemm, type MatrixLayout, plainGemm } from '../matrix/gemm.ts';
import { membersOf, readsFactors, type StackedOperands } from '../matrix/members.ts';

const plain = plainGemm({ m: 2, k: 3, n: 4 });
const laid = (
  op: MatrixLayout['op'],
  order: MatrixLayout['order'],
  ld: number,
  offset = 0,
  stride = 0,
): MatrixLayout => ({
  ...{ op, order, ld, offset, stride },
});
const ofBatch = { ...plain, batch: 3, c: laid('n', 'row', 4, 0, 8) };

/** Products with one feature each; the last has all of them. */
export const gemms: readonly (readonly [what: string, gemm: Gemm])[] = [
  ['nothing but A·B', plain],
  ['alpha', { ...plain, alpha: -2 }],
  ['beta', { ...plain, beta: 3 }],
  ['alpha = 0', { ...plain, alpha: 0, beta: 2 }],
  ['transposes', { ...plain, a: laid('t', 'row', 2), b: laid('t', 'row', 3) }],
  ['columns', { ...plain, a: laid('n', 'column', 2), b: laid('t', 'column', 4) }],
  [
    'leading dimensions',
    { ...plain, a: laid('n', 'row', 5), b: laid('t', 'row', 7), c: laid('n', 'column', 9) },
  ],
  ['offsets', { ...plain, a: laid('n', 'row', 3, 4), c: laid('n', 'row', 4, 1) }],
  ['a batch', ofBatch],
  ['one B for all', { ...ofBatch, beta: 2, b: laid('n', 'row', 4) }],
  [
    'a batch whose lines take turns',
    { ...ofBatch, a: laid('n', 'row', 9, 0, 3), b: laid('t', 'row', 9, 0, 3), c: laid('n', 'row', 13, 0, 4) },
  ],
  ['no k', { ...plain, ...plainGemm({ m: 2, k: 0, n: 4 }), beta: 5 }],
  ['no product', { ...ofBatch, batch: 0 }],
  [
    'everything',
    {
      ...{ ...plain, batch: 2, alpha: 2, beta: -1 },
      ...{ a: laid('t', 'row', 4, 3, 15), b: laid('n', 'column', 5, 2), c: laid('n', 'row', 6, 1, 14) },
    },
  ],
].map(([what, gemm]) => {
  const { d: _, ...rest } = gemm as Gemm;
  return [what as string, { ...rest, d: rest.c }] as const;
});

const strided = (order: MatrixLayout['order'], ld: number, inc: number, offset: number): MatrixLayout => ({
  ...{ ...laid('n', order, ld, offset, 60), inc },
});

/** Products with features that `everything` does not include, by their names. */
export const specialGemms: readonly (readonly [what: string, gemm: Gemm])[] = [
  [
    'general strides',
    {
      ...{ ...plain, alpha: 2, beta: -1 },
      ...{ a: { ...strided('row', 9, 3, 2), op: 't' as const }, b: strided('column', 5, 2, 0) },
      c: strided('row', 8, 2, 1),
    },
  ],
  [
    'batches by a list of addresses',
    {
      ...{ ...plain, batch: 3, beta: 2 },
      a: { ...plain.a, addresses: [9, 1, 20] },
      b: { ...plain.b, addresses: [0, 30, 13] },
      c: { ...plain.c, addresses: [12, 21, 2] },
    },
  ],
].map(([what, gemm]) => [what as string, { ...(gemm as Gemm), d: (gemm as Gemm).c }] as const);

/** Returns a product with D apart from C. */
export const withSeparateResult = (
  gemm: Gemm,
  d: MatrixLayout = laid('n', 'column', gemm.m + 1, 2, 4 * gemm.m + 9),
): Gemm => ({
  ...gemm,
  d,
});

/** Makes operands of small whole numbers; those of a batch lie one below the other. */
export function makeTestOperands({
  m,
  k,
  n,
  batch,
  a,
  b,
}: Gemm): Required<Omit<StackedOperands, 'coded' | 'epilogue'>> & { readonly c: StackedOperands['a'] } {
  const whole = (count: number, rows: number, cols: number) =>
    matrix(
      count * rows,
      cols,
      Float32Array.from({ length: count * rows * cols }, (_, at) => ((7 * at + rows) % 19) - 9),
    );
  const count = ({ stride }: MatrixLayout) => (stride === 0 ? Math.min(batch, 1) : batch);
  return { a: whole(count(a), m, k), b: whole(count(b), k, n), c: whole(batch, m, n) };
}

/** Returns D of such operands, the products of a batch one below the other. */
export function computeExpected(operands: StackedOperands, gemm: Gemm): number[] {
  const { m, k, n, alpha, beta } = gemm;
  return [...membersOf(operands, gemm)].flatMap(({ a, b, c }) =>
    Array.from({ length: m * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      let sum = 0;
      if (readsFactors(gemm)) for (let l = 0; l < k; l++) sum += a.data[i * k + l] * b.data[l * n + j];
      return alpha * sum + (beta === 0 ? 0 : beta * (c?.data[e] ?? Number.NaN)) + 0;
    }),
  );
}

/** JavaScript of a kernel that accepts everything: it calls `visit(entry of D, its place in memory)`. */
export const MULTIPLY = `
const at = ({ op, order, ld, inc = 1, offset, stride, addresses }, p, i, j) =>
  (addresses?.[p] ?? offset + p * stride) + ((op === 't') === (order === 'row') ? j * ld + i * inc : i * ld + j * inc);
function eachEntry(a, b, gemm, c, visit) {
  const { m, k, n, batch, alpha, beta } = gemm;
  for (let p = 0; p < batch; p++) for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) {
    let sum = 0;
    if (alpha !== 0) for (let l = 0; l < k; l++) sum += a[at(gemm.a, p, i, l)] * b[at(gemm.b, p, l, j)];
    visit(alpha * sum + (beta === 0 ? 0 : beta * c[at(gemm.c, p, i, j)]), (laid) => at(laid, p, i, j), (p * m + i) * n + j);
  }
}`;

type Visit = (entry: number, place: (laid: MatrixLayout) => number, dense: number) => void;
/** The same kernel as a function. */
export const eachEntry: (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  gemm: Gemm,
  c: ArrayLike<number>,
  visit: Visit,
) => void = new Function(`${MULTIPLY}; return eachEntry;`)();
