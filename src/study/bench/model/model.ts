import { median, sum } from 'd3-array';
import type { OpenDevice } from '../../../gpu/device.ts';
import { openBuffers } from '../../../gpu/queue/buffers.ts';
import { withScopes } from '../../../gpu/queue/errors.ts';
import { pipelineOf } from '../../../gpu/queue/pipelines.ts';
import { bindGroup } from '../../../gpu/queue/submit.ts';
import { openStopwatch } from '../../../gpu/queue/timestamps.ts';
import { type Tiling, tileShapeOf } from '../../../gpu/wgsl/tilings.ts';
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

export const PLAIN: BlockCounts = { wA: 1, wB: 1, wC: 1 };

interface BlockWork {
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
interface PredictedTime {
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

const WHO = 'the measurement of the machine';
const WORKGROUP = 256;
const TRIALS = 7;
const VEC4 = 16;
/** Words of workgroup memory that a workgroup reads. */
const SHARED = 1024;

/** The load that measures one of the three rates of the model. */
interface Load {
  readonly shader: string;
  /** Bytes of the two buffers. */
  readonly bytes: number;
  readonly workgroups: number;
  /** Operations or bytes in one dispatch. */
  readonly amount: number;
}

/** Makes a load of multiply-adds in registers: eight independent chains of four lanes. */
function arithmeticLoad(workgroups: number, rounds: number): Load {
  const chains = Array.from({ length: 8 }, (_, c) => c);
  const shader = `${HEAD}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let x = source[0];
  let y = source[1];
${chains.map((c) => `  var c${c} = source[${c + 2}];`).join('\n')}
  for (var round = 0u; round < ${rounds}u; round++) {
${chains.map((c) => `    c${c} = fma(c${c}, x, y);`).join('\n')}
  }
  target_[id.x] = ${chains.map((c) => `c${c}`).join(' + ')};
}`;
  const invocations = workgroups * WORKGROUP;
  return { shader, workgroups, bytes: VEC4 * invocations, amount: invocations * rounds * 8 * 4 * 2 };
}

/** Makes a copy load: bytes read and bytes written both count. */
function copyLoad(workgroups: number): Load {
  const shader = `${HEAD}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) { target_[id.x] = source[id.x]; }`;
  const bytes = VEC4 * workgroups * WORKGROUP;
  return { shader, workgroups, bytes, amount: 2 * bytes };
}

/** Makes a load of reads of workgroup memory, where neighboring invocations read neighboring words. */
function sharedLoad(workgroups: number, rounds: number): Load {
  const shader = `${HEAD}
var<workgroup> tile: array<vec4<f32>, ${SHARED / 4}>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  if (local < ${SHARED / 4}u) { tile[local] = source[local]; }
  workgroupBarrier();
  var sum = vec4<f32>();
  var at = local;
  for (var round = 0u; round < ${rounds}u; round++) {
    sum += tile[at & ${SHARED / 4 - 1}u] + tile[(at + 32u) & ${SHARED / 4 - 1}u];
    sum += tile[(at + 64u) & ${SHARED / 4 - 1}u] + tile[(at + 96u) & ${SHARED / 4 - 1}u];
    at += 128u + u32(sum.x);
  }
  target_[id.x] = sum;
}`;
  const invocations = workgroups * WORKGROUP;
  return { shader, workgroups, bytes: VEC4 * invocations, amount: invocations * rounds * 4 * VEC4 };
}

const HEAD = `@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> target_: array<vec4<f32>>;`;

/**
 * Measures the rates that the paper's model takes from data sheets: operations a second of chains of multiply-adds in registers, and bytes
 * a second of copies in global memory and of reads of workgroup memory. Medians of seven.
 * @param sms multiprocessors, if known: WebGPU does not report them.
 * @throws ParanoiaError out-of-gpu-memory, gpu-error, bad-shader, device-lost
 */
export async function measureMachine(open: OpenDevice, sms = 1): Promise<ModelMachine> {
  const { kind, name } = open.fingerprint;
  const [groups, rounds] = kind === 'hardware' ? [8192, 1024] : [8, 64];
  const wide = kind === 'hardware' ? 65_535 : 1024;
  return {
    name,
    tauFlop: await rateOf(open, arithmeticLoad(groups, rounds)),
    tauGmop: await rateOf(open, copyLoad(wide)),
    tauSmop: await rateOf(open, sharedLoad(groups, rounds)),
    sms,
  };
}

async function rateOf(open: OpenDevice, { shader, bytes, workgroups, amount }: Load): Promise<number> {
  const running = { kernel: WHO, step: 'a load' };
  const { device } = open;
  const pipeline = await pipelineOf(open, shader, running);
  const buffers = openBuffers(device, running);
  const watch = await openStopwatch(open, WHO);
  try {
    const group = await withScopes(open, running, () => {
      const pair = [0, 1].map(() => ({ buffer: buffers.create(bytes, GPUBufferUsage.STORAGE) }));
      return bindGroup(device, pipeline, pair);
    });
    const seconds: number[] = [];
    for (let trial = 0; trial <= TRIALS; trial++) {
      const work = () => watch.time([{ pipeline, group, workgroups: [workgroups] }]);
      seconds.push(await withScopes(open, running, work));
    }
    // The first run warms up.
    return amount / (median(seconds.slice(1)) as number);
  } finally {
    watch.close();
    buffers.destroy();
  }
}
