import { readsFactors } from '../../matrix/members.ts';
import {
  type Cause,
  type EntryPrediction,
  otherPart,
  scaledEntry,
  singlePrediction,
  type WrongProductScene,
} from './cause.ts';

/** Factors of the terms of a complex product: Re = Σ ArBr + `both`·AiBi, Im = Σ `right`·ArBi + `left`·AiBr. */
interface Signs {
  readonly both: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Returns a product of the parts of A and B with other signs, in doubles. The lower half of the real product's rows are imaginary parts.
 */
function withSigns({ a, b, c, gemm }: WrongProductScene, { both, left, right }: Signs): EntryPrediction {
  const { k } = gemm;
  const half = gemm.m / 2;
  const product: EntryPrediction = (i, j, p) => {
    const row = i % half;
    const isReal = i < half;
    let sum = 0;
    for (let q = 0; q < k / 2; q++) {
      const [ar, ai] = [a(row, q, p), a(half + row, q, p)];
      const [br, bi] = [b(q, j, p), b(k / 2 + q, j, p)];
      sum += isReal ? ar * br + both * ai * bi : right * ar * bi + left * ai * br;
    }
    return sum;
  };
  return scaledEntry(gemm, product, c);
}

const signed = (name: string, says: string, signs: Signs): Cause =>
  singlePrediction(name, says, (scene) => (readsFactors(scene.gemm) ? withSigns(scene, signs) : undefined));

export const complexCauses: readonly Cause[] = [
  signed('a-conjugated', 'A was conjugated by mistake, or not conjugated where it should be', {
    both: 1,
    left: -1,
    right: 1,
  }),
  signed('b-conjugated', 'B was conjugated by mistake, or not conjugated where it should be', {
    both: 1,
    left: 1,
    right: -1,
  }),
  signed('both-conjugated', 'A and B were conjugated by mistake, or not conjugated where they should be', {
    both: -1,
    left: -1,
    right: -1,
  }),
  singlePrediction(
    'parts-swapped',
    'real and imaginary parts were swapped',
    ({ expected, gemm: { m } }) =>
      (i, j, p) =>
        expected(otherPart(i, m), j, p),
  ),
  singlePrediction(
    'd-conjugated',
    'D was conjugated',
    ({ expected, gemm: { m } }) =>
      (i, j, p) =>
        i < m / 2 ? expected(i, j, p) : -expected(i, j, p),
  ),
  signed('products-added', 'the products of imaginary parts were added to the real part, not subtracted', {
    both: 1,
    left: 1,
    right: 1,
  }),
  signed('real-parts-alone', 'only real parts were multiplied', { both: 0, left: 0, right: 0 }),
];
