import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry, algorithms, findAlgorithm, isOfComplex } from '../algorithms/algorithms.ts';
import { ParanoiaError, settled } from '../base/errors.ts';
import { unknownName } from '../base/messages.ts';
import { nearest } from '../base/nearest.ts';
import type { DeviceComputation } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { DeviceJob, Executable } from '../gpu/runner/device-job.ts';
import type { Outcome } from '../gpu/runner/product.ts';
import { run } from '../gpu/runner/run.ts';
import { timeJob } from '../gpu/runner/time.ts';
import { operationsAtOnce, type Tuning } from '../gpu/tuning/tuning.ts';
import { program } from '../gpu/wgsl/dispatches.ts';
import { takesBlock } from '../gpu/wgsl/fused/dispatches.ts';
import { exceeds } from '../gpu/wgsl/leaves/leaf.ts';
import { findLeaf, leafFamilies, leafOfSums, leaves } from '../gpu/wgsl/leaves/leaves.ts';
import type { Shape } from '../matrix/dense.ts';
import { everythingGrouped, withComplex } from '../matrix/features.ts';
import { plainGemm } from '../matrix/gemm.ts';
import type { Scaling } from '../matrix/scaling.ts';
import { compile } from '../plan/compile.ts';
import { type Plan, styles } from '../plan/plan.ts';
import { singlePrecision } from '../precision/single.ts';
import type { Numeric } from '../precision/wgsl/numeric.ts';
import { single } from '../precision/wgsl/single.ts';
import type { Method } from '../problem/method.ts';
import { codesOnDevice, onLoadNumeric } from './codes-on-device.ts';
import { planter, type Tampering } from './faults/fault.ts';
import { type Job, type Kernel, listOf, type Session } from './kernel.ts';
import { leafRefused } from './messages.ts';
import { findStyled, isFusedLeaf, styledLeavesOf } from './styled-leaves.ts';

/** Algorithms with every leaf family. */
export const namesOf = (some: readonly Algorithm[]): string[] =>
  some.flatMap(({ name }) => leafFamilies.map((leaf) => `${name}:${leaf}`));

/** Those, with the leaf kernels of fixed tile and those of a style of their own. */
export const allNamesOf = (some: readonly Algorithm[]): string[] =>
  some.flatMap((algorithm) =>
    [
      ...leafFamilies,
      ...leaves.map(({ name }) => name).filter((leaf) => !leafFamilies.includes(leaf)),
      ...styledLeavesOf(algorithm).map(({ name }) => name),
    ].map((leaf) => `${algorithm.name}:${leaf}`),
  );

/** The names of the default campaign: our algorithms with every leaf family. */
export const builtinNames: readonly string[] = namesOf(algorithms);

/** Every name {@link builtinKernel} knows without those of a config's algorithms. */
export const allBuiltinNames: readonly string[] = allNamesOf(algorithms);

