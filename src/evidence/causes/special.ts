import type { Cause, EntryPrediction, WrongProductScene } from './cause.ts';

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
