/**
 * The sums of the exact product, in WebAssembly with vectors of two doubles. A kernel takes a block of the result in tiles of
 * two rows and four columns, whose sums stay in registers while it goes along k. Every entry has its own lane, whose operations
 * and their order are those of the TypeScript kernels, so the bits are the same.
 */

import { type Code, type Func, f64x2, get, i32, type Local, Locals, repeat, set, tee } from './encode.ts';

/** The largest block of the result, and the terms that are added between loading and storing its sums. */
export const ROWS = 128;
export const COLS = 128;
export const DEPTH = 256;
/** A tile: rows of A, and columns of B, which are packed as panels of so many. */
export const TILE_ROWS = 2;
export const TILE_COLS = 4;

const VECTORS = TILE_COLS / 2;
const BYTES = 8;
const PLANE_A = ROWS * DEPTH;
const PLANE_B = COLS * DEPTH;
const PLANE_SUMS = ROWS * COLS;

/**
 * The memory of the kernels, in doubles from its start. A: rows of {@link DEPTH} entries. B: panels, one after another, of
 * four columns: for each t, four entries. Sums: {@link ROWS} × {@link COLS}. Split products also take the upper halves
 * of A and B and what these leave, slices those of B.
 */
export const layout = {
  a: { whole: 0, upper: PLANE_A, lower: 2 * PLANE_A },
  b: { whole: 3 * PLANE_A, upper: 3 * PLANE_A + PLANE_B, lower: 3 * PLANE_A + 2 * PLANE_B },
  sums: {
    hi: 3 * (PLANE_A + PLANE_B),
    lo: 3 * (PLANE_A + PLANE_B) + PLANE_SUMS,
    magnitude: 3 * (PLANE_A + PLANE_B) + 2 * PLANE_SUMS,
  },
} as const;

const PAGE = 65536;
export const PAGES = Math.ceil((BYTES * (layout.sums.magnitude + PLANE_SUMS)) / PAGE);

type Operand = keyof typeof layout.a;
type Sum = keyof typeof layout.sums;

/** What a kernel does with an entry of A, twice, two of B, and their two sums. */
interface Step {
  readonly name: string;
  readonly a: readonly Operand[];
  readonly b: readonly Operand[];
  readonly sums: readonly Sum[];
  readonly temporaries: number;
  /** @param x, y the operands, @param sums, temporaries in the order named. */
  code(x: readonly Code[], y: readonly Code[], sums: readonly Local[], temporaries: readonly Local[]): Code[];
}

const { add, sub, mul, abs } = f64x2;

/** See {@link sliceCuts}. */
const sliced: Step = {
  name: 'sliced',
  a: ['whole'],
  b: ['upper', 'lower'],
  sums: ['hi', 'lo'],
  temporaries: 0,
  code: ([x], [yh, yl], [hi, lo]) => [set(hi, add(get(hi), mul(x, yh))), set(lo, add(get(lo), mul(x, yl)))],
};

/** See {@link AnchorWindow}. */
const anchored: Step = {
  name: 'anchored',
  a: ['whole'],
  b: ['whole'],
  sums: ['hi', 'lo'],
  temporaries: 2,
  code: ([x], [y], [hi, lo], [p, next]) => [
    set(p, mul(x, y)),
    set(next, add(get(hi), get(p))),
    set(lo, add(get(lo), sub(get(p), sub(get(next), get(hi))))),
    set(hi, get(next)),
  ],
};

/** The operations of {@link sumExactProducts}. */
const exactProducts: Step = {
  name: 'exactProducts',
  a: ['whole'],
  b: ['whole'],
  sums: ['hi', 'lo', 'magnitude'],
  temporaries: 3,
  code: ([x], [y], [hi, lo, magnitude], [p, s, z]) => [
    set(p, mul(x, y)),
    set(s, add(get(hi), get(p))),
    set(z, sub(get(s), get(hi))),
    set(lo, add(get(lo), add(sub(get(hi), sub(get(s), get(z))), sub(get(p), get(z))))),
    set(hi, get(s)),
    set(magnitude, add(get(magnitude), abs(get(p)))),
  ],
};

