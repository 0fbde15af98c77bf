import { readsFactors } from '../../matrix/members.ts';
import { type Cause, type EntryPrediction, singlePrediction } from './cause.ts';

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
