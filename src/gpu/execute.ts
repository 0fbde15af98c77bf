import type { Matrix, Real } from '../matrix/dense.ts';
import { ALIGNMENT } from '../plan/layout.ts';
import { pack, unpack } from '../plan/pack.ts';
import type { BufferName, Plan } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { OpenDevice } from './device.ts';
import {
  type Dispatch,
  distinctShaders,
  OPERATIONS_AT_ONCE,
  type Program,
  paramsData,
} from './dispatches.ts';
import { compileShader, type Running, readMapped, withScopes } from './errors.ts';
import type { Numeric } from './numerics/numeric.ts';

/** What a product left on the device. */
export interface Execution {
  /** C, m×n, in binary32 or, for wider precisions, in doubles. Entries nobody wrote hold {@link POISON}: NaN. */
  readonly c: Matrix;
  /** Entries of C that were never written. */
  readonly unwritten: number;
  /** Guard words around C and the workspace that were overwritten. */
  readonly guardsTouched: number;
  /** Entries of A or B that were overwritten; undefined where they were too large to be read back. */
  readonly operandsChanged: number | undefined;
  /**
   * Wall-clock seconds from the first submission until the device was done, without transfers; undefined where this
   * thread did something else meanwhile, and so did not see the end.
   */
  readonly seconds: number | undefined;
}

/**
 * What each word of C and the workspace holds before anything is written: a quiet NaN no arithmetic produces, as a
 * binary32 number and as the upper half of a binary64 one.
 */
export const POISON = 0x7ff8dead;
/** What the words around C and the workspace hold: a NaN too. */
export const GUARD = 0x7ff8beef;
/** Guard entries on either side: one alignment unit, so that blocks stay aligned. */
export const GUARDS = ALIGNMENT;
/** Operands up to this many entries are read back to see that they are unchanged. */
export const READ_BACK = 2 ** 24;
const PARAMS_STRIDE = 256;

/**
 * Executes a program of a plan: uploads A and B, poisons C and the workspace, submits the dispatches in portions
 * a desktop driver tolerates, and reads C back.
 * @param meanwhile what to do in this thread while the device computes: waiting for it is a busy loop.
 * @throws Problem too-large, out-of-gpu-memory, gpu-error, bad-shader, device-lost, naming kernel and step.
 */
