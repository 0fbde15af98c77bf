import type { Matrix, Real } from '../matrix/dense.ts';
import { ALIGNMENT } from '../plan/layout.ts';
import { pack, unpack } from '../plan/pack.ts';
import type { Block, BufferName, Plan } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { OpenDevice } from './device.ts';
import { type Dispatch, type Program, paramsData } from './dispatches.ts';
import { type Running, readMapped, withScopes } from './errors.ts';
import type { Numeric } from './numerics/numeric.ts';
import { preparePipelines } from './pipelines.ts';
import { checkTextures, openTextures, type Textures, texelsOf } from './textures.ts';
import { type Marks, timestampWrites } from './timestamps.ts';
import { OPERATIONS_AT_ONCE } from './tuning/tuning.ts';
import type { GpuBuffer, GpuComputePipeline, GpuDevice, GpuRange } from './web-gpu.ts';

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
/** Bytes from the params of one dispatch to those of the next. */
export const PARAMS_STRIDE = 256;

/**
 * Executes a program of a plan: uploads A and B, poisons C and the workspace, submits the dispatches in portions
 * a desktop driver tolerates, and reads C back.
 * @param meanwhile what to do in this thread while the device computes: waiting for it is a busy loop.
 * @param submitting submits the work; it may do so several times, where C is not what is wanted alone.
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
  submitting: Submitting = submit,
): Promise<Execution> {
  const { dispatches, numeric } = made;
  checkLimits(open, plan, numeric, kernel);
  checkTextures(open, dispatches, numeric.words, kernel);
  const pipelines = await preparePipelines(open, dispatches, kernel);
  const buffers: GPUBuffer[] = [];
  const running: Running = { kernel, step: `${dispatches.length} dispatches` };
  try {
    const { places, staging } = await withScopes(open, { kernel, step: 'allocating buffers' }, () => {
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
    });
    const seconds = await withScopes(open, running, () =>
      submitting(open.device, [{ made, places }], pipelines, meanwhile),
    );
    await withScopes(open, { kernel, step: 'copying the result' }, () =>
      copyBack(open.device, plan, numeric, places, staging),
    );
    const words = new Uint32Array(await readMapped(open, staging, { kernel, step: 'reading the result' }));
    return { ...judge(plan, numeric, staged(plan, numeric, words), a, b), seconds };
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

/** Bytes that a buffer may have to be bound as a whole. */
export function largestBuffer({ limits }: Pick<OpenDevice, 'limits'>): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}

/** @throws Problem too-large, with the largest square product of as many levels that fits. */
export function checkLimits(open: OpenDevice, plan: Plan, { words }: Numeric, kernel: string): void {
  const largest = largestBuffer(open);
  for (const name of ['A', 'B', 'C', 'W'] as const) {
    const bytes = 4 * words * (plan.sizes[name] + 2 * GUARDS);
    if (bytes <= largest) continue;
    const unit = 2 ** plan.levels;
    const size = unit * Math.floor(Math.sqrt(largest / (4 * words) - 2 * GUARDS) / unit);
    throw problem('too-large', { kernel, buffer: name, bytes, largest, size });
  }
}

/** Where the buffers of one product lie: what dispatches bind. */
export interface Places {
  /** The first byte of each buffer's block 0. */
  readonly blocks: Readonly<Record<BufferName, { readonly buffer: GpuBuffer; readonly start: number }>>;
  /** Params of all dispatches, {@link PARAMS_STRIDE} bytes apart, from `start`. */
  readonly params: { readonly buffer: GpuBuffer; readonly start: number };
  readonly layouts: Pick<GpuRange, 'buffer'> & Partial<GpuRange>;
}

/** A program, and where its buffers lie. */
export interface Placed {
  readonly made: Program;
  readonly places: Places;
}

type Create = (size: number, usage: number, fill?: (words: Uint32Array) => void) => GPUBuffer;

/** C and the workspace have guard words before and after. */
export const guardsOf = (name: BufferName): number => (name === 'C' || name === 'W' ? GUARDS : 0);

/** Writes what a buffer holds before a product: an operand, or poison between guards. */
export function fillBuffer(
  name: BufferName,
  plan: Plan,
  numeric: Numeric,
  operands: { readonly a: Matrix; readonly b: Matrix; readonly before?: Matrix | undefined },
  words: Uint32Array,
): void {
  if (name === 'A') pack(encoded(operands.a, numeric), plan.layouts.A, numbersIn(words, numeric));
  else if (name === 'B') pack(encoded(operands.b, numeric), plan.layouts.B, numbersIn(words, numeric));
  else {
    words.fill(GUARD);
    const inside = words.subarray(numeric.words * GUARDS, numeric.words * (GUARDS + plan.sizes[name]));
    inside.fill(POISON);
    if (name === 'C' && operands.before !== undefined) {
      pack(encoded(operands.before, numeric), plan.layouts.C, numbersIn(inside, numeric));
    }
  }
}

