import { requestedGemm } from '../../matrix/gemm.ts';
import { structureOf } from '../../matrix/structure.ts';
import { type Check, notApplicable } from './check.ts';

/** Check that the diagonal of a Hermitian result has imaginary parts of 0, as BLAS requires, without rounding errors. */
export const realDiagonal: Check = {
  name: 'real-diagonal',
  what: 'Hermitian results: are the imaginary parts of the diagonal 0?',
  source: 'LAPACK, CHERK and CHER2K',
  decisive: false,
  judges: 'entries',
  judge({ gemm, outcomes: [{ c }] }) {
    const asked = requestedGemm(gemm);
    const { isHermitian, writes } = structureOf(asked) ?? {};
    if (isHermitian !== true || writes === undefined) return notApplicable('The result is not Hermitian.');
    const { n } = asked;
    const parts = Array.from({ length: n }, (_, i) => c.data[(n + i) * n + i]);
    const at = parts.findIndex((part) => part !== 0);
    if (at < 0) return { status: 'pass', message: 'All imaginary parts of the diagonal are 0.' };
    const message = `The diagonal is not real: entry (${at}, ${at}) has the imaginary part ${parts[at]}, expected 0.`;
    return { status: 'fail', message };
  },
};