/** The operations of {@link sumSplitProducts}. */
const splitProducts: Step = {
  name: 'splitProducts',
  a: ['whole', 'upper', 'lower'],
  b: ['whole', 'upper', 'lower'],
  sums: ['hi', 'lo', 'magnitude'],
  temporaries: 4,
  code: ([x, xh, xl], [y, yh, yl], [hi, lo, magnitude], [p, e, s, z]) => [
    set(p, mul(x, y)),
    set(e, sub(mul(xl, yl), sub(sub(sub(get(p), mul(xh, yh)), mul(xl, yh)), mul(xh, yl)))),
    set(s, add(get(hi), get(p))),
    set(z, sub(get(s), get(hi))),
    set(lo, add(get(lo), add(add(sub(get(hi), sub(get(s), get(z))), sub(get(p), get(z))), get(e)))),
    set(hi, get(s)),
    set(magnitude, add(get(magnitude), abs(get(p)))),
  ],
};

/**
 * A function of pairs of rows, panels of columns and the terms k to add, each at least 1, that adds to the sums of the
 * block: for each panel, for each pair of rows, for each t.
 */
function kernel(step: Step): Func {
  const locals = new Locals(3);
  const [rowPairs, panels, k] = [0, 1, 2].map((at) => locals.param(at));
  const [row, column, sumsAt, a, b, rowsLeft, left] = Array.from({ length: 7 }, () => locals.i32());
  const temporaries = locals.v128s(step.temporaries);
  const xs = step.a.map(() => locals.v128s(TILE_ROWS));
  const ys = step.b.map(() => locals.v128s(VECTORS));
  const tile = Array.from({ length: TILE_ROWS * VECTORS }, (_, at) => ({
    r: Math.floor(at / VECTORS),
    v: at % VECTORS,
    sums: locals.v128s(step.sums.length),
  }));

  const offset = (sum: Sum, r: number, v: number) => BYTES * (layout.sums[sum] + r * COLS + 2 * v);
  const eachSum = (make: (sum: Local, offset: number) => Code) =>
    tile.flatMap(({ r, v, sums }) => sums.flatMap((sum, at) => make(sum, offset(step.sums[at], r, v))));

  const term = [
    ...xs.flatMap((rows, at) =>
      rows.flatMap((x, r) => set(x, f64x2.splat(get(a), BYTES * (layout.a[step.a[at]] + r * DEPTH)))),
    ),
    ...ys.flatMap((vectors, at) =>
      vectors.flatMap((y, v) => set(y, f64x2.load(get(b), BYTES * (layout.b[step.b[at]] + 2 * v)))),
    ),
    ...tile.flatMap(({ r, v, sums }) =>
      step
        .code(
          xs.map((rows) => get(rows[r])),
          ys.map((vectors) => get(vectors[v])),
          sums,
          temporaries,
        )
        .flat(),
    ),
    ...advance(a, i32.const(BYTES)),
    ...advance(b, i32.const(BYTES * TILE_COLS)),
  ];
  const pairOfRows = [
    ...eachSum((sum, at) => set(sum, f64x2.load(get(sumsAt), at))),
    ...set(a, get(row)),
    ...set(b, get(column)),
    ...set(left, get(k)),
    ...repeat(term, countDown(left)),
    ...eachSum((sum, at) => f64x2.store(get(sumsAt), get(sum), at)),
    ...advance(row, i32.const(BYTES * TILE_ROWS * DEPTH)),
    ...advance(sumsAt, i32.const(BYTES * TILE_ROWS * COLS)),
  ];
  const panel = [
    ...set(row, i32.const(0)),
    ...set(rowsLeft, get(rowPairs)),
    ...repeat(pairOfRows, countDown(rowsLeft)),
    // From the row below the last, of this panel, to the first of the next.
    ...advance(
      sumsAt,
      i32.sub(i32.const(BYTES * TILE_COLS), i32.mul(get(rowPairs), i32.const(BYTES * TILE_ROWS * COLS))),
    ),
    ...advance(column, i32.mul(get(k), i32.const(BYTES * TILE_COLS))),
  ];
  return { name: step.name, params: 3, locals: locals.types, body: repeat(panel, countDown(panels)) };
}

const advance = (local: Local, by: Code): Code => set(local, i32.add(get(local), by));

/** One less; the loop goes on while that is not 0. */
const countDown = (local: Local): Code => tee(local, i32.sub(get(local), i32.const(1)));

/** The functions of the module. */
export const kernels: readonly Func[] = [sliced, anchored, exactProducts, splitProducts].map(kernel);