function allocate(plan: Plan, made: Program, a: Matrix, b: Matrix, create: Create) {
  const { dispatches, layoutWords, numeric } = made;
  const place = (name: BufferName) => {
    const bytes = 4 * numeric.words;
    const guards = guardsOf(name);
    const buffer = create(
      bytes * (plan.sizes[name] + 2 * guards),
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
      (words) => fillBuffer(name, plan, numeric, { a, b, before: made.before }, words),
    );
    return { buffer, start: bytes * guards };
  };
  const blocks = { A: place('A'), B: place('B'), C: place('C'), W: place('W') };
  const paramWords = paramsData(dispatches, PARAMS_STRIDE);
  const params = create(paramWords.byteLength, GPUBufferUsage.UNIFORM, (words) => words.set(paramWords));
  const layouts = create(layoutWords.byteLength, GPUBufferUsage.STORAGE, (words) => words.set(layoutWords));
  const staging = create(
    4 * numeric.words * stagedEntries(plan),
    GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  );
  const places: Places = { blocks, params: { buffer: params, start: 0 }, layouts: { buffer: layouts } };
  return { places, staging };
}

/** Submits programs and waits for them. @returns wall-clock seconds, see {@link Execution.seconds}. */
export type Submitting = typeof submit;

/**
 * Submits programs one after the other, in portions a desktop driver tolerates.
 * @param marks where the device writes when it began and ended.
 */
export async function submit(
  device: GpuDevice,
  placed: readonly Placed[],
  pipelines: ReadonlyMap<string, GpuComputePipeline>,
  meanwhile?: () => void,
  marks?: Marks,
): Promise<number | undefined> {
  const start = performance.now();
  const textures = openTextures(device);
  const bind = binder(device, textures);
  const cut = portions(placed);
  for (const [at, portion] of cut.entries()) {
    const encoder = device.createCommandEncoder();
    const runs = betweenCopies(portion);
    for (const [place, run] of runs.entries()) {
      copyToTexture(encoder, textures, run[0]);
      const isFirst = at === 0 && place === 0;
      const isLast = at === cut.length - 1 && place === runs.length - 1;
      const pass = encoder.beginComputePass(timestampWrites(marks, isFirst, isLast));
      for (const bound of run) {
        const pipeline = pipelines.get(bound.dispatch.shader) as GPUComputePipeline;
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bind(pipeline, bound));
        pass.dispatchWorkgroups(...bound.dispatch.workgroups);
      }
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }
  meanwhile?.();
  await device.queue.onSubmittedWorkDone();
  textures.destroy();
  return meanwhile === undefined ? (performance.now() - start) / 1000 : undefined;
}

/** Cuts a portion before every dispatch whose block is to be copied to a texture first. */
function betweenCopies(portion: readonly Bound[]): Bound[][] {
  const runs: Bound[][] = [[]];
  for (const bound of portion) {
    if (bound.dispatch.texture !== undefined && runs[runs.length - 1].length > 0) runs.push([]);
    runs[runs.length - 1].push(bound);
  }
  return runs;
}

function copyToTexture(encoder: GPUCommandEncoder, textures: Textures, bound: Bound | undefined): void {
  if (bound?.dispatch.texture === undefined) return;
  const { dispatch, placed } = bound;
  const { buffer: name, offset } = dispatch.texture as Block;
  const { buffer, start } = placed.places.blocks[name];
  const { words } = placed.made.numeric;
  textures.copy(encoder, texelsOf(dispatch, words), buffer, start + 4 * words * offset);
}

interface Bound {
  readonly dispatch: Dispatch;
  readonly index: number;
  readonly placed: Placed;
}

/** Cuts programs where a submission would exceed what a desktop driver tolerates. */
function portions(programs: readonly Placed[]): Bound[][] {
  const cut: Bound[][] = [[]];
  let operations = 0;
  for (const placed of programs) {
    const atOnce = placed.made.operationsAtOnce ?? OPERATIONS_AT_ONCE;
    for (const [index, dispatch] of placed.made.dispatches.entries()) {
      if (operations > 0 && operations + dispatch.operations > atOnce) {
        cut.push([]);
        operations = 0;
      }
      operations += dispatch.operations;
      cut[cut.length - 1].push({ dispatch, index, placed });
    }
  }
  return cut;
}

