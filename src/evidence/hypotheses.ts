import type { Matrix, Real } from '../matrix/dense.ts';
import { denseLaid, extentsOf, type Gemm, type Laid, linesOf, stepsOf } from '../matrix/gemm.ts';
import { readsFactors } from '../matrix/members.ts';
import { layOutAll } from '../precision/laid-operands.ts';
import type { Evidence } from './evidence.ts';

/** A mistake that leaves a recognisable result. */
interface Hypothesis {
  /** What the result looks like: a clause. */
  readonly say: string;
  /** The entry (i, j) of product p that the mistake would give; undefined when it cannot be made for this product. */
  readonly predict: (evidence: Evidence) => ((i: number, j: number, p: number) => number) | undefined;
}

/** Terms of k whose loss is looked for: a tile, or what a tile leaves over. */
const LOST_TERMS = [1, 2, 3, 4, 8, 16, 32];

/** What else a kernel may take for what was asked. */
type Misreading = readonly [say: string, change: (gemm: Gemm) => Partial<Gemm> | undefined];

const readAnew =
  (name: 'a' | 'b' | 'c', change: (laid: Laid, gemm: Gemm) => Partial<Laid> | undefined) => (gemm: Gemm) => {
    const changed = change(gemm[name], gemm);
    return changed && { [name]: { ...gemm[name], ...changed } };
  };
const leastOf = (name: 'a' | 'b' | 'c', gemm: Gemm, laid: Laid) =>
  Math.max(1, linesOf(laid, extentsOf(gemm)[name]).entries);

/** The ways of misreading a matrix. */
const misreadings = (['a', 'b', 'c'] as const).flatMap((name): Misreading[] => {
  const X = name.toUpperCase();
  return [
    ...(name === 'c'
      ? []
      : ([
          [
            `as if ${X} were read as its transpose`,
            readAnew(name, (laid, gemm) => {
              const op = laid.op === 'n' ? 't' : 'n';
              const ld =
                laid.ld === leastOf(name, gemm, laid) ? leastOf(name, gemm, { ...laid, op }) : laid.ld;
              return { op, ld };
            }),
          ],
        ] satisfies Misreading[])),
    [
      `as if the lines of ${X} were as far apart as they are long, not its leading dimension`,
      readAnew(name, (laid, gemm) => {
        const ld = leastOf(name, gemm, laid);
        return ld === laid.ld ? undefined : { ld };
      }),
    ],
    [
      `as if the entries before ${X} were a part of it`,
      readAnew(name, ({ offset }) => (offset === 0 ? undefined : { offset: 0 })),
    ],
    [
      `as if all products of the batch used the first ${X}`,
      readAnew(name, ({ stride }, { batch }) => (stride === 0 || batch < 2 ? undefined : { stride: 0 })),
    ],
    [
      `as if the ${X} of a batch lay without gaps, not its stride apart`,
      readAnew(name, (laid, gemm) => {
        const { lines, entries } = linesOf(laid, extentsOf(gemm)[name]);
        const stride = lines * entries;
        return gemm.batch < 2 || stride === laid.stride ? undefined : { stride };
      }),
    ],
    [
      `as if ${X} were stored ${'in the other order'}`,
      readAnew(name, (laid, gemm) => {
        const order = laid.order === 'row' ? 'column' : 'row';
        const ld = laid.ld === leastOf(name, gemm, laid) ? leastOf(name, gemm, { ...laid, order }) : laid.ld;
        return { order, ld };
      }),
    ],
  ];
});

const scaled = ({ alpha, beta }: Gemm) => alpha !== 1 || beta !== 0;

const misreadFactors: readonly Misreading[] = [
  ['as if beta·C were not added', ({ beta }) => (beta === 0 ? undefined : { beta: 0 })],
  ['as if C were added without beta', ({ beta }) => (beta === 0 || beta === 1 ? undefined : { beta: 1 })],
  ['as if beta·C were added twice', ({ beta }) => (beta === 0 ? undefined : { beta: 2 * beta })],
  ['as if alpha were left out', ({ alpha }) => (alpha === 1 ? undefined : { alpha: 1 })],
  ['as if alpha were multiplied twice', ({ alpha }) => (alpha === 1 ? undefined : { alpha: alpha * alpha })],
  [
    'as if alpha multiplied C too',
    ({ alpha, beta }) => (alpha === 1 || beta === 0 ? undefined : { beta: alpha * beta }),
  ],
  [
    'as if beta multiplied all of it',
    (gemm) => (scaled(gemm) && gemm.beta !== 0 ? { alpha: gemm.alpha * gemm.beta } : undefined),
  ],
  ['as if A·B were left out', ({ alpha, beta }) => (alpha === 0 || beta === 0 ? undefined : { alpha: 0 })],
];

