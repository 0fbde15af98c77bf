import { median } from 'd3-array';
import type { OpenDevice } from '../../../gpu/device.ts';
import { openBuffers } from '../../../gpu/queue/buffers.ts';
import { withScopes } from '../../../gpu/queue/errors.ts';
import { pipelineOf } from '../../../gpu/queue/pipelines.ts';
import { bindGroup } from '../../../gpu/queue/submit.ts';
import { openStopwatch } from '../../../gpu/queue/timestamps.ts';
import type { ModelMachine } from './model.ts';

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
