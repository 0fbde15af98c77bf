import type { Gemm, MatrixLayout } from '../../matrix/gemm.ts';
import { extentsOf, startOf, stepsOf, storedLinesOf } from '../../matrix/gemm.ts';
import {
  type Cause,
  listPowersOfTwo,
  type Prediction,
  singlePrediction,
  type WrongProductScene,
} from './cause.ts';
import {
  leastLeadingDimension,
  memoryOf,
  otherOp,
  otherOrder,
  readAs,
  readDense,
  transposeLayout,
} from './readings.ts';

type Name = 'a' | 'b' | 'c';

/** Returns a cause that misreads the layout of one matrix; it predicts nothing where the change is none. */
const misread = (
  name: Name,
  cause: string,
  says: string,
  change: (laid: MatrixLayout, gemm: Gemm) => Partial<MatrixLayout> | undefined,
): Cause =>
  singlePrediction(
    `${name}-${cause}`,
    says,
    (scene) => {
      if (!isUsed(name, scene)) return undefined;
      const changed = change(scene.gemm[name], scene.gemm);
      return changed && readAs(scene, { [name]: { ...scene.gemm[name], ...changed } });
    },
    // The gaps between lines hold NaN.
    { special: true },
  );

const isUsed = (name: Name, { gemm }: WrongProductScene) => name !== 'c' || gemm.beta !== 0;

/** Reads a factor as its transpose: turned in place, by its op alone, or in a dense copy. */
const transposed = (name: 'a' | 'b'): Cause => ({
  name: `${name}-transposed`,
  *predict(scene) {
    const says = `${name.toUpperCase()} was read as its transpose`;
    const { gemm } = scene;
    yield { says, entry: readAs(scene, { [name]: transposeLayout(name, gemm, otherOp(gemm[name])) }) };
    yield { says, entry: readAs(scene, { [name]: { ...gemm[name], ...otherOp(gemm[name]) } }) };
    yield {
      says,
      entry: readDense(scene, (dense) => ({ [name]: transposeLayout(name, dense, { op: 't' }) })),
    };
  },
});

const bothTransposed: Cause = {
  name: 'both-transposed',
  *predict(scene) {
    const says = 'A and B were both read as their transposes';
    const { gemm } = scene;
    const both = (read: Gemm) => ({
      a: transposeLayout('a', read, otherOp(read.a)),
      b: transposeLayout('b', read, otherOp(read.b)),
    });
    yield { says, entry: readAs(scene, both(gemm)) };
    yield { says, entry: readDense(scene, both) };
  },
};

/** Returns a layout with the places of another, whose memory is read. */
const placedAs = (laid: MatrixLayout, { offset, stride, addresses }: MatrixLayout): MatrixLayout => ({
  ...laid,
  ...{ offset, stride, addresses },
});

const exchanged: Cause = {
  name: 'operands-exchanged',
  *predict(scene) {
    const says = 'A and B were swapped';
    const { m, k, n, a, b } = scene.gemm;
    const { a: inA, b: inB, c } = memoryOf(scene);
    const memory = { a: inB, b: inA, c };
    yield { says, entry: readAs(scene, { a: placedAs(a, b), b: placedAs(b, a) }, { memory }) };
    if (m === k && k === n) yield { says, entry: readAs(scene, { a: b, b: a }, { memory }) };
  },
};

const sameTwice: Cause = {
  name: 'operand-twice',
  *predict(scene) {
    const { a: laidA, b: laidB } = scene.gemm;
    const { a, b, c } = memoryOf(scene);
    for (const [says, change, memory] of [
      ['A was read in place of B', { b: placedAs(laidB, laidA) }, { a, b: a, c }],
      ['B was read in place of A', { a: placedAs(laidA, laidB) }, { a: b, b, c }],
    ] as const) {
      yield { says, entry: readAs(scene, change, { memory }) };
    }
  },
};

/** Predicts a changed layout. Values beyond an operand may be anything, or 0 on devices that check bounds. */
function* withBeyond(
  scene: WrongProductScene,
  says: string,
  name: Name,
  change: (laid: MatrixLayout) => Partial<MatrixLayout>,
): Generator<Prediction> {
  const changed = (gemm: Gemm) => ({ [name]: { ...gemm[name], ...change(gemm[name]) } });
  yield { says, entry: readAs(scene, changed(scene.gemm)) };
  yield { says, entry: readDense(scene, changed) };
  yield { says, entry: readAs(scene, changed(scene.gemm), { beyond: 0 }), isGuess: true };
}

/** Wrong leading dimensions: rounded up to common row alignments, or another size of the product. */
const otherLeadingDimensions = (name: Name): Cause => ({
  name: `${name}-leading-dimension`,
  *predict(scene) {
    if (!isUsed(name, scene)) return;
    const { gemm } = scene;
    const laid = gemm[name];
    const X = name.toUpperCase();
    const seen = new Set([laid.ld, leastLeadingDimension(name, gemm, laid)]);
    const taken = function* (ld: number, as: string): Generator<Prediction> {
      if (ld < 1 || seen.has(ld)) return;
      seen.add(ld);
      const says = `the leading dimension of ${X} was taken as ${as}`;
      yield* withBeyond(scene, says, name, () => ({ ld }));
    };
    for (const size of ['m', 'k', 'n'] as const) yield* taken(gemm[size], `${size} = ${gemm[size]}`);
    for (const power of listPowersOfTwo(2, 256).reverse()) {
      const ld = Math.ceil(laid.ld / power) * power;
      yield* taken(ld, `${ld}, the next multiple of ${power}`);
    }
    for (const by of [1, -1]) yield* taken(laid.ld + by, String(laid.ld + by));
  },
});

