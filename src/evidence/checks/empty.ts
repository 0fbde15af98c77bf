import { OURS } from '../../base/registry.ts';
import { type Check, notApplicable } from './check.ts';

/** Check of a product without entries: it must be computed, and must write nothing. */
export const empty: Check = {
  name: 'empty',
  what: 'D without entries: does the kernel return, and write nothing?',
  source: OURS,
  decisive: true,
  judges: 'product',
  judgesEpilogues: true,
  judge({ outcomes: [{ c, overwritten, changed = 0 }], gemm: { m, n, batch } }) {
    if (m * n * batch > 0) return notApplicable('D has entries.');
    const written = c.data.length + overwritten + changed;
    if (written === 0) return { status: 'pass', message: 'D has no entries, and the kernel wrote none.' };
    return { status: 'fail', message: `D has no entries, but the kernel wrote ${written}.` };
  },
};
