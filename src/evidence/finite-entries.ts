import { largestOf } from '../exact/sizes.ts';
import type { Matrix } from '../matrix/dense.ts';
import { membersOf } from '../matrix/members.ts';
import { operandErrorOf } from '../precision/device-errors.ts';
import { largestScale } from '../readers/any-convention.ts';
import { anyReach, limitsOf } from '../readers/any-schedule.ts';
import { alphaAt } from '../readers/convention.ts';
import type { Evidence } from './evidence.ts';

type Computed = Pick<Evidence, 'operands' | 'gemm' | 'machine' | 'claims' | 'plan'>;

const finite = (x: Matrix): Matrix => ({
  ...x,
  data: x.data.map((entry) => (Number.isFinite(entry) ? entry : 0)),
});

/** True if finite entries of the operands may make an intermediate value of a fast product overflow, in some order of its sums. */
export function mayOverflow({ operands, gemm, machine, claims, plan }: Computed): boolean {
  const scale = largestScale(gemm, claims);
  const limits = limitsOf(machine, Math.max(scale.entries, scale.sums));
  const { accumulated, d } = machine.precision;
  const { algorithm: table, levels } = plan;
  return [...membersOf(operands, gemm)].some(({ a, b, c }) => {
    const reach = anyReach({ table, levels, a: finite(a), b: finite(b), computation: machine }, limits);
    const added =
      c === undefined ? 0 : largestOf(Float64Array.from(finite(c).data, (x) => Math.abs(gemm.beta * x)));
    // The mirror is of A·B without alpha.
    return !(reach * Math.max(1, scale.sums) + added < Math.min(accumulated.maxFinite, d.maxFinite) / 2);
  });
}

/**
 * True if a nonzero sum of blocks may become zero before it is multiplied. Sums are multiples of the last place of their smallest term:
 * where all entries are 2^p times the smallest normal number or more, none is subnormal.
 */
export function mayVanish({ operands: { a, b }, gemm, machine, claims }: Computed): boolean {
  const { arithmetic, precision } = machine;
  const isScaled = gemm.alpha !== 1 && alphaAt(claims) !== 'last';
  if (arithmetic.subnormals === 'kept' && !isScaled && operandErrorOf(machine) === undefined) return false;
  const { accumulated, multiplied } = precision;
  const least = Math.max(accumulated.minNormal, multiplied.minNormal) * 2 ** accumulated.precision;
  const by = isScaled ? Math.min(1, Math.abs(gemm.alpha)) : 1;
  return [a, b].some(({ data }) => data.some((x) => x !== 0 && Math.abs(x) * by < least));
}
