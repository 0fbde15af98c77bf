import type { Algorithm } from '../algorithms/algorithm.ts';
import { sharedGrowth } from '../algorithms/growth.ts';
import { ParanoiaError } from '../base/errors.ts';
import type { Registry } from '../base/registry.ts';
import type { ProductOutcome } from '../gpu/runner/product.ts';
import { embedLeft, embedRight, splitComplexParts } from '../matrix/complex.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { stackRows } from '../matrix/members.ts';
import { doublePrecision } from '../precision/double.ts';
import { singlePrecision } from '../precision/single.ts';
import { claimedPlan } from './external-kernel.ts';
import { gemmOfInput, type Kernel, type KernelJob, type ProductInput } from './kernel.ts';
import { kernelRefuses } from './messages.ts';

/** Returns the real matrix that stands for a complex one with imaginary parts of 0, product by product. */
function withZeros(x: Matrix, rows: number, embed: (re: Matrix, im: Matrix) => Matrix): Matrix {
  const size = rows * x.cols;
  const parts = Array.from({ length: rows === 0 ? 0 : x.rows / rows }, (_, p) => {
    const re = matrix(rows, x.cols, x.data.slice(p * size, (p + 1) * size));
    return embed(re, matrix(rows, x.cols, re.data.slice().fill(0)));
  });
  const [first = embed(x, x)] = parts;
  return parts.length < 2 ? first : stackRows(parts, { m: first.rows, n: first.cols });
}

/** Returns the job of a complex kernel for a real product. */
function asComplex(job: KernelJob, kernel: Kernel): KernelJob {
  const embedded = (factors: ProductInput) => {
    const gemm = gemmOfInput(factors);
    const { a, b, c } = factors.operands;
    const right = (x: Matrix, rows: number) => withZeros(x, rows, embedRight);
    return {
      operands: {
        a: withZeros(a, gemm.m, embedLeft),
        b: right(b, gemm.k),
        ...(c === undefined ? {} : { c: right(c, gemm.m) }),
      },
      gemm: {
        ...gemm,
        ...{ m: 2 * gemm.m, k: 2 * gemm.k },
        complex: { ...gemm, entries: kernel.entries ?? 'interleaved' },
      },
    };
  };
  const listed = <J extends ProductInput>(list: { before: readonly J[]; after: readonly J[] } | undefined) =>
    list && {
      before: list.before.map((one) => ({ ...one, ...embedded(one) })),
      after: list.after.map((one) => ({ ...one, ...embedded(one) })),
    };
  return {
    ...job,
    ...embedded(job),
    kernel,
    beside: listed(job.beside),
    inFlight: listed(job.inFlight),
  };
}

/**
 * Returns a complex kernel as a real one, and any other unchanged. It gets imaginary parts of 0, and the real parts of its products are
 * taken. This tests how it multiplies real parts; 3M without imaginary parts is classical.
 * @throws ParanoiaError `kernel-refuses` for a built-in kernel, which is a real one in another precision
 */
export function realPartOf(kernel: Kernel, algorithms: Registry<Algorithm>): Kernel {
  const { precision, session, claims = {}, algorithm } = kernel;
  if (precision.complex !== true) return kernel;
  const real = precision.a.bytes > 4 ? doublePrecision : singlePrecision;
  if (kernel.executable !== undefined) {
    const why = `in ${precision.name} it computes a real product that represents the complex one. Inspect it in ${real.name}`;
    throw kernelRefuses({ kernel: kernel.name, shape: 'real matrices', why });
  }
  const { algorithm: _, levels: __, ...classical } = claims;
  const own = algorithm === '3m' ? classical : claims;
  return {
    ...kernel,
    precision: { ...precision, complex: false },
    ...(algorithm === '3m' ? { algorithm: 'classical', growth: sharedGrowth() } : {}),
    claims: own,
    complex: kernel,
    plan: (shape) => claimedPlan(own, shape, algorithms),
    session: {
      ...session,
      run: async (jobs, meanwhile) => {
        const outcomes = await session.run(
          jobs.map((job) => asComplex(job, kernel)),
          meanwhile,
        );
        return outcomes.map((outcome, at) => realOutcome(outcome, jobs[at]));
      },
    },
  };
}

function realOutcome(outcome: ProductOutcome, job: KernelJob): ProductOutcome {
  if (outcome instanceof ParanoiaError) return outcome;
  const [c] = splitComplexParts('c', outcome.c, gemmOfInput(job));
  return { ...outcome, c };
}
