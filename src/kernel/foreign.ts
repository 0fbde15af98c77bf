import { findAlgorithm } from '../algorithms/algorithms.ts';
import type { Arithmetic } from '../formats/arithmetic.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { Analysis } from '../readers/analysis.ts';
import { refusal } from './check-kernel.ts';
import { type Claims, claimedFor } from './claims.ts';
import type { Kernel, Latitude } from './kernel.ts';
import { plainLayout } from './operand-layout.ts';
import type { Session } from './session.ts';
import type { UserKernel } from './user-kernel.ts';

/**
 * What a fast algorithm is allowed beyond the errors of our own schedule of it. Others may add the products of a block
 * of C, or the blocks of a factor, in another order, and peel where we pad. Adding t terms in another order changes an
 * error by at most (t − 1)·u·Σ|term|, and |product| ≤ |S||T| is 1/(k₀·u) of the bound on that product's own error: for
 * leaf products of k₀ ≥ 4 terms and t ≤ 4 that makes at most ∏ (1 + 3/(2^l·k₀)) < 3.4 over all levels. Expected errors
 * differ by far less.
 */
const FAST: Latitude = { bound: 4, sigma: 1.5 };

type TimedProduct = NonNullable<Session['time']>;

/** A user's kernel as the gate sees it: held to the plan of what it claims, padded, in any order of sums. */
export function foreignKernel(spec: UserKernel, session: Session, arithmetic: Arithmetic): Kernel {
  const { name, claims = {} } = spec;
  const { algorithm } = claimedFor(claims, { m: 1, k: 1, n: 1 });
  return {
    name,
    algorithm,
    claims,
    leaf: '',
    arithmetic,
    // A program's operands are files, which have no gaps.
    layouts: 'layouts' in spec && spec.layouts === true && ('program' in spec ? 'dense' : true),
    latitude: latitudeOf(claims),
    plan: (shape) => foreignPlan(claims, shape),
    refuses: (shape) => refusal(spec, shape),
    async multiply(a, b, plan, meanwhile, layout = plainLayout) {
      const { m, k, n } = plan.shape;
      const why = refusal(spec, plan.shape);
      if (why !== undefined) throw problem('kernel-refuses', { kernel: name, shape: `${m}×${k}×${n}`, why });
      const answer = session.multiply(a, b, { m, k, n, layout });
      // A failure that comes while this thread does something else is one for whoever awaits the answer.
      answer.catch(() => {});
      meanwhile?.();
      return answer;
    },
    ...(session.time && {
      time: (a, b, { shape }, timing) =>
        (session.time as TimedProduct)(a, b, { ...shape, layout: plainLayout }, timing),
    }),
  };
}

/** What a kernel of these claims is allowed beyond the errors of its plan; a classical product's bound holds in any order. */
export function latitudeOf({ algorithm = 'classical' }: Claims): Latitude | undefined {
  return algorithm === 'classical' ? undefined : FAST;
}

/** The plan that is claimed for a shape. @throws Problem `unknown-name`, `bad-number` */
export function foreignPlan(claims: Claims, shape: Shape): Plan {
  const { algorithm, levels } = claimedFor(claims, shape);
  return compile({
    algorithm: findAlgorithm(algorithm),
    shape,
    depth: { levels },
    border: 'pad',
    edge: 'guard',
  });
}

/** An analysis with what a kernel is allowed beyond its plan's errors. */
export function allowing(analysis: Analysis, latitude: Latitude | undefined): Analysis {
  if (latitude === undefined) return analysis;
  const times = (by: number, matrix: Matrix<Float64Array>) => ({
    ...matrix,
    data: matrix.data.map((x) => by * x),
  });
  return {
    ...analysis,
    bound: times(latitude.bound, analysis.bound),
    sigma: times(latitude.sigma, analysis.sigma),
  };
}
