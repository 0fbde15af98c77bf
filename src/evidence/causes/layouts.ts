import type { Gemm, Laid } from '../../matrix/gemm.ts';
import { extentsOf, linesOf, stepsOf } from '../../matrix/gemm.ts';
import { type Cause, oneWay, type Prediction, powers, type Scene } from './cause.ts';
import { leastOf, memoryOf, otherOp, otherOrder, readAs, readDense, turned } from './readings.ts';

type Name = 'a' | 'b' | 'c';

/** Reading one matrix in another way; undefined where it is none. */
const misread = (
  name: Name,
  cause: string,
  says: string,
  change: (laid: Laid, gemm: Gemm) => Partial<Laid> | undefined,
): Cause =>
  oneWay(
    `${name}-${cause}`,
    says,
    (scene) => {
      if (!isUsed(name, scene)) return undefined;
      const changed = change(scene.gemm[name], scene.gemm);
      return changed && readAs(scene, { [name]: { ...scene.gemm[name], ...changed } });
    },
    // What lies between the lines is NaN.
    { special: true },
  );

const isUsed = (name: Name, { gemm }: Scene) => name !== 'c' || gemm.beta !== 0;

/** A factor read as its transpose: where it lies, by its op alone, or in a dense copy. */
const transposed = (name: 'a' | 'b'): Cause => ({
  name: `${name}-transposed`,
  *predict(scene) {
    const says = `as if ${name.toUpperCase()} were read as its transpose`;
    const { gemm } = scene;
    yield { says, entry: readAs(scene, { [name]: turned(name, gemm, otherOp(gemm[name])) }) };
    yield { says, entry: readAs(scene, { [name]: { ...gemm[name], ...otherOp(gemm[name]) } }) };
    yield { says, entry: readDense(scene, (dense) => ({ [name]: turned(name, dense, { op: 't' }) })) };
  },
});

const bothTransposed: Cause = {
  name: 'both-transposed',
  *predict(scene) {
    const says = 'as if A and B were both read as their transposes';
    const { gemm } = scene;
    const both = (read: Gemm) => ({
      a: turned('a', read, otherOp(read.a)),
      b: turned('b', read, otherOp(read.b)),
    });
    yield { says, entry: readAs(scene, both(gemm)) };
    yield { says, entry: readDense(scene, both) };
  },
};

const exchanged: Cause = {
  name: 'operands-exchanged',
  *predict(scene) {
    const says = 'as if A and B had changed places';
    const { m, k, n, a, b } = scene.gemm;
    const { a: inA, b: inB, c } = memoryOf(scene);
    if (inA.length === inB.length)
      yield { says, entry: readAs(scene, {}, { memory: { a: inB, b: inA, c } }) };
    if (m === k && k === n)
      yield { says, entry: readAs(scene, { a: b, b: a }, { memory: { a: inB, b: inA, c } }) };
  },
};

const sameTwice: Cause = {
  name: 'operand-twice',
  *predict(scene) {
    const { a, b, c } = memoryOf(scene);
    yield { says: 'as if A were read in place of B', entry: readAs(scene, {}, { memory: { a, b: a, c } }) };
    yield { says: 'as if B were read in place of A', entry: readAs(scene, {}, { memory: { a: b, b, c } }) };
  },
};

/** What is beyond an operand may be anything, or 0 as devices have it that watch over what is read. */
function* withBeyond(scene: Scene, says: string, change: Partial<Gemm>): Generator<Prediction> {
  yield { says, entry: readAs(scene, change) };
  yield { says, entry: readAs(scene, change, { beyond: 0 }), isGuess: true };
}

/** Leading dimensions that one may be taken for: rounded up to what rows are often aligned to, or another size. */
const otherLeadingDimensions = (name: Name): Cause => ({
  name: `${name}-leading-dimension`,
  *predict(scene) {
    if (!isUsed(name, scene)) return;
    const { gemm } = scene;
    const laid = gemm[name];
    const X = name.toUpperCase();
    const seen = new Set([laid.ld, leastOf(name, gemm, laid)]);
    const taken = function* (ld: number, as: string): Generator<Prediction> {
      if (ld < 1 || seen.has(ld)) return;
      seen.add(ld);
      const says = `as if the lines of ${X} were ${as} apart, not ${laid.ld}`;
      yield* withBeyond(scene, says, { [name]: { ...laid, ld } });
    };
    for (const size of ['m', 'k', 'n'] as const) yield* taken(gemm[size], `${size} = ${gemm[size]}`);
    for (const power of powers(2, 256).reverse()) {
      const ld = Math.ceil(laid.ld / power) * power;
      yield* taken(ld, `${ld}, the next multiple of ${power},`);
    }
    for (const by of [1, -1]) yield* taken(laid.ld + by, String(laid.ld + by));
  },
});

