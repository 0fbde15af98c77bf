import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry, isOfComplex } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/growth.ts';
import { catchParanoiaError, ParanoiaError } from '../base/errors.ts';
import { loadPart } from '../base/part.ts';
import type { Registry } from '../base/registry.ts';
import type { DeviceComputation } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { DeviceJob, Executable } from '../gpu/runner/device-job.ts';
import type { ProductOutcome } from '../gpu/runner/product.ts';
import { runDeviceJobs } from '../gpu/runner/run.ts';
import { timeJob } from '../gpu/runner/time.ts';
import { operationsAtOnce } from '../gpu/tuning/tuning.ts';
import { compileProgram } from '../gpu/wgsl/dispatches.ts';
import type { EpilogueShader } from '../gpu/wgsl/epilogue-shader.ts';
import { takesBlock } from '../gpu/wgsl/fused/dispatches.ts';
import { whyExceeded } from '../gpu/wgsl/leaves/leaf.ts';
import { findLeaf, leafOfRuns, leafOfSums } from '../gpu/wgsl/leaves/leaves.ts';
import type { Shape } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { type Plan, styles } from '../plan/plan.ts';
import { singlePrecision } from '../precision/single.ts';
import { type Numeric, single } from '../precision/wgsl/numeric.ts';
import { findStyled, isFusedLeaf, leafShape, parseKernelName, planFor } from './builtin-plan.ts';
import { codesOnDevice, onLoadNumeric } from './codes-on-device.ts';
import type { behindSteps as addSteps } from './device-epilogue.ts';
import { createPlanter, type Tampering } from './faults/fault.ts';
import { type Kernel, type KernelJob, type KernelSession, listOf } from './kernel.ts';
import { leafRefused } from './messages.ts';

import { featuresOfBuiltins, whyUnsupported } from './why-unsupported.ts';

/** True if a built-in kernel adds in a fixed order, so that the same product has the same bits again. @throws as {@link builtinKernel} */
export function repeatsBits(name: string, algorithms: Registry<Algorithm>): boolean {
  const styled = findStyled(parseKernelName(name, algorithms).leaf);
  return styled === undefined || styles[styled.style].ordered;
}

/**
 * Returns a built-in kernel on an open device: `algorithm:leaf`, as `strassen:register` or `classical:tiled-8`.
 * @param tampering plants a fault: the kernel then claims the untouched plan and executes the changed one.
 * @param computation its precision and arithmetic, see {@link computationIn}; binary32 by default.
 * @param algorithms registry of the algorithms it may name.
 * @defaultValue the built-in ones
 * @throws ParanoiaError `unknown-name`
 */