/**
 * One of our own kernels on an open device: `algorithm:leaf`, as `strassen:register` or `classical:tiled-8`.
 * @param tampering plants a fault: the kernel then claims the untouched plan and executes the changed one.
 * @param computation what it computes in, see {@link computationIn}; binary32 by default.
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
): Kernel {
  const { algorithm, leaf } = parseKernelName(name);
  const claimed = findAlgorithm(algorithm);
  const executed = tampering?.algorithm?.(claimed) ?? claimed;
  const plant = tampering && planter(tampering);
  const styled = findStyled(leaf);
  const unordered = styled !== undefined && !styles[styled.style].ordered;
  if (unordered && numeric.words > 1) {
    const why = `adds to single words at once, and entries of ${precision.name} take two`;
    throw leafRefused({ kernel: name, why });
  }
  const { tuning } = open;
  const leafFor = ({ shape, levels }: Plan) => {
    const product = leafShape(claimed, shape, levels);
    const found =
      styled === undefined
        ? findLeaf(leaf, product, tuning)
        : // Fused products take its block shape alone.
          ((isFusedLeaf(styled) ? leafOfSums(product, tuning) : undefined) ??
          findLeaf('register', product, tuning));
    const why = exceeds(found, open);
    if (why === undefined) return found;
    if (styled !== undefined) return findLeaf('naive', shape);
    throw leafRefused({ kernel: name, why });
  };
  const executable = (claim: Plan): Executable => {
    const plan =
      executed === claimed ? claim : planFor(executed, leaf, claim.shape, claim, tuning, claim.scaling);
    const chosen = leafFor(claim);
    const programIn = (own: Numeric) => (plan: Plan) =>
      program(plan, chosen, own, styled?.blocking, operationsAtOnce(tuning, chosen));
    const planted = (own: Numeric) =>
      plant === undefined ? programIn(own)(claim) : plant(claim, plan, programIn(own));
    const coded = onLoadNumeric(claim, chosen, numeric, precision);
    // A planted fault is in what most products of a coding run.
    const made = coded === undefined ? planted(numeric) : programIn(numeric)(claim);
    const onLoad = coded && planted(coded);
    const again = (shape: Shape) => planFor(claimed, leaf, shape, claim, tuning, claim.scaling);
    const executableFor = (shape: Shape) => executable(again(shape));
    const parts = { tile: chosen.tile, planFor: again, executableFor };
    // A planted fault is in the dispatches of the plan.
    const isByEntry = plant === undefined && chosen.tiling.family === 'entry';
    return { plan, made, onLoad, kernel: name, parts, isByEntry };
  };
  return {
    name,
    algorithm,
    leaf,
    precision,
    // In no order there are no bits to compare, and no claim to repeat them.
    arithmetic: unordered ? { ...arithmetic, modelled: false } : arithmetic,
    ...(unordered ? { claims: { algorithm, deterministic: false } } : {}),
    plan: (shape, method, scaling) => planFor(claimed, leaf, shape, method, tuning, scaling),
    takes: withComplex(everythingGrouped, precision.complex === true),
    leafOf(plan) {
      const found = leafFor(plan);
      const choice = { numeric, blocking: styled?.blocking, leaf: found };
      return plan.fused === undefined || takesBlock(plan, choice) ? found.name : leaf;
    },
    executable,
    ...(isOfComplex(claimed) && precision.complex !== true ? { refuses: () => OF_COMPLEX } : {}),
    session: sessionOn(open),
  };
}

const OF_COMPLEX = 'it multiplies complex matrices alone, of the precisions c32 and c64';

const sessions = new WeakMap<OpenDevice, Session>();

/** What runs our kernels on a device: one session for them all, so that small products of several are one submission. */
function sessionOn(open: OpenDevice): Session {
  const known = sessions.get(open);
  if (known !== undefined) return known;
  const jobOf = ({ kernel, plan, operands, gemm = plainGemm(plan.shape) }: Job): DeviceJob => {
    const { a, b, c } = operands;
    const codes = codesOnDevice(operands, gemm, kernel.precision);
    return { ...(kernel.executable as (plan: Plan) => Executable)(plan), ...{ a, b, c, codes, gemm } };
  };
  const session: Session = {
    async run(jobs, meanwhile) {
      const all = jobs.flatMap((job) => listOf(job));
      const made = all.map((job) => settled(() => jobOf(job)));
      const onDevice = made.filter((one): one is DeviceJob => !(one instanceof ParanoiaError));
      const outcomes = (await run(open, onDevice, meanwhile)).values();
      const found = made.map((one) =>
        one instanceof ParanoiaError ? one : (outcomes.next().value as Outcome),
      );
      return jobs.map((job) => found[all.indexOf(job)]);
    },
    time: async (job, timing, clock) => timeJob(open, jobOf(job), timing, clock),
  };
  sessions.set(open, session);
  return session;
}

/**
 * The plan a kernel of this name claims to execute, for which no device is needed.
 * @param tuning of the device that will execute it: where leaf blocks are padded, it decides to what tile.
 * @throws ParanoiaError `unknown-name`, `bad-number`
 */
export function builtinPlan(
  name: string,
  shape: Shape,
  method: Method,
  tuning?: Tuning,
  scaling?: Scaling,
): Plan {
  const { algorithm, leaf } = parseKernelName(name);
  return planFor(findAlgorithm(algorithm), leaf, shape, method, tuning, scaling);
}

function planFor(
  algorithm: Algorithm,
  leaf: string,
  shape: Shape,
  { levels, fringe, tail }: Method,
  tuning: Tuning | undefined,
  scaling?: Scaling,
): Plan {
  const styled = findStyled(leaf);
  if (styled !== undefined) {
    return compile({ algorithm, shape, depth: { levels }, fringe, style: styled.style, scaling });
  }
  const { tile } = findLeaf(leaf, leafShape(algorithm, shape, levels), tuning);
  return compile({ algorithm, shape, depth: { levels }, fringe, tail, tile, scaling });
}

/** Splits `algorithm:leaf` and checks both names. @throws ParanoiaError `unknown-name` */
export function parseKernelName(name: string): { algorithm: string; leaf: string } {
  const [algorithm, leaf] = name.split(':');
  if (leaf !== undefined && (allBuiltinNames.includes(name) || everyName().includes(name))) {
    return { algorithm, leaf };
  }
  const close = nearest(name, everyName());
  const families = namesOf(algorithmRegistry.items);
  const known = close === undefined ? families : [...new Set([close, ...families])];
  throw unknownName({ what: 'kernel', given: name, known });
}

const everyName = () => allNamesOf(algorithmRegistry.items);

/** Roughly what a leaf multiplies: the shape that a leaf family chooses its tile for. */
function leafShape({ base }: Algorithm, { m, k, n }: Shape, levels: number): Shape {
  const part = (size: number, parts: number) => Math.ceil(size / parts ** levels);
  return { m: part(m, base.m), k: part(k, base.k), n: part(n, base.n) };
}