/** How far beside its place a matrix is looked for. */
const FAR = 32;

/** A factor that is taken for what lies beside it; where that only moves C along, another cause says so. */
const beside = (name: 'a' | 'b'): Cause => ({
  name: `${name}-beside`,
  *predict(scene) {
    const { gemm } = scene;
    const laid = gemm[name];
    const { row, col } = stepsOf(laid);
    const X = name.toUpperCase();
    const axes = [
      { line: 'row', step: row, ways: ['down', 'up'], movesC: name === 'a' },
      { line: 'column', step: col, ways: ['right', 'left'], movesC: name === 'b' },
    ];
    for (const { line, step, ways, movesC } of axes) {
      if (movesC && gemm.beta === 0) continue;
      for (const by of powers(1, FAR)) {
        for (const [at, way] of ways.entries()) {
          const offset = laid.offset + (at === 0 ? by : -by) * step;
          const says = `as if ${X} were read ${by} ${line}${by === 1 ? '' : 's'} further ${way}`;
          yield* withBeyond(scene, says, { [name]: { ...laid, offset } });
        }
      }
    }
  },
});

/** Mistakes that any of the three matrices may be read with. */
const misreadings = (name: Name): readonly Cause[] => {
  const X = name.toUpperCase();
  return [
    misread(
      name,
      'leading-dimension-ignored',
      `as if the lines of ${X} were as far apart as they are long, not its leading dimension`,
      (laid, gemm) => {
        const ld = leastOf(name, gemm, laid);
        return ld === laid.ld ? undefined : { ld };
      },
    ),
    misread(name, 'offset-ignored', `as if the entries before ${X} were a part of it`, ({ offset }) =>
      offset === 0 ? undefined : { offset: 0 },
    ),
    misread(
      name,
      'stride-ignored',
      `as if all products of the batch used the first ${X}`,
      ({ stride }, { batch }) => (stride === 0 || batch < 2 ? undefined : { stride: 0 }),
    ),
    misread(
      name,
      'gap-ignored',
      `as if the ${X} of a batch lay without gaps, not its stride apart`,
      (laid, gemm) => {
        const { lines, entries } = linesOf(laid, extentsOf(gemm)[name]);
        const stride = lines * entries;
        return gemm.batch < 2 || stride === laid.stride ? undefined : { stride };
      },
    ),
    misread(name, 'other-order', `as if ${X} were stored in the other order`, (laid, gemm) =>
      turned(name, gemm, otherOrder(laid)),
    ),
  ];
};

/** Where an entry of D lands that is written in the other order: what is found at its place. */
export function writtenTurned({ gemm: { m, n } }: Scene, of: Prediction['entry']): Prediction['entry'] {
  return (i, j, p) => {
    const at = i * n + j;
    return of(at % m, Math.floor(at / m), p);
  };
}

const allInOtherOrder: Cause = oneWay(
  'all-in-other-order',
  'as if A, B and C were all stored in the other order',
  (scene) => {
    const { gemm } = scene;
    const [a, b] = (['a', 'b'] as const).map((name) => turned(name, gemm, otherOrder(gemm[name])));
    return writtenTurned(scene, readAs(scene, { a, b }));
  },
);

/** Mistakes in how operands are thought to lie in memory. */
export const layoutCauses: readonly Cause[] = [
  transposed('a'),
  transposed('b'),
  bothTransposed,
  exchanged,
  ...misreadings('a'),
  ...misreadings('b'),
  ...misreadings('c'),
  oneWay('strides-ignored', 'as if all products of the batch used the first A and the first B', (scene) => {
    const { a, b, batch, beta } = scene.gemm;
    // Without C, all products are the first: another cause.
    if (batch < 2 || beta === 0 || a.stride === 0 || b.stride === 0) return undefined;
    return readAs(scene, { a: { ...a, stride: 0 }, b: { ...b, stride: 0 } });
  }),
  sameTwice,
  allInOtherOrder,
  ...(['a', 'b', 'c'] as const).map(otherLeadingDimensions),
  beside('a'),
  beside('b'),
];
