import { diagnose } from '../diagnose.ts';
import { toReal } from '../results.ts';
import { type Check, notApplicable } from './check.ts';

/**
 * Zero tolerance where no rounding can happen: whatever the order of the sum, fused or not, the result is the exact
 * product, so the chance of a false alarm is zero.
 */
export const exactness: Check = {
  name: 'exact',
  asks: 'On inputs whose sums stay exact, is every entry the exact product?',
  decisive: true,
  judge(evidence) {
    const { family, kernel, measures, execution, exact, plan } = evidence;
    const classical = kernel.algorithm === 'classical' && plan.levels === 0;
    const held = family.exactness === 'integers' || (family.exactness === 'classical' && classical);
    if (!held) return notApplicable('Rounding is expected on this input.');
    if (evidence.pair.hasSubnormals && kernel.arithmetic.flushesSubnormals) {
      return notApplicable('The device flushes subnormals, which this input has.');
    }
    const { unequal, max, entries } = measures.exact;
    const numbers = { found: toReal(max), allowed: 0 };
    if (unequal === 0) {
      return { status: 'pass', message: `All ${entries} entries are the exact product.`, ...numbers };
    }
    const wrong = Uint8Array.from(execution.c.data, (x, at) => (x === exact.product.data[at] ? 0 : 1));
    const message = `${unequal} of ${entries} entries differ from the exact product: ${diagnose(evidence, wrong)}.`;
    return { status: 'fail', message, ...numbers };
  },
};