const hypotheses: readonly Hypothesis[] = [
  ...LOST_TERMS.map((lost) => ({
    say:
      lost === 1 ? 'as if the last term of k were missing' : `as if the last ${lost} terms of k were missing`,
    predict: (evidence: Evidence) => (lost < evidence.gemm.k ? entriesOf(evidence, {}, lost) : undefined),
  })),
  ...[...misreadFactors, ...misreadings].map(([say, change]) => ({
    say,
    predict: (evidence: Evidence) => {
      const changed = change(evidence.gemm);
      return changed && entriesOf(evidence, changed);
    },
  })),
  ...(['a', 'b'] as const).map((name) => ({
    say: `as if ${name.toUpperCase()} were read as its transpose`,
    predict: (evidence: Evidence) => fromDense(evidence, name),
  })),
  {
    say: 'with the opposite sign',
    predict:
      ({ reference, gemm: { m, n } }) =>
      (i, j, p) =>
        -reference.value[(p * m + i) * n + j],
  },
  { say: 'zero instead of a value', predict: () => () => 0 },
  {
    say: 'NaN, which C holds where beta = 0 leaves it unread',
    predict: ({ gemm: { beta } }) => (beta === 0 ? () => Number.NaN : undefined),
  },
];

/** Of dense copies, such as kernels make of what they pack, one is taken for its transpose. */
function fromDense(evidence: Evidence, name: 'a' | 'b') {
  const { gemm, operands } = evidence;
  const { a, b, c } = operands;
  const { m, k, n } = gemm;
  const dense = (matrix: Matrix, rows: number, cols: number): Laid => ({
    ...denseLaid({ rows, cols }),
    stride: matrix.rows > rows ? rows * cols : 0,
  });
  const read = {
    ...gemm,
    a: dense(a, m, k),
    b: dense(b, k, n),
    c: c === undefined ? gemm.c : dense(c, m, n),
  };
  const turned = { ...read[name], op: 't' as const, ld: name === 'a' ? m : k };
  const none = new Float32Array(0);
  return entriesOf(evidence, { ...read, [name]: turned }, 0, { a: a.data, b: b.data, c: c?.data ?? none });
}

/** What a product is, in doubles, if its memory is read in a changed way; without the last terms of k. */
function entriesOf(
  evidence: Evidence,
  change: Partial<Gemm>,
  lost = 0,
  memory: Readonly<Record<'a' | 'b' | 'c', Real>> = layOutAll(
    evidence.operands,
    evidence.gemm,
    evidence.machine.precision,
  ),
) {
  const { a, b, c } = memory;
  const read = { ...evidence.gemm, ...change };
  const { alpha, beta, k } = read;
  const at = (memory: Real, laid: Laid) => {
    const { row, col } = stepsOf(laid);
    return (i: number, j: number, p: number) => memory[laid.offset + p * laid.stride + i * row + j * col];
  };
  const [atA, atB, atC] = [at(a, read.a), at(b, read.b), at(c, read.c)];
  return (i: number, j: number, p: number) => {
    let sum = 0;
    if (readsFactors(read)) for (let q = 0; q < k - lost; q++) sum += atA(i, q, p) * atB(q, j, p);
    return (alpha === 0 ? 0 : alpha * sum) + (beta === 0 ? 0 : beta * atC(i, j, p));
  };
}

/** Entries that a hypothesis is tried on first, and at most. */
const TRIED = 4096;

/**
 * Compares the wrong entries with what known mistakes would give. Where sums are exact the prediction must
 * match to the last bit; elsewhere it must explain nearly all of each error. What none explains may show few significant bits.
 */
export function recognise(evidence: Evidence, wrong: Uint8Array): string | undefined {
  const { outcomes, gemm, machine, operands, reference, errors } = evidence;
  const { multiplied, name } = machine.precision;
  const { m, n } = gemm;
  const places: number[] = [];
  for (let e = 0; e < wrong.length && places.length < TRIED; e++) if (wrong[e] !== 0) places.push(e);
  if (reference.checked === 1) {
    const isExact = operands.family?.exactness === 'integers';
    const explains = (predicted: number, e: number) => {
      const found = outcomes[0].c.data[e];
      const error = Math.abs(found - reference.value[e]);
      if (isExact || Number.isNaN(predicted) || Number.isNaN(error))
        return Object.is(predicted + 0, found + 0);
      return Math.abs(found - predicted) <= EXPLAINED * error;
    };
    const matching = hypotheses.find(({ predict }) => {
      const entry = predict(evidence);
      if (entry === undefined) return false;
      return places.every((e) => {
        const row = Math.floor(e / n);
        return explains(entry(row % m, e % n, Math.floor(row / m)), e);
      });
    });
    if (matching !== undefined) return matching.say;
  }
  const { bits, disagreements } = errors.exact;
  if (disagreements > 0 || !(bits >= FEWEST_BITS && bits < multiplied.precision - BITS_LOST))
    return undefined;
  return `the product shows ${bits.toFixed(1)} significant bits: products or sums of less precision than ${name} (${keeping(multiplied.precision)})`;
}

/** The share of an error that a mistake may leave unexplained, where rounding is expected. */
const EXPLAINED = 2 ** -7;

/** Below this many bits a result is wrong rather than imprecise. */
const FEWEST_BITS = 6;
/** Honest products show no fewer bits less than their format has, unless they are very long. */
const BITS_LOST = 9;

/** What narrower formats keep: "tf32 and f16 keep 11, bf16 8". */
function keeping(precision: number): string {
  const f32 = precision > 24 ? 'f32 keeps 24, ' : '';
  return `${f32}tf32 and f16 keep 11, bf16 8`;
}