/** The largest shift, in rows or columns, at which a matrix is looked for. */
const FAR = 32;

/** Rows and columns: the step between them, their number, and the factor whose lines are those of C. */
const axes = [
  {
    line: 'row',
    stepOf: (laid: MatrixLayout) => stepsOf(laid).row,
    ways: ['down', 'up'],
    of: 'rows',
    moves: 'a',
  },
  {
    line: 'column',
    stepOf: (laid: MatrixLayout) => stepsOf(laid).col,
    ways: ['right', 'left'],
    of: 'cols',
    moves: 'b',
  },
] as const;

/** A factor read with a shift. A shift that only moves C is left to another cause. */
const beside = (name: 'a' | 'b'): Cause => ({
  name: `${name}-beside`,
  *predict(scene) {
    const X = name.toUpperCase();
    for (const { line, stepOf, ways, of, moves } of axes) {
      if (moves === name && scene.gemm.beta === 0) continue;
      // Where a single line is read, no other lies beside it.
      if (extentsOf(scene.gemm)[name][of] === 1) continue;
      for (const by of listPowersOfTwo(1, FAR)) {
        for (const [at, way] of ways.entries()) {
          const says = `${X} was read ${by} ${line}${by === 1 ? '' : 's'} further ${way}`;
          const far = at === 0 ? by : -by;
          yield* withBeyond(scene, says, name, (laid) => ({ offset: laid.offset + far * stepOf(laid) }));
        }
      }
    }
  },
});

/** Returns the mistakes with which any of the three matrices may be read. */
const misreadings = (name: Name): readonly Cause[] => {
  const X = name.toUpperCase();
  return [
    misread(name, 'leading-dimension-ignored', `the leading dimension of ${X} was ignored`, (laid, gemm) => {
      const ld = leastLeadingDimension(name, gemm, laid);
      return ld === laid.ld ? undefined : { ld };
    }),
    misread(
      name,
      'increment-ignored',
      `the entries of a line of ${X} were taken to lie side by side`,
      ({ inc = 1 }) => (inc === 1 ? undefined : { inc: 1 }),
    ),
    misread(
      name,
      'strides-exchanged',
      `the strides of rows and columns of ${X} were swapped`,
      ({ ld, inc = 1 }) => (inc === 1 ? undefined : { ld: inc, inc: ld }),
    ),
    misread(name, 'offset-ignored', `the offset of ${X} was ignored`, ({ offset }) =>
      offset === 0 ? undefined : { offset: 0 },
    ),
    misread(name, 'stride-ignored', `every product of the batch used the first ${X}`, (laid, { batch }) =>
      laid.stride === 0 || batch < 2
        ? undefined
        : { addresses: undefined, offset: startOf(laid, 0), stride: 0 },
    ),
    misread(
      name,
      'addresses-ignored',
      `the matrices ${X} of the batch were taken to lie at one distance`,
      (laid) =>
        laid.addresses && {
          addresses: undefined,
          offset: startOf(laid, 0),
          stride: startOf(laid, 1) - startOf(laid, 0),
        },
    ),
    misread(name, 'gap-ignored', `the batch stride of ${X} was ignored`, (laid, gemm) => {
      const { lines, entries } = storedLinesOf(laid, extentsOf(gemm)[name]);
      const stride = lines * entries;
      return gemm.batch < 2 || stride === laid.stride ? undefined : { stride };
    }),
    misread(name, 'other-order', `row-major and column-major order were mixed up for ${X}`, (laid, gemm) =>
      transposeLayout(name, gemm, otherOrder(laid)),
    ),
  ];
};

/** Returns the entries found at the places of D when D is written in the other order. */
export function readTransposedResult(
  { gemm: { m, n } }: WrongProductScene,
  of: Prediction['entry'],
): Prediction['entry'] {
  return (i, j, p) => {
    const at = i * n + j;
    return of(at % m, Math.floor(at / m), p);
  };
}

const allInOtherOrder: Cause = {
  name: 'all-in-other-order',
  *predict(scene) {
    const says = 'row-major and column-major order were mixed up for A, B and C';
    const changed = (gemm: Gemm) => ({
      a: transposeLayout('a', gemm, otherOrder(gemm.a)),
      b: transposeLayout('b', gemm, otherOrder(gemm.b)),
    });
    yield { says, entry: readTransposedResult(scene, readAs(scene, changed(scene.gemm))) };
    yield { says, entry: readTransposedResult(scene, readDense(scene, changed)) };
  },
};

/** Mistakes about the layout of operands in memory. */
export const layoutCauses: readonly Cause[] = [
  transposed('a'),
  transposed('b'),
  bothTransposed,
  exchanged,
  ...misreadings('a'),
  ...misreadings('b'),
  ...misreadings('c'),
  singlePrediction(
    'strides-ignored',
    'every product of the batch used the first A and the first B',
    (scene) => {
      const { a, b, batch, beta } = scene.gemm;
      // Without C, all products equal the first; another cause covers that.
      if (batch < 2 || beta === 0 || a.stride === 0 || b.stride === 0) return undefined;
      return readAs(scene, { a: { ...a, stride: 0 }, b: { ...b, stride: 0 } });
    },
  ),
  sameTwice,
  allInOtherOrder,
  ...(['a', 'b', 'c'] as const).map(otherLeadingDimensions),
  beside('a'),
  beside('b'),
];
