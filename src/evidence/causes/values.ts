import { readsFactors } from '../../matrix/members.ts';
import { type Cause, type EntryOf, oneWay } from './cause.ts';

/** Entries that were not computed, and entries that are right up to a factor. */
export const valueCauses: readonly Cause[] = [
  oneWay(
    'sign',
    'with the opposite sign',
    ({ expected }) =>
      (i, j, p) =>
        -expected(i, j, p),
  ),
  oneWay('zero', 'zero instead of a value', () => () => 0),
  oneWay('c-left', 'as if D were left as C was before', ({ c, gemm: { beta, imaginary } }) =>
    beta === 0 && imaginary === undefined ? undefined : c,
  ),
  oneWay(
    'twice',
    'twice what it should be',
    ({ expected }) =>
      (i, j, p) =>
        2 * expected(i, j, p),
  ),
  oneWay(
    'half',
    'half of what it should be',
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
    const before: EntryOf = (i, j, p) => {
      const at = (p * m + i) * n + j;
      return reference.value[at] === expected(i, j, p) ? undefined : c.data[at];
    };
    yield { says: `what the product before, ${shape}, has at that place`, entry: before };
    const added: EntryOf = (i, j, p) => {
      const left = before(i, j, p);
      return left === undefined ? undefined : left + expected(i, j, p);
    };
    yield { says: `as if the product before, ${shape}, were added`, entry: added };
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
        ? 'NaN, which lies outside of the operands, and in C where beta = 0'
        : 'NaN, which lies in A and B where alpha = 0, since they are not to be read then';
      yield { says, entry: () => Number.NaN, special: true };
    },
  },
];
