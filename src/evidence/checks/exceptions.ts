import { OURS } from '../../base/registry.ts';
import type { Real } from '../../matrix/dense.ts';
import { type Evidence, isClassical } from '../evidence.ts';
import { type Check, NOT_ANALYSED, notApplicable } from './check.ts';

/** NaN and infinities where IEEE 754 puts them. */
export const exceptions: Check = {
  name: 'exceptions',
  what: 'On inputs with NaN and infinities, are they where IEEE 754 says, and nowhere else?',
  source: OURS,
  decisive: true,
  judge(evidence) {
    const { operands, claims, plan, machine, reference, analysis, gemm } = evidence;
    if (operands.hasSpecials !== true) return notApplicable('The input has no NaN and no infinity.');
    if (!machine.arithmetic.exceptions) {
      const message =
        claims.arithmetic?.exceptions === false
          ? 'This kernel promises nothing about NaN and infinities: nothing to hold it to.'
          : 'This device computes NaN and infinities its own way, as WGSL lets it: nothing to hold it to.';
      return { status: 'inconclusive', message };
    }
    const classical = isClassical(evidence);
    const exact = reference.checked === 1 ? reference.value : undefined;
    const expected = classical ? exact : analysis?.mirror.data;
    if (expected === undefined) return notApplicable(NOT_ANALYSED);
    const by = classical
      ? 'the exact product'
      : 'the mirror of the plan (a fast algorithm spreads NaN and infinities)';
    const wrong = firstDisagreement(evidence, expected);
    if (wrong === undefined) return { status: 'pass', message: `NaN and infinities are those of ${by}.` };
    const { i, j, computed } = wrong;
    const message = `Entry (${i % plan.shape.m}, ${j})${gemm.batch === 1 ? '' : ` of product ${Math.floor(i / plan.shape.m)}`} is ${computed}, where ${by} has ${expected[i * plan.shape.n + j]}.`;
    return { status: 'fail', message };
  },
};

function firstDisagreement(
  { outcomes: [{ c }], machine, plan }: Evidence,
  expected: Real,
): { i: number; j: number; computed: number } | undefined {
  const { data } = c;
  const { round } = machine.precision.d;
  const kind = (x: number) => (Number.isFinite(round(x)) ? 0 : round(x));
  const at = data.findIndex((x, e) => !Object.is(kind(x), kind(expected[e])));
  if (at < 0) return undefined;
  return { i: Math.floor(at / plan.shape.n), j: at % plan.shape.n, computed: data[at] };
}
