import { findAlgorithm } from '../src/algorithms/algorithms.ts';
import { badArgument } from '../src/base/messages.ts';
import type { OpenDevice } from '../src/gpu/device.ts';
import { type Product, requireProduct } from '../src/gpu/runner/product.ts';
import { runDeviceJobs } from '../src/gpu/runner/run.ts';
import { compileProgram } from '../src/gpu/wgsl/dispatches.ts';
import { findLeaf, leafOfSums } from '../src/gpu/wgsl/leaves/leaves.ts';
import { findStyled, isFusedLeaf, parseKernelName, styledLeaves } from '../src/kernels/builtin-plan.ts';

import { type Matrix, productShape, type Shape } from '../src/matrix/dense.ts';
import type { Scaling } from '../src/matrix/factor.ts';
import { compile } from '../src/plan/compile.ts';
import type { Plan } from '../src/plan/plan.ts';

/** A product to compute, with its kernel. */
export interface ScaledRequest extends Scaling {
  /** A fused kernel: `strassen:fused`. */
  readonly kernel: string;
  /** Levels, at most as many as the kernel fuses: two, with `fused-hybrid` one. @defaultValue 0 */
  readonly levels?: number | undefined;
  readonly a: Matrix;
  readonly b: Matrix;
  /** Read where beta is not 0. */
  readonly c?: Matrix | undefined;
}

/** The result, and the executed plan, from which the model and the bounds are read. */
export interface ScaledAnswer extends Product {
  readonly plan: Plan;
}

/**
 * Returns the plan of alpha·A·B + beta·C, as BLAS's gemm defines it. Every block product is rounded, then rounded again times alpha. The
 * entry of C times beta is rounded, and the products are added to it one after the other. Factors of 1 are left out. With beta = 0, C is
 * not read, so that NaN in it has no effect. With alpha = 0, A·B is computed all the same, so that NaN in it has an effect.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `bad-argument`
 */
export function scaledPlan(kernel: string, shape: Shape, levels: number, scaling: Scaling): Plan {
  const { algorithm, leaf } = parseKernelName(kernel);
  const fused = findStyled(leaf);
  if (fused === undefined || !isFusedLeaf(fused)) {
    const need = `one of fused products: ${styledLeaves
      .filter(isFusedLeaf)
      .map(({ name }) => `${algorithm}:${name}`)
      .join(', ')}`;
    throw badArgument({ what: `a kernel that scales, not ${kernel}`, need });
  }
  const { alpha, beta } = scaling;
  return compile({
    algorithm: findAlgorithm(algorithm),
    shape,
    depth: { levels },
    style: fused.style,
    scaling: { alpha, beta },
  });
}

/**
 * Computes C = alpha·A·B + beta·C in binary32 on an open device: A m×k, B k×n. The given C is not changed.
 * @param request alpha and beta are binary32 numbers.
 * @throws ParanoiaError `unknown-name`, `bad-number`, `bad-argument`, `shapes-differ`, or the device's errors.
 */
export async function multiplyScaled(open: OpenDevice, request: ScaledRequest): Promise<ScaledAnswer> {
  const { kernel, levels = 0, a, b, c, beta } = request;
  const shape = productShape(a, b);
  const plan = scaledPlan(kernel, shape, levels, request);
  if (beta !== 0 && (c?.rows !== shape.m || c.cols !== shape.n)) {
    const need = `an ${shape.m}×${shape.n} matrix, of which beta times is added`;
    throw badArgument({ what: 'C', need });
  }
  const blocking = findStyled(parseKernelName(kernel).leaf)?.blocking;
  const leaf = leafOfSums(plan.leaf, open.tuning) ?? findLeaf('naive', shape);
  const made = compileProgram(plan, leaf, undefined, blocking);
  const before = beta === 0 ? {} : { c };
  const [outcome] = await runDeviceJobs(open, [{ plan, made, a, b, ...before, kernel }]);
  return { ...requireProduct(outcome), plan };
}