export function builtinKernel(
  name: string,
  open: OpenDevice,
  tampering?: Tampering,
  { precision, arithmetic, numeric }: DeviceComputation = {
    precision: singlePrecision,
    arithmetic: open.arithmetic,
    numeric: single,
  },
  algorithms: Registry<Algorithm> = algorithmRegistry,
): Kernel {
  const { algorithm, table: claimed, leaf } = parseKernelName(name, algorithms);
  const executed = tampering?.algorithm?.(claimed) ?? claimed;
  const plant = tampering && createPlanter(tampering);
  const styled = findStyled(leaf);
  const unordered = !repeatsBits(name, algorithms);
  if (unordered && numeric.words > 1) {
    const why = `adds atomically to single words, but entries of ${precision.name} need two`;
    throw leafRefused({ kernel: name, why });
  }
  const { tuning } = open;
  const leafFor = ({ shape, levels }: Plan) => {
    const product = leafShape(claimed, shape, levels);
    const found =
      styled === undefined
        ? findLeaf(leaf, product, tuning)
        : styled.run !== undefined
          ? leafOfRuns(product, open, tuning)
          : // Fused products use only the leaf's block shape.
            ((isFusedLeaf(styled) ? leafOfSums(product, tuning) : undefined) ??
            findLeaf('register', product, tuning));
    const why = whyExceeded(found, open);
    if (why === undefined) return found;
    if (styled !== undefined) return findLeaf('naive', shape);
    throw leafRefused({ kernel: name, why });
  };
  const executable = (claim: Plan): Executable => {
    const plan =
      executed === claimed ? claim : planFor(executed, leaf, claim.shape, claim, tuning, claim.scaling);
    const chosen = leafFor(claim);
    const programIn = (own: Numeric) => (plan: Plan) =>
      compileProgram(plan, chosen, own, styled?.blocking, operationsAtOnce(tuning, chosen));
    const planted = (own: Numeric) =>
      plant === undefined ? programIn(own)(claim) : plant(claim, plan, programIn(own));
    const coded = onLoadNumeric(claim, chosen, numeric, precision);
    // A planted fault belongs in the program that runs most products of a coding.
    const made = coded === undefined ? planted(numeric) : programIn(numeric)(claim);
    const onLoad = coded && planted(coded);
    const again = (shape: Shape) => planFor(claimed, leaf, shape, claim, tuning, claim.scaling);
    const executableFor = (shape: Shape) => executable(again(shape));
    const parts = { tile: chosen.tile, planFor: again, executableFor };
    // A planted fault is in the dispatches of the plan.
    const isByEntry = plant === undefined && chosen.tiling.family === 'entry';
    const fuse = isSingleStep(claim)
      ? (behind: EpilogueShader) => planted({ ...numeric, behind })
      : undefined;
    return { plan, made, onLoad, fuse, kernel: name, parts, isByEntry };
  };
  return {
    name,
    algorithm,
    growth: sharedGrowth(claimed),
    leaf,
    precision,
    // Without an order, bits can be neither compared nor claimed to repeat.
    arithmetic: unordered ? { ...arithmetic, modeled: false } : arithmetic,
    ...(unordered ? { claims: { algorithm, deterministic: false } } : {}),
    plan: (shape, method, scaling) => planFor(claimed, leaf, shape, method, tuning, scaling),
    takes: featuresOfBuiltins(precision.complex),
    leafOf(plan) {
      const found = leafFor(plan);
      const choice = { numeric, blocking: styled?.blocking, leaf: found };
      return plan.fused === undefined || takesBlock(plan, choice) ? found.name : leaf;
    },
    executable,
    refuses: (asked) =>
      isOfComplex(claimed) && precision.complex !== true ? OF_COMPLEX : whyUnsupported(asked, precision),
    session: sessionOn(open),
  };
}

/** True if a plan is one product of dense matrices, whose sums are stored once. */
const isSingleStep = ({ steps: [step, next], layouts: { C }, shape, style }: Plan): boolean =>
  next === undefined &&
  step?.kind === 'multiply' &&
  [style, step.run, step.primitive].every((how, at) => how === (at === 0 ? 'scheduled' : undefined)) &&
  C.kind === 'leaf' &&
  C.ld === shape.n;

const OF_COMPLEX = 'it multiplies only complex matrices, in the precisions c32 and c64';

let behindSteps: typeof addSteps | undefined;

/** Loads the part that computes epilogues, if a job has one. @throws ParanoiaError `part-missing` */
async function loadSteps(jobs: readonly KernelJob[]): Promise<void> {
  if (behindSteps !== undefined || jobs.every(({ operands }) => operands.epilogue === undefined)) return;
  ({ behindSteps } = await loadPart('computes epilogues on a device', () => import('./device-epilogue.ts')));
}

const sessions = new WeakMap<OpenDevice, KernelSession>();

/**
 * Returns the session of built-in kernels on a device. All kernels share one session, so that small products of several are one
 * submission.
 */
function sessionOn(open: OpenDevice): KernelSession {
  const known = sessions.get(open);
  if (known !== undefined) return known;
  const jobOf = ({ kernel, plan, operands, gemm = plainGemm(plan.shape) }: KernelJob): DeviceJob => {
    const { a, b, c } = operands;
    const codes = codesOnDevice(operands, gemm, kernel.precision);
    const job = { ...(kernel.executable as (plan: Plan) => Executable)(plan), ...{ a, b, c, codes, gemm } };
    return operands.epilogue === undefined || behindSteps === undefined
      ? job
      : behindSteps(job, operands.epilogue, gemm);
  };
  const session: KernelSession = {
    async run(jobs, meanwhile) {
      const all = jobs.flatMap((job) => listOf(job));
      await loadSteps(all);
      const made = all.map((job) => catchParanoiaError(() => jobOf(job)));
      const onDevice = made.filter((one): one is DeviceJob => !(one instanceof ParanoiaError));
      const outcomes = (await runDeviceJobs(open, onDevice, meanwhile)).values();
      const found = made.map((one) =>
        one instanceof ParanoiaError ? one : (outcomes.next().value as ProductOutcome),
      );
      return jobs.map((job) => found[all.indexOf(job)]);
    },
    async time(job, timing, clock) {
      await loadSteps([job]);
      return timeJob(open, jobOf(job), timing, clock);
    },
  };
  sessions.set(open, session);
  return session;
}
