import { significantBitsOf, slicesFor } from '../../exact/slices.ts';
import type { RealArray } from '../../matrix/dense.ts';
import { type CurrentWork, withScopes } from '../queue/errors.ts';
import { pipelineOf } from '../queue/pipelines.ts';
import type { GpuWork } from './gpu-work.ts';
import type { DigitLayout, Multiplier } from './multiplier.ts';
import { ENTRIES_AT_ONCE, LINES_AT_ONCE, sizeShader, sliceShader } from './slice-shaders.ts';

/** The device's findings about the lines (rows of A, columns of B) of a panel: see `sizeShader`. */
interface FoundLines {
  readonly top: Int32Array;
  readonly grid: Int32Array;
  /** For each line, a value other than 0 if an entry is NaN or infinite. */
  readonly special: Uint32Array;
}

/** The lines of a panel in the order in which they are cut. Lines of few slices come first, so that more blocks have few slices. */
interface OrderedLines {
  /** For each place, its line; {@link NOBODY} for places after the last line. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** For each place, the exponent of the line's unit. */
  readonly grid: Int32Array<ArrayBuffer>;
  /** For each block of places, the slices of its widest line. */
  readonly slices: Uint32Array<ArrayBuffer>;
  /** The number of places that hold a line. */
  readonly used: number;
  /** The most slices and the most bits of any line. */
  readonly mostSlices: number;
  readonly mostBits: number;
  /** Lines that the CPU must compute. */
  readonly unfit: readonly number[];
}

/** Mark of a place that holds no line. */
export const NOBODY = 0xffffffff;
/** The initial values of `top` and `grid`, which the device leaves for a line of zeros. */
const NO_TOP = -0x7fffffff;
const NO_GRID = 0x7fffffff;

/** Orders the lines of a panel by their slices, in blocks of `block` lines. */
function orderLines({ top, grid, special }: FoundLines, block: number): OrderedLines {
  const bits = Array.from(top, (highest, line) => {
    if (special[line] !== 0) return undefined;
    return highest === NO_TOP ? 0 : significantBitsOf({ top: highest, grid: grid[line] });
  });
  const fit: number[] = [];
  const unfit: number[] = [];
  for (const [line, width] of bits.entries()) (width === undefined ? unfit : fit).push(line);
  const slicesOf = (line: number) => slicesFor(bits[line] ?? 0);
  fit.sort((x, y) => slicesOf(x) - slicesOf(y) || x - y);
  const places = Math.ceil(fit.length / block) * block;
  const order = new Uint32Array(places).fill(NOBODY);
  order.set(fit);
  const slices = new Uint32Array(places / block);
  const grids = new Int32Array(places);
  for (const [place, line] of fit.entries()) {
    const at = Math.floor(place / block);
    slices[at] = Math.max(slices[at], slicesOf(line));
    grids[place] = grid[line] === NO_GRID ? 0 : grid[line];
  }
  const mostBits = fit.reduce((most, line) => Math.max(most, bits[line] ?? 0), 0);
  return { order, grid: grids, slices, used: fit.length, mostSlices: slices.at(-1) ?? 1, mostBits, unfit };
}

/** The most workgroups along a dimension that every device accepts. */
const MOST_WORKGROUPS = 65535;

/** Lines of an operand: entry t of line l is at l·lineStride + t·entryStride of `data`. */
interface StridedLines {
  readonly data: RealArray;
  readonly lines: number;
  readonly length: number;
  readonly lineStride: number;
  readonly entryStride: number;
}

/** Lines that were cut into digits on the device. */
export interface DigitLines extends OrderedLines {
  /** The number of places: lines, and padding. */
  readonly places: number;
  readonly digits: GPUBuffer;
  readonly orderBuffer: GPUBuffer;
  readonly gridBuffer: GPUBuffer;
  destroy(): void;
}

/** Returns the packed words of four digits that a line of `length` entries takes. */
export function packedWords(length: number, { step }: Multiplier): number {
  return Math.ceil(length / 4 / step) * step;
}

/**
 * Cuts lines into digits on the device.
 * @returns undefined if the digits take more than `largest` bytes: the caller should pass fewer lines.
 * @throws ParanoiaError as the device reports.
 */
export async function cutOnDevice(
  work: GpuWork,
  lines: StridedLines,
  by: Multiplier,
  largest: number,
  running: CurrentWork,
): Promise<DigitLines | undefined> {
  const raw = await withScopes(work.open, running, () => work.uploadOperand(lines.data));
  try {
    const ordered = orderLines(await sizes(work, lines, raw, running), by.block);
    const places = ordered.order.length;
    const words = packedWords(lines.length, by);
    const bytes = 4 * ordered.mostSlices * places * words;
    if (bytes > largest) return undefined;
    return await slices(work, lines, raw, ordered, by.layout(places, words), words, running);
  } finally {
    raw.destroy();
  }
}

async function sizes(
  work: GpuWork,
  lines: StridedLines,
  raw: GPUBuffer,
  running: CurrentWork,
): Promise<FoundLines> {
  const count = lines.lines;
  const begin = new Int32Array(3 * count);
  begin.fill(NO_TOP, 0, count).fill(NO_GRID, count, 2 * count);
  const pipeline = await pipelineOf(work.open, sizeShader(wordsOf(lines)), running);
  const found = await withScopes(work.open, running, () => work.upload(begin));
  const staging = await withScopes(work.open, running, () => {
    work.submit({
      pipeline,
      params: [count, lines.length, lines.lineStride, lines.entryStride],
      buffers: [raw, found],
      workgroups: [Math.ceil(count / LINES_AT_ONCE), Math.ceil(lines.length / ENTRIES_AT_ONCE)],
    });
    return work.stage([{ buffer: found, bytes: begin.byteLength }]);
  });
  const all = await work.read(staging, (mapped) => new Int32Array(mapped.slice(0, begin.byteLength)));
  found.destroy();
  return {
    top: all.subarray(0, count),
    grid: all.subarray(count, 2 * count),
    special: new Uint32Array(all.buffer, 8 * count, count),
  };
}

async function slices(
  work: GpuWork,
  lines: StridedLines,
  raw: GPUBuffer,
  ordered: OrderedLines,
  layout: DigitLayout,
  words: number,
  running: CurrentWork,
): Promise<DigitLines> {
  const { mostSlices, order, grid, used } = ordered;
  const places = order.length;
  const pipeline = await pipelineOf(
    work.open,
    sliceShader(wordsOf(lines), Math.ceil(mostSlices / 4)),
    running,
  );
  return withScopes(work.open, running, () => {
    const orderBuffer = work.upload(order);
    const gridBuffer = work.upload(grid);
    const digits = work.buffer(4 * mostSlices * places * words);
    work.submit({
      pipeline,
      params: [
        ...[used, lines.length, lines.lineStride, lines.entryStride, mostSlices],
        ...[layout.sliceStride, layout.placeStride, layout.wordStride, words],
      ],
      buffers: [raw, orderBuffer, gridBuffer, digits],
      workgroups: [Math.ceil(used / LINES_AT_ONCE), Math.min(words, MOST_WORKGROUPS)],
    });
    const destroy = () => {
      for (const buffer of [orderBuffer, gridBuffer, digits]) buffer.destroy();
    };
    return { ...ordered, places, digits, orderBuffer, gridBuffer, destroy };
  });
}

const wordsOf = ({ data }: StridedLines) => (data instanceof Float32Array ? 1 : 2);
