import { takeCols } from '../../exact/sampled.ts';
import { listPasses, type SlicePass, wordsFor } from '../../exact/slices.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { tooLarge } from '../messages.ts';
import { type CurrentWork, withScopes } from '../queue/errors.ts';
import { pipelineOf } from '../queue/pipelines.ts';
import { cutOnDevice, type DigitLines, packedWords } from './cut.ts';
import type { GpuWork } from './gpu-work.ts';
import type { Multiplier } from './multiplier.ts';
import { ROUND_WORKGROUP, roundShader } from './round-shader.ts';

/** A part of an exact product: the rows from `row` on and the columns from `col` on. */
export interface ExactPanel {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
  /** The values, row-major, rows×cols; only valid during the call. Lines that the CPU must compute hold 0. */
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** A report on a product after all its panels are done. */
export interface PanelReport {
  /** Rows of A, and columns of B, that the CPU must compute: NaN, infinities, exponents too far apart. */
  readonly unfitRows: readonly number[];
  readonly unfitCols: readonly number[];
  /** The most slices of any row, and of any column. */
  readonly slices: readonly [number, number];
  readonly panels: number;
}

/** Options for the multiplication of slices. */
export interface PanelOptions {
  readonly by: Multiplier;
  readonly running: CurrentWork;
  /** The passes of a product; a planted fault replaces them. */
  readonly schedule?: typeof listPasses;
  /** Receives a finished panel, whose arrays are overwritten afterwards. */
  take(panel: ExactPanel): void;
}

/** The entries of a panel: each takes 16 bytes to be read back, twice, and up to 36 bytes of sums. */
const ENTRIES_AT_ONCE = 2 ** 24;
/** The most words of a sum: two lines with the most slices, and k up to 2^22. */
const MOST_WORDS = 9;
/** Multiplications and additions of digits submitted at a time: about 30 ms on a large GPU, a second on a small one. */
const OPERATIONS_AT_ONCE = 2 ** 41;

/** Computes A·B in panels. @throws ParanoiaError `too-large`, or as the device reports. */
export async function exactPanels(
  work: GpuWork,
  a: Matrix,
  b: Matrix,
  options: PanelOptions,
): Promise<PanelReport> {
  const { by, running } = options;
  const { limits } = work.open;
  const largest = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const entries = Math.min(ENTRIES_AT_ONCE, Math.floor(largest / 4 / MOST_WORDS));
  const unfitRows = new Set<number>();
  const unfitCols = new Set<number>();
  const most: [number, number] = [0, 0];
  let panels = 0;
  let last: Promise<void> = Promise.resolve();
  const lineBytes = Math.max(a.data.BYTES_PER_ELEMENT * a.cols, 1);
  const columns = await eachRange(
    b.cols,
    Math.floor(largest / (b.data.BYTES_PER_ELEMENT * Math.max(b.rows, 1))),
    by.block,
    async (col, colEnd) => {
      const cols = colEnd - col;
      const part =
        cols === b.cols
          ? b
          : takeCols(
              b,
              Array.from({ length: cols }, (_, j) => col + j),
            );
      const right = await cutOnDevice(
        work,
        { data: part.data, lines: cols, length: b.rows, lineStride: 1, entryStride: cols },
        by,
        largest,
        running,
      );
      if (right === undefined) return false;
      for (const j of right.unfit) unfitCols.add(col + j);
      most[1] = Math.max(most[1], right.mostSlices);
      const atOnce = Math.min(
        Math.floor(entries / Math.max(cols, by.block)),
        Math.floor(largest / lineBytes),
      );
      const rows = await eachRange(a.rows, atOnce, by.block, async (row, rowEnd) => {
        const lines = {
          data: a.data.subarray(row * a.cols, rowEnd * a.cols),
          lines: rowEnd - row,
          length: a.cols,
          lineStride: a.cols,
          entryStride: 1,
        };
        const left = await cutOnDevice(work, lines, by, largest, running);
        if (left === undefined) return false;
        for (const i of left.unfit) unfitRows.add(row + i);
        most[0] = Math.max(most[0], left.mostSlices);
        const staging = await multiplied(work, left, right, a.cols, lines.lines, cols, options);
        left.destroy();
        panels++;
        // The device computes this panel while the CPU takes the previous one.
        await last;
        last = taken(work, staging, { row, col, rows: lines.lines, cols }, options);
        last.catch(() => {});
        return true;
      });
      right.destroy();
      if (!rows) throw exceeding(lineBytes);
      return true;
    },
  );
  await last;
  if (!columns) throw exceeding(b.data.BYTES_PER_ELEMENT * b.rows);
  return {
    unfitRows: [...unfitRows].sort(ascending),
    unfitCols: [...unfitCols].sort(ascending),
    slices: most,
    panels,
  };

  function exceeding(bytes: number) {
    return tooLarge({
      kernel: running.kernel,
      buffer: 'digits',
      bytes: bytes * by.block,
      largest,
    });
  }
}

const ascending = (x: number, y: number) => x - y;

/**
 * Processes 0 … count in ranges of at most `atOnce`, halving a range that is too large.
 * @returns false if even a single block is too large.
 */
async function eachRange(
  count: number,
  atOnce: number,
  block: number,
  visit: (begin: number, end: number) => Promise<boolean>,
): Promise<boolean> {
  let length = Math.max(block, Math.floor(atOnce / block) * block);
  for (let begin = 0; begin < count; ) {
    const end = Math.min(begin + length, count);
    if (await visit(begin, end)) {
      begin = end;
      continue;
    }
    if (length <= block) return false;
    length = Math.max(block, Math.floor(Math.min(length, count) / 2 / block) * block);
  }
  return true;
}

/** Submits all passes of a panel, and copies its values and remainders to a buffer that can be mapped. */
async function multiplied(
  work: GpuWork,
  left: DigitLines,
  right: DigitLines,
  k: number,
  rows: number,
  cols: number,
  options: PanelOptions,
): Promise<GPUBuffer> {
  const { by, running } = options;
  const words = wordsFor(left.mostBits, right.mostBits, k);
  const [blocksA, blocksB] = [left.places / by.block, right.places / by.block];
  const [multiply, round] = [
    await pipelineOf(work.open, by.shader(words), running),
    await pipelineOf(work.open, roundShader(words), running),
  ];
  return withScopes(work.open, running, () => {
    const planeStride = left.places * right.places;
    const counts = work.upload(Uint32Array.from([...left.slices, ...right.slices]));
    const sums = work.buffer(4 * words * planeStride);
    const values = work.buffer(8 * rows * cols);
    const lows = work.buffer(8 * rows * cols);
    const packed = packedWords(k, by);
    const passes = (options.schedule ?? listPasses)(left.mostSlices, right.mostSlices, packed, by.step);
    if (blocksA > 0 && blocksB > 0) {
      for (const pass of passes) {
        for (const [firstBlock, blocks] of portions(pass, left, right, by)) {
          work.submit({
            pipeline: multiply,
            params: [
              ...[packed, left.places, right.places, pass.diagonal, pass.from, pass.to, firstBlock],
              ...[planeStride / 4, blocksA, left.used, right.used],
            ],
            buffers: [left.digits, right.digits, counts, sums],
            workgroups: [blocksB, blocks],
          });
        }
      }
      const { across, down } = ROUND_WORKGROUP;
      work.submit({
        pipeline: round,
        params: [left.places, right.places, planeStride, cols],
        buffers: [
          ...[sums, left.orderBuffer, right.orderBuffer],
          ...[left.gridBuffer, right.gridBuffer, values, lows],
        ],
        workgroups: [Math.ceil(right.places / across), Math.ceil(left.places / down)],
      });
    }
    const staging = work.stage([values, lows].map((buffer) => ({ buffer, bytes: 8 * rows * cols })));
    for (const buffer of [counts, sums, values, lows]) buffer.destroy();
    return staging;
  });
}

/** Splits rows of blocks into portions that are submitted together. */
function portions(
  { from, to }: SlicePass,
  left: DigitLines,
  right: DigitLines,
  { block }: Multiplier,
): [number, number][] {
  const blocks = left.places / block;
  const pairs = Math.min(left.mostSlices, right.mostSlices);
  const operations = 2 * block * right.places * 4 * (to - from) * pairs;
  const atOnce = Math.max(1, Math.floor(OPERATIONS_AT_ONCE / operations));
  const parts: [number, number][] = [];
  for (let first = 0; first < blocks; first += atOnce) parts.push([first, Math.min(atOnce, blocks - first)]);
  return parts;
}

async function taken(
  work: GpuWork,
  staging: GPUBuffer,
  place: Pick<ExactPanel, 'row' | 'col' | 'rows' | 'cols'>,
  { take }: PanelOptions,
): Promise<void> {
  const count = place.rows * place.cols;
  await work.read(staging, (mapped) =>
    take({
      ...place,
      value: new Float64Array(mapped, 0, count),
      low: new Float64Array(mapped, 8 * count, count),
    }),
  );
}
