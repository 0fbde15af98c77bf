import { type Gemm, type MatrixLayout, storedLinesOf } from '../../matrix/gemm.ts';
import type { Plan } from '../../plan/plan.ts';
import type { OpenDevice } from '../device.ts';
import { checkLimits, isWithinLimits, largestBuffer, largestSize, smallestSquareOf } from '../limits.ts';
import { tooLarge } from '../messages.ts';
import type { GpuProgram } from '../wgsl/dispatches.ts';
import { roundResults } from '../wgsl/round-results.ts';
import { type DeviceJob, isLaid, type LayoutJob } from './device-job.ts';
import { laidProgram } from './laid-program.ts';
import { guardedSizeOf } from './memory.ts';
import { listRanges, type StoredMatrices } from './stored.ts';
import { withCodes, withNumbers } from './stored-codes.ts';
import { regionsOf, storedGemm } from './stored-gemm.ts';
import { storedPlan } from './stored-plan.ts';
import { checkTextures } from './textures.ts';

/** Returns the ranges of a job's matrices on the device. */
export function storeMatrices(job: DeviceJob): StoredMatrices {
  const stored = isLaid(job) ? storedGemm(job) : storedPlan(job);
  const coded = job.codes === undefined ? stored : withCodes(stored, job);
  return job.epilogue === undefined ? coded : withNumbers(coded, job.epilogue);
}

/** Returns the program of a job. */
export function programOfJob(job: DeviceJob): GpuProgram {
  if (isLaid(job)) return laidProgram(job);
  const made = (job.codes === undefined ? undefined : job.onLoad) ?? job.made;
  return job.gemm?.chain?.codes === undefined ? roundedProgram(made, job.plan) : made;
}

/** Returns the program of a plan, with the final rounding of C if results are narrower than sums. */
function roundedProgram(made: GpuProgram, { sizes }: Plan): GpuProgram {
  const { result } = made.numeric;
  if (result === undefined || sizes.C === 0) return made;
  const rounding = roundResults({ buffer: 'C', offset: 0, layout: { size: sizes.C } }, result);
  return { ...made, dispatches: [...made.dispatches, rounding] };
}

/**
 * Checks that a job fits the device as a whole.
 * @throws ParanoiaError too-large, too-large-for-texture
 */
export function checkWork(open: Pick<OpenDevice, 'limits'>, job: DeviceJob): void {
  const { plan, made, kernel, parts } = job;
  checkLimits(open, plan, made.numeric, kernel, parts?.planFor);
  if (isLaid(job)) checkLaid(open, job);
  checkTextures(open, made.dispatches, made.numeric.words, kernel);
}

function checkLaid(open: Pick<OpenDevice, 'limits'>, job: LayoutJob): void {
  const { plan, gemm, made, kernel, parts } = job;
  const over = beyond(open, job);
  if (over === undefined) return;
  const fits = (n: number): boolean => {
    const square = { ...job, plan: (parts as NonNullable<typeof parts>).planFor({ m: n, k: n, n }) };
    const isWithin = isWithinLimits(open, square.plan, made.numeric);
    return isWithin && beyond(open, { ...square, gemm: squared(gemm, n) }) === undefined;
  };
  const unit = smallestSquareOf(plan);
  const most = Math.floor(Math.sqrt(open.limits.maxBufferSize / (4 * made.numeric.words)));
  throw tooLarge({ kernel, ...over, unit, size: parts && largestSize(unit, most, fits) });
}

/** Returns the range that is too large for a binding or a buffer, if there is one. */
function beyond(open: Pick<OpenDevice, 'limits'>, job: LayoutJob) {
  const { maxBufferSize, maxStorageBufferBindingSize } = open.limits;
  const bytesOf = 4 * job.made.numeric.words;
  const ranges = listRanges(storeMatrices(job)).map(([buffer, range]) => {
    const largest = buffer === 'W' ? maxBufferSize : largestBuffer(open);
    return { buffer: buffer as string, bytes: guardedSizeOf(range), largest };
  });
  const { A, B, C } = regionsOf(job);
  // In the workspace, all blocks of a matrix are bound at once.
  const packed = Object.entries({ A, B, C }).map(([name, { size, count }]) => {
    return {
      buffer: `the blocks of ${name}`,
      bytes: bytesOf * size * count,
      largest: maxStorageBufferBindingSize,
    };
  });
  const isPacked = ranges.some(({ buffer }) => buffer === 'W');
  return [...ranges, ...(isPacked ? packed : [])].find(({ bytes, largest }) => bytes > largest);
}

/** Returns a product of square matrices with the same gaps and batch size. */
function squared(gemm: Gemm, n: number): Gemm {
  const { m, k, n: cols } = gemm;
  const laid = (from: MatrixLayout, rows: number, cols: number): MatrixLayout => {
    const { lines, entries } = storedLinesOf(from, { rows, cols });
    const ld = n + from.ld - Math.max(1, entries);
    return { ...from, ld, stride: from.stride === 0 ? 0 : n * ld + from.stride - lines * from.ld };
  };
  const c = laid(gemm.c, m, cols);
  const d = gemm.d === gemm.c ? c : laid(gemm.d, m, cols);
  return { ...gemm, ...{ m: n, k: n, n, c, d }, a: laid(gemm.a, m, k), b: laid(gemm.b, k, cols) };
}
