import { extentsOf } from '../../matrix/gemm.ts';
import type { Operand } from '../../precision/coding/coding.ts';
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
import type { LayoutJob } from './device-job.ts';
import { GUARDS } from './stored.ts';
import {
  countMemoryEntries,
  isEmpty,
  type LayoutTransfer,
  laying,
  onlyStep,
  regionsOf,
  type WorkspaceRegions,
} from './stored-gemm.ts';

/** Returns the program of a job with its own layouts; it is empty if the result has no entries. */
export function laidProgram(job: LayoutJob): GpuProgram {
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
