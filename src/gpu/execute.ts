import type { Matrix } from '../matrix/dense.ts';
import type { BufferName, Plan } from '../plan/plan.ts';
import type { OpenDevice } from './device.ts';
import { type Program, paramsData } from './dispatches.ts';
import { type Running, useMapped, withScopes } from './errors.ts';
import type { Execution } from './execution.ts';
import { fillBuffer } from './fill-buffer.ts';
import { guardsOf } from './guards.ts';
import { judgeLeft } from './judge-left.ts';
import { checkLimits } from './limits.ts';
import { preparePipelines } from './pipelines.ts';
import { PARAMS_STRIDE, type Places } from './places.ts';
import { POISONED_BY_COPIES, poison } from './poison.ts';
import { copyBack, staged, stagedEntries } from './read-back.ts';
import { type Submitting, submit } from './submit.ts';
import { checkTextures } from './textures.ts';

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
      const poisoned = (size: number, usage: number) => {
        const buffer = create(size, usage | GPUBufferUsage.COPY_DST);
        poison(open.device, buffer, numeric.words);
        return buffer;
      };
      return allocate(plan, made, a, b, create, poisoned);
    });
    const seconds = await withScopes(open, running, () =>
      submitting(open.device, [{ made, places }], pipelines, meanwhile),
    );
    await withScopes(open, { kernel, step: 'copying the result' }, () =>
      copyBack(open.device, plan, numeric, places, staging),
    );
    const left = await useMapped(open, staging, { kernel, step: 'reading the result' }, (contents) =>
      judgeLeft(plan, numeric, staged(plan, numeric, new Uint32Array(contents)), a, b),
    );
    return { ...left, seconds };
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

type Create = (size: number, usage: number, fill?: (words: Uint32Array) => void) => GPUBuffer;

function allocate(
  plan: Plan,
  made: Program,
  a: Matrix,
  b: Matrix,
  create: Create,
  poisoned: (size: number, usage: number) => GPUBuffer,
) {
  const { dispatches, layoutWords, numeric } = made;
  const place = (name: BufferName) => {
    const bytes = 4 * numeric.words;
    const guards = guardsOf(name);
    const size = bytes * (plan.sizes[name] + 2 * guards);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const fill = (words: Uint32Array) =>
      fillBuffer(name, plan, numeric, { a, b, before: made.before }, words);
    const isLarge = name === 'W' && size > POISONED_BY_COPIES;
    const buffer = isLarge ? poisoned(size, usage) : create(size, usage, fill);
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
