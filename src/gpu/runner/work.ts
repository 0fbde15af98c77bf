import { extentsOf, type Gemm, type MatrixLayout, storedLinesOf } from '../../matrix/gemm.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Operand } from '../../precision/coding/coding.ts';
import type { OpenDevice } from '../device.ts';
import { checkLimits, isWithinLimits, largestBuffer, largestSize, smallestSquareOf } from '../limits.ts';
import { tooLarge } from '../messages.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import { byEntry } from '../wgsl/by-entry.ts';
import {
  codedNumeric,
  type DeviceCodedMatrix,
  wordsOfCodes,
  wordsOfFactors,
} from '../wgsl/codes/coded-words.ts';
import { decodeBlocks } from '../wgsl/codes/decode-blocks.ts';
import type { BoundRange, Dispatch } from '../wgsl/dispatch.ts';
import { type GpuProgram, stepLabel } from '../wgsl/dispatches.ts';
import { makeRelayout, scatterBehind } from '../wgsl/relayout.ts';
import { roundResults } from '../wgsl/round-results.ts';
import { layoutWords } from '../wgsl/window.ts';
import { type DeviceJob, isLaid, type LayoutJob } from './device-job.ts';
import { ALIGNED, guardedSizeOf } from './memory.ts';
import { GUARDS, listRanges, type StoredMatrices } from './stored.ts';
import { withCodes, withNumbers } from './stored-codes.ts';
import {
  countMemoryEntries,
  isEmpty,
  type LayoutTransfer,
  laying,
  onlyStep,
  regionsOf,
  storedGemm,
  storedPlan,
  type WorkspaceRegions,
} from './stored-gemm.ts';
import { checkTextures } from './textures.ts';

/** Returns the program of a job with its own layouts; it is empty if the result has no entries. */
function laidProgram(job: LayoutJob): GpuProgram {
  const { plan, gemm, made } = job;
  if (isEmpty(job)) return { ...made, dispatches: [] };
  const step = onlyStep(job);
  if (step === undefined) return packedProgram(job);
  const { operationsAtOnce = OPERATIONS_AT_ONCE } = made;
  const numeric = { ...codedNumeric(made.numeric, codesIn(job)), behind: job.epilogue };
  const [A, B, C] = [bound(job, 'A'), bound(job, 'B'), bound(job, 'C')];
  const D = gemm.c === gemm.d ? C : bound(job, 'D');
  const asked = { label: stepLabel(plan, 0), step, gemm, ranges: { A, B, C, D }, factors: factorsOf(job) };
  return { ...made, dispatches: byEntry(asked, numeric, operationsAtOnce) };
}

/** Returns the range of a matrix together with the guard words behind it, which out-of-bounds accesses then hit. */
function bound(job: LayoutJob, name: keyof LayoutTransfer): BoundRange {
  const coding = name === 'A' || name === 'B' ? job.codes?.[laying[name]]?.coding : undefined;
  const entries = countMemoryEntries(job, name);
  const size = (coding === undefined ? entries : wordsOfCodes(entries, coding.element)) + GUARDS;
  return { buffer: name, offset: 0, layout: { size }, ...(coding && { words: 1 }) };
}

/** Returns the range of the words of an operand's factors, together with the guard words behind them. */
function factorsBound({ gemm }: LayoutJob, of: Operand, { coding, members }: DeviceCodedMatrix): BoundRange {
  const size = wordsOfFactors(coding, of, extentsOf(gemm)[of], members) + GUARDS;
  return { buffer: of === 'a' ? 'SA' : 'SB', offset: 0, layout: { size }, words: 1 };
}

const factorsOf = (job: LayoutJob): BoundRange[] =>
  (['a', 'b'] as const).flatMap((of) => {
    const coded = job.codes?.[of];
    return coded === undefined ? [] : [factorsBound(job, of, coded)];
  });

const codesIn = ({ codes }: LayoutJob) => codes && { a: codes.a?.coding, b: codes.b?.coding };