export async function execute(
  open: OpenDevice,
  plan: Plan,
  made: Program,
  a: Matrix,
  b: Matrix,
  kernel: string,
  meanwhile?: () => void,
): Promise<Execution> {
  const { dispatches, numeric } = made;
  checkLimits(open, plan, numeric, kernel);
  const pipelines = await preparePipelines(open, dispatches, kernel);
  const buffers: GPUBuffer[] = [];
  const running: Running = { kernel, step: `${dispatches.length} dispatches` };
  try {
    const { named, params, layouts, staging } = await withScopes(
      open,
      { kernel, step: 'allocating buffers' },
      () => {
        const create = (size: number, usage: number, fill?: (words: Uint32Array) => void) => {
          const buffer = open.device.createBuffer({ size, usage, mappedAtCreation: fill !== undefined });
          buffers.push(buffer);
          if (fill !== undefined) {
            fill(new Uint32Array(buffer.getMappedRange()));
            buffer.unmap();
          }
          return buffer;
        };
        return allocate(plan, made, a, b, create);
      },
    );
    const seconds = await withScopes(open, running, () =>
      submit(open.device, made, pipelines, named, params, layouts, meanwhile),
    );
    await withScopes(open, { kernel, step: 'copying the result' }, () =>
      copyBack(open.device, plan, numeric, named, staging),
    );
    const words = new Uint32Array(await readMapped(open, staging, { kernel, step: 'reading the result' }));
    return { ...judge(plan, numeric, words, a, b), seconds };
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

function checkLimits({ limits }: OpenDevice, plan: Plan, { words }: Numeric, kernel: string): void {
  const largest = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  for (const name of ['A', 'B', 'C', 'W'] as const) {
    const bytes = 4 * words * (plan.sizes[name] + 2 * GUARDS);
    if (bytes > largest) throw problem('too-large', { kernel, buffer: name, bytes, largest });
  }
}

const pipelineCaches = new WeakMap<GPUDevice, Map<string, GPUComputePipeline>>();

async function preparePipelines(
  open: OpenDevice,
  dispatches: readonly Dispatch[],
  kernel: string,
): Promise<ReadonlyMap<string, GPUComputePipeline>> {
  const cache = pipelineCaches.get(open.device) ?? new Map<string, GPUComputePipeline>();
  pipelineCaches.set(open.device, cache);
  for (const [shader, step] of distinctShaders(dispatches)) {
    if (cache.has(shader)) continue;
    const module = await compileShader(open, shader, { kernel, step });
    const pipeline = await withScopes(open, { kernel, step }, () =>
      open.device.createComputePipelineAsync({
        layout: 'auto',
        compute: { module, entryPoint: 'main' },
        label: step,
      }),
    );
    cache.set(shader, pipeline);
  }
  return cache;
}

type Named = Readonly<Record<BufferName, GPUBuffer>>;
type Create = (size: number, usage: number, fill?: (words: Uint32Array) => void) => GPUBuffer;

/** Where a buffer's block 0 starts: C and the workspace have guard words before and after. */
const startOf = (name: BufferName): number => (name === 'C' || name === 'W' ? GUARDS : 0);

function allocate(
  plan: Plan,
  { dispatches, layoutWords, numeric }: Program,
  a: Matrix,
  b: Matrix,
  create: Create,
) {
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const operand = (source: Matrix, name: 'A' | 'B') =>
    create(4 * numeric.words * plan.sizes[name], storage, (words) =>
      pack(encoded(source, numeric), plan.layouts[name], numbersIn(words, numeric)),
    );
  const poisoned = (name: 'C' | 'W') =>
    create(4 * numeric.words * (plan.sizes[name] + 2 * GUARDS), storage, (words) => {
      words.fill(GUARD);
      words.fill(POISON, numeric.words * GUARDS, numeric.words * (GUARDS + plan.sizes[name]));
    });
  const named: Named = { A: operand(a, 'A'), B: operand(b, 'B'), C: poisoned('C'), W: poisoned('W') };
  const paramWords = paramsData(dispatches, PARAMS_STRIDE);
  const params = create(paramWords.byteLength, GPUBufferUsage.UNIFORM, (words) => words.set(paramWords));
  const layouts = create(layoutWords.byteLength, GPUBufferUsage.STORAGE, (words) => words.set(layoutWords));
  const staging = create(
    4 * numeric.words * stagedEntries(plan),
    GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  );
  return { named, params, layouts, staging };
}

async function submit(
  device: GPUDevice,
  { dispatches, numeric }: Program,
  pipelines: ReadonlyMap<string, GPUComputePipeline>,
  named: Named,
  params: GPUBuffer,
  layouts: GPUBuffer,
  meanwhile?: () => void,
): Promise<number | undefined> {
  const start = performance.now();
  const bind = binder(device, numeric, named, params, layouts);
  for (const portion of portions(dispatches)) {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (const { dispatch, index } of portion) {
      const pipeline = pipelines.get(dispatch.shader) as GPUComputePipeline;
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bind(pipeline, dispatch, index));
      pass.dispatchWorkgroups(...dispatch.workgroups);
    }
    pass.end();
    device.queue.submit([encoder.finish()]);
  }
  meanwhile?.();
  await device.queue.onSubmittedWorkDone();
  return meanwhile === undefined ? (performance.now() - start) / 1000 : undefined;
}

/** Cuts a program where a submission would exceed what a desktop driver tolerates. */
function portions(dispatches: readonly Dispatch[]): { dispatch: Dispatch; index: number }[][] {
  const cut: { dispatch: Dispatch; index: number }[][] = [[]];
  let operations = 0;
  for (const [index, dispatch] of dispatches.entries()) {
    if (operations > 0 && operations + dispatch.operations > OPERATIONS_AT_ONCE) {
      cut.push([]);
      operations = 0;
    }
    operations += dispatch.operations;
    cut[cut.length - 1].push({ dispatch, index });
  }
  return cut;
}

/** Makes the bind groups of dispatches; each pipeline is asked for its layout once. */
function binder(device: GPUDevice, { words }: Numeric, named: Named, params: GPUBuffer, layouts: GPUBuffer) {
  const known = new Map<GPUComputePipeline, GPUBindGroupLayout>();
  return (pipeline: GPUComputePipeline, dispatch: Dispatch, index: number): GPUBindGroup => {
    const layout = known.get(pipeline) ?? pipeline.getBindGroupLayout(0);
    known.set(pipeline, layout);
    const resources: GPUBufferBinding[] = [
      { buffer: params, offset: index * PARAMS_STRIDE, size: PARAMS_STRIDE },
    ];
    if (dispatch.layouts) resources.push({ buffer: layouts });
    for (const { buffer, offset, layout } of dispatch.blocks) {
      resources.push({
        buffer: named[buffer],
        offset: 4 * words * (startOf(buffer) + offset),
        size: 4 * words * layout.size,
      });
    }
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return device.createBindGroup({ label: dispatch.label, layout, entries });
  };
}

const readsOperands = ({ sizes }: Plan): boolean => sizes.A + sizes.B <= READ_BACK;

/** The staging buffer holds C with its guards, the workspace's guards, then A and B where they are read back. */
function stagedEntries(plan: Plan): number {
  return plan.sizes.C + 4 * GUARDS + (readsOperands(plan) ? plan.sizes.A + plan.sizes.B : 0);
}

function copyBack(device: GPUDevice, plan: Plan, { words }: Numeric, named: Named, staging: GPUBuffer): void {
  const encoder = device.createCommandEncoder();
  let at = 0;
  const copy = (name: BufferName, from: number, entries: number) => {
    const bytes = 4 * words;
    encoder.copyBufferToBuffer(named[name], bytes * from, staging, bytes * at, bytes * entries);
    at += entries;
  };
  copy('C', 0, plan.sizes.C + 2 * GUARDS);
  copy('W', 0, GUARDS);
  copy('W', GUARDS + plan.sizes.W, GUARDS);
  if (readsOperands(plan)) {
    copy('A', 0, plan.sizes.A);
    copy('B', 0, plan.sizes.B);
  }
  device.queue.submit([encoder.finish()]);
}

function judge(
  plan: Plan,
  numeric: Numeric,
  words: Uint32Array<ArrayBuffer>,
  a: Matrix,
  b: Matrix,
): Omit<Execution, 'seconds'> {
  const { m, n } = plan.shape;
  const sizeC = plan.sizes.C;
  const wide = numeric.words;
  const staged = numbersIn(words, numeric);
  const stored = { rows: m, cols: n, data: staged.slice(0, m * n) };
  unpack(staged.subarray(GUARDS, GUARDS + sizeC), plan.layouts.C, stored);
  const written = new Uint32Array(stored.data.buffer);
  const guards = [
    words.subarray(0, wide * GUARDS),
    words.subarray(wide * (GUARDS + sizeC), wide * (sizeC + 4 * GUARDS)),
  ];
  let operandsChanged: number | undefined;
  if (readsOperands(plan)) {
    const after = words.subarray(wide * (sizeC + 4 * GUARDS));
    const before = new Uint32Array(wide * (plan.sizes.A + plan.sizes.B));
    const numbers = numbersIn(before, numeric);
    pack(encoded(a, numeric), plan.layouts.A, numbers.subarray(0, plan.sizes.A));
    pack(encoded(b, numeric), plan.layouts.B, numbers.subarray(plan.sizes.A));
    operandsChanged = countEntries(wide, before, (at) => before[at] !== after[at]);
  }
  return {
    c: decoded(stored, numeric),
    // The lower word of a binary64 number may be anything.
    unwritten: countEntries(wide, written, (at) => at % wide === wide - 1 && written[at] === POISON),
    guardsTouched: guards.reduce(
      (sum, range) => sum + countEntries(wide, range, (at) => range[at] !== GUARD),
      0,
    ),
    operandsChanged,
  };
}

/** The entries of a result of which some word passes the test. */
function countEntries(words: 1 | 2, all: Uint32Array, test: (at: number) => boolean): number {
  let found = 0;
  for (let at = 0; at < all.length; at += words) {
    if (test(at) || (words === 2 && test(at + 1))) found++;
  }
  return found;
}

function numbersIn({ buffer, byteOffset, length }: Uint32Array, { words }: Numeric): Real {
  return words === 2
    ? new Float64Array(buffer, byteOffset, length / 2)
    : new Float32Array(buffer, byteOffset, length);
}

function encoded(matrix: Matrix, { encode }: Numeric): Matrix {
  return encode === undefined ? matrix : { ...matrix, data: Float64Array.from(matrix.data, encode) };
}

function decoded(stored: Matrix, { decode }: Numeric): Matrix {
  return decode === undefined ? stored : { ...stored, data: stored.data.map(decode) };
}
