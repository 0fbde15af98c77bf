import { OURS } from '../../base/registry.ts';
import { type Check, notApplicable } from './check.ts';

/** Check of a product without entries: it must be computed, and must write nothing. */
export const empty: Check = {
  name: 'empty',
  what: 'Where D has no entries, was it computed at all, and nothing written?',
  source: OURS,
  decisive: true,
  judges: 'product',
  judge({ outcomes: [{ c, overwritten, changed = 0 }], gemm: { m, n, batch } }) {
    if (m * n * batch > 0) return notApplicable('D has entries.');
    const written = c.data.length + overwritten + changed;
    if (written === 0) return { status: 'pass', message: 'D has no entries, and none was written.' };
    return { status: 'fail', message: `D has no entries, but ${written} were written.` };
  },
};
