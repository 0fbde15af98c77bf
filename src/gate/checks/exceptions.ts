import { precisions } from '../../formats/precision.ts';
import type { Real } from '../../matrix/dense.ts';
import type { Evidence } from '../evidence.ts';
import { type Check, notApplicable } from './check.ts';

/** NaN and infinities where IEEE 754 puts them. */
export const exceptions: Check = {
  name: 'exceptions',
  asks: 'On inputs with NaN and infinities, are they where IEEE 754 says, and nowhere else?',
  decisive: true,
  judge(evidence) {
    const { pair, kernel, plan } = evidence;
    if (!pair.hasSpecials) return notApplicable('The input has no NaN and no infinity.');
    if (!kernel.arithmetic.exceptionsFollowIeee) {
      const message =
        kernel.claims?.exceptions === false
          ? 'This kernel promises nothing about NaN and infinities: nothing to hold it to.'
          : 'This device computes NaN and infinities its own way, as WGSL lets it: nothing to hold it to.';
      return { status: 'inconclusive', message };
    }
    const classical = kernel.algorithm === 'classical' && plan.levels === 0;
    const [expected, by] = classical
      ? [evidence.exact.product.data, 'the exact product']
      : [
          evidence.analysis.mirror.data,
          'the mirror of the plan (a fast algorithm spreads NaN and infinities)',
        ];
    const wrong = firstDisagreement(evidence, expected);
    if (wrong === undefined) return { status: 'pass', message: `NaN and infinities are those of ${by}.` };
    const { i, j, computed } = wrong;
    const message = `Entry (${i}, ${j}) is ${computed}, where ${by} has ${expected[i * plan.shape.n + j]}.`;
    return { status: 'fail', message };
  },
};

function firstDisagreement(
  { execution, kernel, plan }: Evidence,
  expected: Real,
): { i: number; j: number; computed: number } | undefined {
  const { data } = execution.c;
  const { round } = precisions[kernel.arithmetic.precision].stored;
  const kind = (x: number) => (Number.isFinite(round(x)) ? 0 : round(x));
  const at = data.findIndex((x, e) => !Object.is(kind(x), kind(expected[e])));
  if (at < 0) return undefined;
  return { i: Math.floor(at / plan.shape.n), j: at % plan.shape.n, computed: data[at] };
}
