import { requestedGemm } from '../../matrix/gemm.ts';
import { isInTriangle, type Structure, structureOf } from '../../matrix/structure.ts';
import { heldEntries } from '../../matrix/structured-operands.ts';
import {
  type Cause,
  type EntryPrediction,
  scaledEntry,
  singlePrediction,
  type WrongProductScene,
} from './cause.ts';

/** An entry of an operand; undefined for the entry that it has. */
type OtherEntry = (i: number, j: number) => number | undefined;

/** Returns the product with other entries of the operand of which a triangle is stored, in doubles. */
function withEntries(scene: WrongProductScene, of: 'a' | 'b', other: OtherEntry): EntryPrediction {
  const { a, b, c, gemm } = scene;
  const left = (i: number, q: number, p: number) => (of === 'a' ? (other(i, q) ?? a(i, q, p)) : a(i, q, p));
  const right = (q: number, j: number, p: number) => (of === 'b' ? (other(q, j) ?? b(q, j, p)) : b(q, j, p));
  const product: EntryPrediction = (i, j, p) => {
    let sum = 0;
    for (let q = 0; q < gemm.k; q++) sum += left(i, q, p) * right(q, j, p);
    return sum;
  };
  return scaledEntry(gemm, product, c);
}

type Reads = Structure['reads'] & {};

/** Returns a cause that takes other entries for some of the operand of which a triangle is stored. */
const misread = (
  name: string,
  says: (structure: Reads, of: string) => string | undefined,
  entry: (held: boolean, isDiagonal: boolean, structure: Reads) => number | undefined,
): Cause => ({
  name,
  *predict(scene) {
    const asked = requestedGemm(scene.gemm);
    const { reads } = structureOf(asked) ?? {};
    const text = reads && says(reads, reads.of.toUpperCase());
    if (reads === undefined || text === undefined) return;
    const isHeld = heldEntries(asked, reads.of, 0);
    const other: OtherEntry = (i, j) => entry(isHeld?.(i, j) !== false, i === j, reads);
    yield { says: text, entry: withEntries(scene, reads.of, other), special: true };
  },
});

/** Returns the sum of only one of the two products of an operation. */
const oneProduct = (name: string, says: string, first: boolean): Cause =>
  singlePrediction(name, says, (scene) => {
    const { a, b, c, gemm } = scene;
    if (structureOf(requestedGemm(gemm))?.second !== 'swapped') return undefined;
    const { writes = 'lower' } = structureOf(requestedGemm(gemm)) ?? {};
    const [from, to] = first ? [0, gemm.k / 2] : [gemm.k / 2, gemm.k];
    const product: EntryPrediction = (i, j, p) => {
      let sum = 0;
      for (let q = from; q < to; q++) sum += a(i, q, p) * b(q, j, p);
      return sum;
    };
    const entry = scaledEntry(gemm, product, c);
    return (i, j, p) => (isInTriangle(writes, i, j) ? entry(i, j, p) : entry(j, i, p));
  });

/** Mistakes about the triangles of real structured products. */
export const structureCauses: readonly Cause[] = [
  misread(
    'unit-diagonal-read',
    ({ isUnit }, of) =>
      isUnit ? `the diagonal of ${of} was read, which is of ones and not stored` : undefined,
    (_, isDiagonal) => (isDiagonal ? Number.NaN : undefined),
  ),
  misread(
    'unit-diagonal-zero',
    ({ isUnit }, of) => (isUnit ? `the unit diagonal of ${of} was left out` : undefined),
    (_, isDiagonal) => (isDiagonal ? 0 : undefined),
  ),
  misread(
    'other-triangle-read',
    ({ triangle }, of) => `entries of ${of} outside its ${triangle} triangle were read`,
    (isHeld, isDiagonal) => (isHeld || isDiagonal ? undefined : Number.NaN),
  ),
  misread(
    'not-mirrored',
    ({ rest }, of) => (rest === 'mirrored' ? `only the stored triangle of ${of} was multiplied` : undefined),
    (isHeld) => (isHeld ? undefined : 0),
  ),
  misread(
    'diagonal-only',
    (_, of) => `only the diagonal of ${of} was multiplied`,
    (_, isDiagonal) => (isDiagonal ? undefined : 0),
  ),
  oneProduct('second-product-missing', 'B·Aᵀ was not added', true),
  oneProduct('first-product-missing', 'A·Bᵀ was not added', false),
  singlePrediction('not-multiplied', 'D is the dense operand, not multiplied', ({ a, b, gemm }) => {
    const { reads } = structureOf(requestedGemm(gemm)) ?? {};
    return reads?.rest === 'zero' ? (reads.of === 'a' ? b : a) : undefined;
  }),
  singlePrediction('triangle-swapped', 'D has the entries of the other triangle', ({ expected, gemm }) => {
    const { writes, second } = structureOf(requestedGemm(gemm)) ?? {};
    if (writes === undefined || second !== undefined) return undefined;
    return (i, j, p) => (isInTriangle(writes, i, j) ? expected(j, i, p) : expected(i, j, p));
  }),
];
