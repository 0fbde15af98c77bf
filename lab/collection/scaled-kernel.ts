import { ParanoiaError } from '../../src/base/errors.ts';
import type { ProductOutcome } from '../../src/gpu/runner/product.ts';
import type { Kernel, KernelJob } from '../../src/kernels/kernel.ts';
import { type Diagonal, type ScaledPair, scaleBack, scalePair } from '../../src/matrix/diagonal.ts';
import { whyNotAccepted } from '../../src/matrix/features.ts';

/**
 * Wraps a kernel: its operands are scaled by powers of two, and its products are scaled back. Bounds follow from the scaled
 * operands, so a row that was scaled up may err more than before. It accepts only A·B of dense matrices, since beta·C would be
 * added in other units.
 */
export function scaledKernel(kernel: Kernel, diagonal: Diagonal): Kernel {
  const { session, executable: _, ...rest } = kernel;
  return {
    ...rest,
    name: `${kernel.name}-${diagonal}`,
    diagonal,
    takes: undefined,
    refuses: (asked) =>
      (kernel.precision.coded === undefined ? undefined : 'codes cannot be scaled') ??
      ('batch' in asked ? whyNotAccepted({}, asked) : undefined) ??
      kernel.refuses?.(asked),
    session: {
      async run(jobs, meanwhile) {
        const pairs = jobs.map((job) => pairOf(job, diagonal));
        const outcomes = await session.run(
          jobs.map((job, at) => ({ ...job, kernel, operands: { ...job.operands, ...entriesOf(pairs[at]) } })),
          meanwhile,
        );
        return outcomes.map((outcome, at) => backIn(outcome, pairs[at], jobs[at]));
      },
    },
  };
}

const entriesOf = ({ a, b }: ScaledPair) => ({ a, b });

const pairOf = ({ operands, kernel: { precision } }: KernelJob, diagonal: Diagonal): ScaledPair =>
  scalePair(operands, diagonal, { a: precision.a.round, b: precision.b.round });

function backIn(
  outcome: ProductOutcome,
  pair: ScaledPair,
  { kernel: { precision } }: KernelJob,
): ProductOutcome {
  if (outcome instanceof ParanoiaError) return outcome;
  const c = scaleBack(outcome.c, pair);
  return { ...outcome, c: { ...c, data: c.data.map(precision.d.round) } };
}