/** Returns the plan's own dispatches for each product, between copies of the matrices into blocks and of the result out of them. */
function packedProgram(job: LayoutJob): GpuProgram {
  const { plan, gemm, made } = job;
  const { numeric, dispatches } = made;
  const regions = regionsOf(job);
  const words = [...made.layoutWords];
  const copies = (way: 'gather' | 'scatter', name: 'A' | 'B' | 'C', from: keyof LayoutTransfer = name) => {
    const { at, size, count } = regions[name];
    const [layout, layoutAt] = [plan.layouts[name], words.length];
    words.push(...layoutWords(layout));
    const blocks: BoundRange = { buffer: 'W', offset: at, layout: { size: size * count } };
    const label = way === 'gather' ? `packing ${from}` : `unpacking ${from}`;
    const [laid, extent, range] = [gemm[laying[from]], extentsOf(gemm)[laying[from]], bound(job, from)];
    const copied = { label, laid, ...extent, range, layout, layoutAt, blocks, count };
    const coded = name === 'C' ? undefined : job.codes?.[laying[name]];
    if (way === 'scatter' && job.epilogue !== undefined)
      return scatterBehind(copied, { behind: job.epilogue, result: resultOf(job) });
    if (coded === undefined || name === 'C') return makeRelayout(copied, way, numeric.words);
    const factors = factorsBound(job, laying[name], coded);
    const operand = name === 'A' ? 'x' : 'y';
    return decodeBlocks({ ...copied, name: operand, coding: coded.coding, factors }, numeric);
  };
  const factors = [copies('gather', 'A'), copies('gather', 'B')];
  return {
    ...made,
    dispatches: [
      ...(regions.A.count > 0 ? factors : []),
      ...(gemm.beta === 0 ? [] : [copies('gather', 'C')]),
      ...Array.from({ length: gemm.batch }, (_, p) => dispatches.map((one) => moved(one, regions, p))).flat(),
      ...roundingIn(job, regions),
      copies('scatter', 'C', gemm.c === gemm.d ? 'C' : 'D'),
    ],
    layoutWords: new Uint32Array(words),
  };
}

/** Returns the rounding of results behind an epilogue; codes are results already. */
const resultOf = ({ made: { numeric }, gemm: { chain } }: LayoutJob) =>
  chain?.codes === undefined ? numeric.result : undefined;

/** Returns the final rounding of all products at once, present if results are narrower than sums and nothing follows these. */
function roundingIn(
  { made: { numeric }, epilogue }: LayoutJob,
  { C: { at, size, count } }: WorkspaceRegions,
): Dispatch[] {
  if (numeric.result === undefined || epilogue !== undefined) return [];
  return [roundResults({ buffer: 'W', offset: at, layout: { size: size * count } }, numeric.result)];
}

/** Moves a dispatch of a plan to the blocks of product number p. */
function moved(dispatch: Dispatch, regions: WorkspaceRegions, p: number): Dispatch {
  const within = ({ buffer, offset, layout }: BoundRange): BoundRange => {
    const { at, size, count } = regions[buffer as keyof WorkspaceRegions];
    return { buffer: 'W', offset: at + Math.min(p, count - 1) * size + offset, layout };
  };
  const { texture, blocks } = dispatch;
  return {
    ...dispatch,
    ...(texture === undefined ? {} : { texture: within(texture) }),
    blocks: blocks.map(within),
  };
}

export function storeMatrices(job: DeviceJob): StoredMatrices {
  const stored = isLaid(job) ? storedGemm(job) : storedPlan(job);
  const coded = job.codes === undefined ? stored : withCodes(stored, job);
  return job.epilogue === undefined ? coded : withNumbers(coded, job.epilogue);
}

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
  checkParams(open, made.dispatches.length, kernel);
}

/** Checks that the params of all dispatches fit in one buffer. */
function checkParams({ limits }: Pick<OpenDevice, 'limits'>, dispatches: number, kernel: string): void {
  const bytes = dispatches * ALIGNED;
  const largest = limits.maxBufferSize;
  if (bytes > largest)
    throw tooLarge({ kernel, buffer: `the params of ${dispatches} dispatches`, bytes, largest });
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
