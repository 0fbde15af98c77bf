import { growthOfKernel, sharedGrowth } from '../algorithms/growth.ts';
import { loadPart } from '../base/part.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { inputRefused } from '../inputs/messages.ts';
import { describeGemm, type Gemm } from '../matrix/gemm.ts';
import { fullInnerSize } from '../matrix/structured-operands.ts';
import { type Case, formatCase } from '../problem/case.ts';
import { badCase } from '../problem/messages.ts';
import { requirePossible } from '../problem/why-impossible.ts';
import { builtinPlan, parseKernelName } from './builtin-plan.ts';
import { whyNotComputed } from './check-kernel.ts';
import { claimedAlgorithmFor } from './claims.ts';
import { builtinCatalog, type KernelCatalog } from './kernel-catalog.ts';
import { kernelRefuses } from './messages.ts';
import type { UserKernel } from './user-kernel.ts';
import { whyUnsupported } from './why-unsupported.ts';

/** Plans of up to this many levels always exist. */
const FEW_LEVELS = 5;

/**
 * Checks a case that somebody wrote, with its planted fault; the code of faults loads only for a case that names one.
 * @returns its product
 * @throws ParanoiaError `unknown-name` for a fault, and as {@link checkCase} does
 */
export async function checkWrittenCase(value: Case, catalog: KernelCatalog = builtinCatalog): Promise<Gemm> {
  const asked = checkCase(value, catalog);
  if (value.fault !== undefined) {
    const { findFault } = await loadPart('plants faults', () => import('./faults/faults.ts'));
    findFault(value.fault);
  }
  return asked;
}

/**
 * Checks that a case can run, its planted fault aside, before any case runs: a run that stops at a wrong one would lose the others.
 * @returns its product
 * @throws ParanoiaError `unknown-name`, `input-refused`, `bad-number`, `kernel-refuses`, `bad-case`, `not-served`
 */
export function checkCase(value: Case, catalog: KernelCatalog = builtinCatalog): Gemm {
  const {
    kernel,
    problem: { input, m, n },
    method: { levels },
  } = value;
  const asked = requirePossible(value);
  const spec = catalog.external(kernel);
  if (spec === undefined) checkOurs(value, asked, catalog);
  else checkExternal(value, asked, spec);
  const k = fullInnerSize(asked);
  const answer = inputOf(value.problem, catalog.inputs).accepts({
    m,
    k,
    n,
    levels,
    growth: spec === undefined ? growthOfKernel(kernel, catalog.algorithms) : growthOfClaims(spec, catalog),
    precision: catalog.precisions.find(value.problem.precision),
  });
  if (!answer.ok) {
    throw inputRefused({ input, shape: `${m}×${k}×${n}`, reason: answer.reason });
  }
  if (spec === undefined && levels > FEW_LEVELS) {
    builtinPlan(kernel, value.problem, value.method, undefined, undefined, catalog.algorithms);
  }
  return asked;
}

function checkOurs({ kernel, problem }: Case, asked: Gemm, { algorithms, precisions }: KernelCatalog): void {
  parseKernelName(kernel, algorithms);
  const why = whyUnsupported(asked, precisions.find(problem.precision));
  if (why !== undefined) throw kernelRefuses({ kernel, shape: describeGemm(asked), why });
}

/** Returns the growth that the operands of an external kernel allow for. */
const growthOfClaims = ({ claims }: UserKernel, { algorithms }: KernelCatalog) =>
  sharedGrowth(
    claims?.algorithm === undefined
      ? undefined
      : claimedAlgorithmFor(claims, { m: 1, k: 1, n: 1 }, algorithms).table,
  );

/** Checks a case of an external kernel, which has one precision, its own shapes and no planted faults. */
function checkExternal(value: Case, asked: Gemm, spec: UserKernel): void {
  const {
    kernel,
    fault,
    problem: { precision },
  } = value;
  const why = whyNotComputed(spec, asked);
  if (why !== undefined) throw kernelRefuses({ kernel, shape: describeGemm(asked), why });
  const own = spec.precision ?? 'f32';
  const unfit =
    fault !== undefined
      ? 'faults can be planted only in built-in kernels'
      : precision !== own
        ? `${kernel} computes in ${own}`
        : undefined;
  if (unfit !== undefined) throw badCase({ given: formatCase(value), why: unfit });
}
