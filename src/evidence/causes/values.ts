import { type Cause, oneWay } from './cause.ts';

/** What is found where nothing was computed, or something else, and values that are right but for a factor. */
export const valueCauses: readonly Cause[] = [
  oneWay(
    'sign',
    'with the opposite sign',
    ({ expected }) =>
      (i, j, p) =>
        -expected(i, j, p),
  ),
  oneWay('zero', 'zero instead of a value', () => () => 0),
  oneWay('c-left', 'as if D were left as C was before', ({ c, gemm: { beta } }) =>
    beta === 0 ? undefined : c,
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
  {
    name: 'previous-answer',
    *predict({ evidence: { previous }, expected, gemm: { m, n } }) {
      if (previous === undefined) return;
      const { c, shape } = previous;
      const before = (i: number, j: number, p: number): number | undefined => c.data[(p * m + i) * n + j];
      yield { says: `what the product before, ${shape}, has at that place`, entry: before };
      yield {
        says: `as if the product before, ${shape}, were added`,
        entry: (i, j, p) => {
          const left = before(i, j, p);
          return left === undefined ? undefined : left + expected(i, j, p);
        },
      };
    },
  },
];

/** What any mistake leaves that reads what it should not. */
export const nothingKnown: readonly Cause[] = [
  {
    name: 'nan',
    *predict() {
      const says = 'NaN, which lies outside of the operands, and in C where beta = 0';
      yield { says, entry: () => Number.NaN, special: true };
    },
  },
];
