import type { Matrix } from '../matrix/dense.ts';
import type { BufferName, Plan } from '../plan/plan.ts';
import type { OpenDevice } from './device.ts';
import { type Program, paramsData } from './dispatches.ts';
import { type Running, readMapped, withScopes } from './errors.ts';
import type { Execution } from './execution.ts';
import { fillBuffer } from './fill-buffer.ts';
import { GUARDS, guardsOf } from './guards.ts';
import { judgeLeft, type Left } from './judge-left.ts';
import { checkLimits } from './limits.ts';
import { compileTogether, preparePipelines } from './pipelines.ts';
import { PARAMS_STRIDE, type Placed } from './places.ts';
import { submit } from './submit.ts';
import { checkTextures } from './textures.ts';

/** One of several products that are executed together: what `execute` takes for one. */
export interface Work {
  readonly plan: Plan;
  readonly made: Program;
  readonly a: Matrix;
  readonly b: Matrix;
  /** The kernel under test, as error messages name it. */
  readonly kernel: string;
}

/** Offsets of bindings are multiples of this many bytes on every device. */
const ALIGNED = 256;
const BUFFERS: readonly BufferName[] = ['A', 'B', 'C', 'W'];

/**
 * Executes many small products in one submission, in one buffer that is filled, copied and read as a whole: of a
 * small product, most of the time goes into allocating and waiting. Each has its guards, as if it were alone.
 * @param meanwhile what to do in this thread while the device computes: waiting for it is a busy loop.
 * @throws Problem too-large, out-of-gpu-memory, gpu-error, bad-shader, device-lost. An error of one product is one of
 *   all of them: executed one by one, they say whose it is.
 */
export async function executeMany(
  open: OpenDevice,
  works: readonly Work[],
  meanwhile?: () => void,
): Promise<Execution[]> {
  const running: Running = { kernel: distinct(works), step: `${works.length} products at once` };
  for (const { plan, made, kernel } of works) checkLimits(open, plan, made.numeric, kernel);
  for (const { made, kernel } of works) checkTextures(open, made.dispatches, made.numeric.words, kernel);
  await compileTogether(
    open,
    works.flatMap(({ made }) => made.dispatches),
  );
  let pipelines: Awaited<ReturnType<typeof preparePipelines>> = new Map();
  for (const { made, kernel } of works) pipelines = await preparePipelines(open, made.dispatches, kernel);
  const { spans, bytes } = arrange(works);
  const buffers: GPUBuffer[] = [];
  try {
    const { placed, arena, staging } = await withScopes(open, running, () => {
      const create = (size: number, usage: number, fill?: (bytes: ArrayBuffer) => void) => {
        const buffer = open.device.createBuffer({ size, usage, mappedAtCreation: fill !== undefined });
        buffers.push(buffer);
        if (fill !== undefined) {
          fill(buffer.getMappedRange());
          buffer.unmap();
        }
        return buffer;
      };
      return allocate(works, spans, bytes, create);
    });
    await withScopes(open, running, () => submit(open.device, placed, pipelines, meanwhile));
    await withScopes(open, { ...running, step: 'copying the results' }, () => {
      const encoder = open.device.createCommandEncoder();
      encoder.copyBufferToBuffer(arena, 0, staging, 0, bytes);
      open.device.queue.submit([encoder.finish()]);
    });
    const left = await readMapped(open, staging, { ...running, step: 'reading the results' });
    return works.map(({ plan, made, a, b }, at) => ({
      ...judgeLeft(plan, made.numeric, leftOf(plan, made, spans[at], left), a, b),
      seconds: undefined,
    }));
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

const distinct = (works: readonly Work[]) => [...new Set(works.map(({ kernel }) => kernel))].join(', ');

/** Where each buffer of a product starts, guards included, and how many bytes it has. */
type Spans = Readonly<Record<BufferName, { readonly start: number; readonly bytes: number }>>;

function arrange(works: readonly Work[]): { spans: Spans[]; bytes: number } {
  let bytes = 0;
  const spans = works.map(({ plan, made }) => {
    const span = (name: BufferName) => {
      const start = bytes;
      const size = 4 * made.numeric.words * (plan.sizes[name] + 2 * guardsOf(name));
      bytes = aligned(start + size);
      return { start, bytes: size };
    };
    return { A: span('A'), B: span('B'), C: span('C'), W: span('W') };
  });
  return { spans, bytes };
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNED) * ALIGNED;

type Create = (size: number, usage: number, fill?: (bytes: ArrayBuffer) => void) => GPUBuffer;

function allocate(works: readonly Work[], spans: readonly Spans[], bytes: number, create: Create) {
  const arena = create(bytes, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, (mapped) => {
    works.forEach(({ plan, made, a, b }, at) => {
      for (const name of BUFFERS) {
        const { start, bytes } = spans[at][name];
        fillBuffer(name, plan, made.numeric, { a, b }, new Uint32Array(mapped, start, bytes / 4));
      }
    });
  });
  const params = joined(works.map(({ made }) => paramsData(made.dispatches, PARAMS_STRIDE)));
  const layouts = joined(works.map(({ made }) => made.layoutWords));
  const paramBuffer = create(params.bytes, GPUBufferUsage.UNIFORM, params.fill);
  const layoutBuffer = create(layouts.bytes, GPUBufferUsage.STORAGE, layouts.fill);
  const staging = create(bytes, GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ);
  const placed = works.map(({ made }, at): Placed => {
    const block = (name: BufferName) => {
      const start = spans[at][name].start + 4 * made.numeric.words * guardsOf(name);
      return { buffer: arena, start };
    };
    const places = {
      blocks: { A: block('A'), B: block('B'), C: block('C'), W: block('W') },
      params: { buffer: paramBuffer, start: params.starts[at] },
      layouts: { buffer: layoutBuffer, offset: layouts.starts[at], size: made.layoutWords.byteLength },
    };
    return { made, places };
  });
  return { placed, arena, staging };
}

/** Arrays one after the other, each at a place where it can be bound. */
function joined(parts: readonly Uint32Array[]) {
  let bytes = 0;
  const starts = parts.map(({ byteLength }) => {
    const start = bytes;
    bytes = aligned(start + byteLength);
    return start;
  });
  const fill = (mapped: ArrayBuffer) => {
    parts.forEach((words, at) => {
      new Uint32Array(mapped, starts[at], words.length).set(words);
    });
  };
  return { starts, bytes, fill };
}

function leftOf(plan: Plan, { numeric }: Program, spans: Spans, bytes: ArrayBuffer): Left {
  const words = (name: BufferName) => new Uint32Array(bytes, spans[name].start, spans[name].bytes / 4);
  const w = words('W');
  const guard = numeric.words * GUARDS;
  return {
    c: words('C'),
    guards: [w.subarray(0, guard), w.subarray(numeric.words * (GUARDS + plan.sizes.W))],
    operands: { a: words('A'), b: words('B') },
  };
}
