import { readsFactors } from '../../matrix/members.ts';
import { type Cause, type EntryPrediction, singlePrediction, type WrongProductScene } from './cause.ts';

/** Entries that were not computed, and entries that are right up to a factor. */
export const valueCauses: readonly Cause[] = [
  singlePrediction(
    'sign',
    'the sign is wrong',
    ({ expected }) =>
      (i, j, p) =>
        -expected(i, j, p),
  ),
  singlePrediction('zero', 'the result is 0', () => () => 0),
  singlePrediction('c-left', 'D was left as C was before', ({ c, gemm: { beta, imaginary } }) =>
    beta === 0 && imaginary === undefined ? undefined : c,
  ),
  singlePrediction(
    'twice',
    'the result is doubled',
    ({ expected }) =>
      (i, j, p) =>
        2 * expected(i, j, p),
  ),
  singlePrediction(
    'half',
    'the result is halved',
    ({ expected }) =>
      (i, j, p) =>
        expected(i, j, p) / 2,
  ),
];

/** The previous answer of the kernel; unknown where its exact entry is the same. */
const previousAnswer: Cause = {
  name: 'previous-answer',
  *predict({ evidence: { previous }, expected, gemm: { m, n } }) {
    if (previous === undefined || previous.reference.checked !== 1) return;
    const { c, shape, reference } = previous;
    const before: EntryPrediction = (i, j, p) => {
      const at = (p * m + i) * n + j;
      return reference.value[at] === expected(i, j, p) ? undefined : c.data[at];
    };
    yield { says: `the previous product, ${shape}, was returned`, entry: before };
    const added: EntryPrediction = (i, j, p) => {
      const left = before(i, j, p);
      return left === undefined ? undefined : left + expected(i, j, p);
    };
    yield { says: `the previous product, ${shape}, was added`, entry: added };
  },
};

/** Causes tried last, which no mistake in the product itself explains. */
export const nothingKnown: readonly Cause[] = [
  previousAnswer,
  {
    name: 'nan',
    *predict({ gemm, evidence: { operands } }) {
      const reads = readsFactors(gemm);
      if (reads && [operands.a, operands.b].some(({ data }) => !data.every(Number.isFinite))) return;
      const says = reads
        ? 'NaN was read, which lies outside the operands and in C where beta = 0'
        : 'A and B were read although alpha = 0, and they hold NaN';
      yield { says, entry: () => Number.NaN, special: true };
    },
  },
];

/** Computes a term x·y, or 0 where a mistake drops it. */
type Take = (x: number, y: number) => number;

/** Ways to mistreat zeros and values that are not finite. */
const ways: readonly (readonly [says: string, take: Take])[] = [
  ['NaN was taken as 0', (x, y) => (Number.isNaN(x) ? 0 : x) * (Number.isNaN(y) ? 0 : y)],
  [
    'NaN and infinities were taken as 0',
    (x, y) => (Number.isFinite(x) ? x : 0) * (Number.isFinite(y) ? y : 0),
  ],
  ['terms with a zero in A were skipped', (x, y) => (x === 0 ? 0 : x * y)],
  ['terms with a zero in B were skipped', (x, y) => (y === 0 ? 0 : x * y)],
  ['terms with a zero were skipped', (x, y) => (x === 0 || y === 0 ? 0 : x * y)],
  ['NaN terms were skipped', (x, y) => (Number.isNaN(x * y) ? 0 : x * y)],
  ['non-finite terms were skipped', (x, y) => (Number.isFinite(x * y) ? x * y : 0)],
];

/** Ways to change entries of C that are not finite. */
const changes: readonly (readonly [says: string, of: (x: number, largest: number) => number])[] = [
  ['NaN entries of C became 0', (x) => (Number.isNaN(x) ? 0 : x)],
  ['NaN entries of C became infinite', (x) => (Number.isNaN(x) ? Infinity : x)],
  ['infinite entries of C became NaN', (x) => (Math.abs(x) === Infinity ? Number.NaN : x)],
  ['infinite entries of C lost their sign', (x) => (x === -Infinity ? Infinity : x)],
  [
    'infinite entries of C became the largest number',
    (x, largest) => (Math.abs(x) === Infinity ? Math.sign(x) * largest : x),
  ],
];

function taking({ a, b, c, gemm }: WrongProductScene, take: Take): EntryPrediction {
  const { alpha, beta, k } = gemm;
  return (i, j, p) => {
    let sum = 0;
    for (let q = 0; q < k; q++) sum += take(a(i, q, p), b(q, j, p));
    return alpha * sum + (beta === 0 ? 0 : beta * c(i, j, p));
  };
}

/** Mistakes that show only in NaN and infinities. */
export const specialCauses: readonly Cause[] = [
  {
    name: 'special-values',
    *predict(scene) {
      if (scene.evidence.operands.hasSpecials !== true) return;
      for (const [says, take] of ways) yield { says, entry: taking(scene, take), special: true };
      for (const [says, of] of changes) {
        const { maxFinite } = scene.evidence.machine.precision.d;
        const entry: EntryPrediction = (i, j, p) => of(scene.expected(i, j, p), maxFinite);
        yield { says, entry, special: true };
      }
    },
  },
];