/** Makes the bind groups of dispatches; each pipeline is asked for its layout once. */
function binder(device: GPUDevice, textures: Textures) {
  const known = new Map<GPUComputePipeline, GPUBindGroupLayout>();
  // A program that is submitted several times at once binds the same.
  const made = new Map<Placed, GPUBindGroup[]>();
  return (pipeline: GPUComputePipeline, bound: Bound): GPUBindGroup => {
    const groups = made.get(bound.placed) ?? [];
    made.set(bound.placed, groups);
    groups[bound.index] ??= group(pipeline, bound);
    return groups[bound.index];
  };
  function group(pipeline: GPUComputePipeline, { dispatch, index, placed }: Bound): GPUBindGroup {
    const layout = known.get(pipeline) ?? pipeline.getBindGroupLayout(0);
    known.set(pipeline, layout);
    const { made, places } = placed;
    const bytes = 4 * made.numeric.words;
    const { buffer: params, start } = places.params;
    const resources: GPUBindingResource[] = [
      { buffer: params, offset: start + index * PARAMS_STRIDE, size: PARAMS_STRIDE },
    ];
    if (dispatch.layouts) resources.push(places.layouts);
    if (dispatch.texture !== undefined) {
      resources.push(textures.of(texelsOf(dispatch, made.numeric.words)).createView());
    }
    for (const { buffer: name, offset, layout } of dispatch.blocks) {
      const { buffer, start } = places.blocks[name];
      resources.push({ buffer, offset: start + bytes * offset, size: bytes * layout.size });
    }
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return device.createBindGroup({ label: dispatch.label, layout, entries });
  }
}

const readsOperands = ({ sizes }: Plan): boolean => sizes.A + sizes.B <= READ_BACK;

/** The staging buffer holds C with its guards, the workspace's guards, then A and B where they are read back. */
function stagedEntries(plan: Plan): number {
  return plan.sizes.C + 4 * GUARDS + (readsOperands(plan) ? plan.sizes.A + plan.sizes.B : 0);
}

function copyBack(
  device: GPUDevice,
  plan: Plan,
  { words }: Numeric,
  { blocks }: Places,
  staging: GPUBuffer,
): void {
  const encoder = device.createCommandEncoder();
  let at = 0;
  const copy = (name: BufferName, from: number, entries: number) => {
    const bytes = 4 * words;
    encoder.copyBufferToBuffer(blocks[name].buffer, bytes * from, staging, bytes * at, bytes * entries);
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

/** What was read back of one product. */
export interface Left {
  /** C with its guards. */
  readonly c: Uint32Array<ArrayBuffer>;
  /** The guards of the workspace. */
  readonly guards: readonly Uint32Array[];
  /** A and B; undefined where they were too large to be read back. */
  readonly operands: { readonly a: Uint32Array; readonly b: Uint32Array } | undefined;
}

/** The parts of a staging buffer. */
function staged(plan: Plan, { words: wide }: Numeric, words: Uint32Array<ArrayBuffer>): Left {
  const { A, B, C } = plan.sizes;
  const part = (from: number, entries: number) => words.subarray(wide * from, wide * (from + entries));
  const end = C + 4 * GUARDS;
  return {
    c: part(0, C + 2 * GUARDS),
    guards: [part(C + 2 * GUARDS, 2 * GUARDS)],
    operands: readsOperands(plan) ? { a: part(end, A), b: part(end + A, B) } : undefined,
  };
}

/** What a product left, given what was read back of it. */
export function judge(
  plan: Plan,
  numeric: Numeric,
  { c, guards, operands }: Left,
  a: Matrix,
  b: Matrix,
): Omit<Execution, 'seconds'> {
  const { m, n } = plan.shape;
  const sizeC = plan.sizes.C;
  const wide = numeric.words;
  const numbers = numbersIn(c, numeric);
  const stored = { rows: m, cols: n, data: numbers.slice(0, m * n) };
  unpack(numbers.subarray(GUARDS, GUARDS + sizeC), plan.layouts.C, stored);
  const written = new Uint32Array(stored.data.buffer);
  const allGuards = [c.subarray(0, wide * GUARDS), c.subarray(wide * (GUARDS + sizeC)), ...guards];
  const changed = (name: 'A' | 'B', after: Uint32Array) => {
    const before = new Uint32Array(wide * plan.sizes[name]);
    fillBuffer(name, plan, numeric, { a, b }, before);
    return countEntries(wide, before, (at) => before[at] !== after[at]);
  };
  return {
    c: decoded(stored, numeric),
    // The lower word of a binary64 number may be anything.
    unwritten: countEntries(wide, written, (at) => at % wide === wide - 1 && written[at] === POISON),
    guardsTouched: allGuards.reduce(
      (sum, range) => sum + countEntries(wide, range, (at) => range[at] !== GUARD),
      0,
    ),
    operandsChanged: operands && changed('A', operands.a) + changed('B', operands.b),
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
