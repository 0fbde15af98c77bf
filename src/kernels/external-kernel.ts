import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/growth.ts';
import type { Registry } from '../base/registry.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import type { Computation } from '../precision/precision.ts';
import { acceptsOf, epiloguesOf, whyNotComputed } from './check-kernel.ts';
import { type Claims, claimedAlgorithmFor } from './claims.ts';
import type { Kernel, KernelSession } from './kernel.ts';
import type { UserKernel } from './user-kernel.ts';

/**
 * Wraps an external kernel for the gate. It is held to the plan of its claims, padded, with sums in any order.
 * @param algorithms registry of the algorithms it may claim.
 * @defaultValue the built-in ones
 */
export function externalKernel(
  spec: UserKernel,
  session: KernelSession,
  computation: Computation,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): Kernel {
  const { name, claims = {} } = spec;
  const { algorithm, table } = claimedAlgorithmFor(claims, { m: 1, k: 1, n: 1 }, algorithms);
  return {
    name,
    algorithm,
    growth: sharedGrowth(table),
    claims,
    leaf: '',
    ...computation,
    followsPlan: false,
    plan: (shape) => claimedPlan(claims, shape, algorithms, computation.precision.complex),
    takes: acceptsOf(spec),
    epilogues: epiloguesOf(spec),
    refuses: (asked) => whyNotComputed(spec, asked) ?? notExact(asked, computation),
    ...('multiply' in spec && spec.entries !== undefined ? { entries: spec.entries } : {}),
    session,
  };
}

/** Explains why alpha or beta cannot be used with exact sums, where they are fractions. */
function notExact(asked: Shape | Gemm, { precision }: Computation): string | undefined {
  const { alpha = 1, beta = 0 }: Partial<Gemm> = asked;
  const areWhole = Number.isInteger(alpha) && Number.isInteger(beta);
  if (areWhole || precision.accumulated.unitRoundoff > 0) return undefined;
  return `sums of ${precision.name} are exact, so alpha and beta must be whole numbers`;
}

/**
 * Returns the plan claimed for a shape.
 * @param isComplex true if the shape is that of the real product that stands for a complex one.
 * @throws ParanoiaError `unknown-name`, `bad-number`
 */
export function claimedPlan(
  claims: Claims,
  shape: Shape,
  algorithms: Registry<Algorithm> = algorithmRegistry,
  isComplex = false,
): Plan {
  const { m, k, n } = shape;
  const asked = isComplex ? { m: m / 2, k: k / 2, n } : shape;
  const { table, levels } = claimedAlgorithmFor(claims, asked, algorithms);
  return compile({
    algorithm: table,
    shape,
    depth: { levels },
    fringe: 'pad',
    tail: 'mask',
  });
}
