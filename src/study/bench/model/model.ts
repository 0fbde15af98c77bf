import { sum } from 'd3-array';
import { type Tiling, tileShapeOf } from '../../../gpu/wgsl/tiling.ts';
import type { Shape } from '../../../matrix/dense.ts';
import type { Plan, Slot, Step } from '../../../plan/plan.ts';

/*
 * The performance model of Huang, Yu and van de Geijn, "Strassen's Algorithm Reloaded on GPUs" (ACM TOMS 46, 2020),
 * section 5; equations are numbered as there.
 */

const BYTES = 4;

/** The peak rates of a machine. */
export interface ModelMachine {
  readonly name: string;
  /** Operations a second. */
  readonly tauFlop: number;
  /** Bytes a second of global memory, including the effect of caches. */
  readonly tauGmop: number;
  /** Bytes a second of workgroup memory, over all multiprocessors. */
  readonly tauSmop: number;
  /** Multiprocessors; 1 where unknown: blocks then fill the machine without a remainder. */
  readonly sms: number;
}

/** The blocking of a kernel: a workgroup computes mS×nS entries, an invocation mR×nR of them, kS terms at a time. */
export interface Blocking {
  readonly mS: number;
  readonly nS: number;
  readonly kS: number;
  readonly mR: number;
  readonly nR: number;
  /** Workgroups that a multiprocessor runs at a time. */
  readonly active: number;
}

/** Numbers of blocks that are added for the left and the right factor, and of blocks that the product is added to. */
export interface BlockCounts {
  readonly wA: number;
  readonly wB: number;
  readonly wC: number;
}

/** Counts of a plain product. */
export const PLAIN: BlockCounts = { wA: 1, wB: 1, wC: 1 };

/** The work of a workgroup. */
export interface BlockWork {
  /** Equation 11. */
  readonly flops: number;
  /** Words to and from global memory, equation 12 with 8 and 10. */
  readonly gmops: number;
  /** Words to and from workgroup memory, equation 14 with 8 and 9. */
  readonly smops: number;
}

/** Returns the work of one workgroup for its block of C. */
export function blockWork(k: number, { mS, nS, mR, nR }: Blocking, { wA, wB, wC }: BlockCounts): BlockWork {
  const invocations = (mS * nS) / (mR * nR);
  return {
    flops: 2 * mS * nS * k + (wA - 1) * mS * k + (wB - 1) * nS * k + (wC - 1) * mS * nS,
    gmops: mS * k * wA + nS * k * wB + mS * nS * wC,
    smops: invocations * (mR + nR) * k + (mS + nS) * k,
  };
}

/** The predicted seconds of a product: the largest of three times (section 5.3). */
export interface PredictedTime {
  /** Equation 20. */
  readonly flop: number;
  /** Equation 21. */
  readonly smop: number;
  /** Equation 22. */
  readonly gmop: number;
  readonly seconds: number;
}

/** Predicts one product, equations 19–22. */
export function predictProductTime(
  { m, k, n }: Shape,
  blocking: Blocking,
  machine: ModelMachine,
  counts = PLAIN,
): PredictedTime {
  const { flops, gmops, smops } = blockWork(k, blocking, counts);
  const blocks = Math.ceil(m / blocking.mS) * Math.ceil(n / blocking.nS);
  // Equation 19. On a machine of unknown size, no last wave is partly filled.
  const atOnce = machine.sms === 1 ? 1 : machine.sms * blocking.active;
  const waves = Math.ceil(blocks / atOnce);
  const flop = (waves * atOnce * flops) / machine.tauFlop;
  const smop = (waves * BYTES * atOnce * smops) / machine.tauSmop;
  const gmop = (blocks * BYTES * gmops) / machine.tauGmop;
  return { flop, smop, gmop, seconds: Math.max(flop, smop, gmop) };
}

/** Predicts the seconds of a pass that reads and writes words of global memory, with negligible computation. */
function predictPass(words: number, { tauGmop }: ModelMachine): number {
  return (BYTES * words) / tauGmop;
}

/**
 * Predicts a plan, step after step. Products follow the model, with the blocks that each adds and updates. Block sums are passes over
 * global memory.
 * @returns seconds
 */
export function predictPlanTime(plan: Plan, blocking: Blocking, machine: ModelMachine): number {
  return sum(plan.steps, (step) => predictStep(step, blocking, machine));
}

function predictStep(step: Step, blocking: Blocking, machine: ModelMachine): number {
  const touched = sum(step.slots, accesses);
  if (step.kind === 'combine') return predictPass(touched * step.slots[0].block.layout.size, machine);
  const counts = { wA: step.x.length, wB: step.y.length, wC: touched };
  return predictProductTime(step.shape, blocking, machine, counts).seconds;
}

const accesses = ({ load, store }: Slot) => Number(load) + Number(store);

/** Number of workgroups that a multiprocessor is assumed to run at a time, as with the paper's largest blocks (footnote 15). */
const ACTIVE = 2;

/** The families that the model describes. */
const DESCRIBED: readonly Tiling['family'][] = ['tiled', 'register', 'staged', 'fused'];

/** Returns the blocking of a tiling in the model's terms; undefined for tilings that the model does not describe. */
export function blockingOf(tiling: Tiling): Blocking | undefined {
  if (!DESCRIBED.includes(tiling.family)) return undefined;
  const { m, k, n } = tileShapeOf(tiling);
  return { mS: m, nS: n, kS: k, mR: tiling.rows, nR: tiling.cols, active: ACTIVE };
}
