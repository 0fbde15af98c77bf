import type { Shape } from '../../../matrix/dense.ts';
import type { CombineStep, FactorSum, MultiplyStep, Plan, Step, StepOperand } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { type Dispatch, linearGrid, rowRanges } from '../dispatch.ts';
import type { Leaf } from '../leaves/leaf.ts';
import { fusedTiling, type StagedTiling, tileShapeOf, tripOf } from '../tilings.ts';
import {
  BETA,
  FRESH,
  factorFlag,
  factorsOf,
  NEGATIVE,
  scaleFactorWords,
  scaleFunction,
} from './instances.ts';

import { primitiveShader } from './primitive.ts';
import { stagedPrimitiveShader } from './staged-primitive.ts';

/** A product in a fused style, or the preparation of C before it. */
type FusedStep = CombineStep | (MultiplyStep & Required<Pick<MultiplyStep, 'primitive'>>);

/** True if a step runs on the kernels of this folder: a fused product, or the preparation of C for fused products. */
export function isFused(step: Step): boolean {
  return step.kind === 'multiply'
    ? step.primitive !== undefined
    : step.updates.every(({ terms }) => terms.length === 0);
}

export interface FusedOptions {
  readonly label: string;
  readonly numeric: Numeric;
  /** The blocking's name. @defaultValue the leaf kernel's if it has one, otherwise one chosen by shape */
  readonly blocking: string | undefined;
  readonly leaf: Pick<Leaf, 'tiling'>;
  /** Stores the words of a batch's instances for the shader, and returns where they start. */
  readonly addWords: (words: readonly number[]) => number;
  /** The most operations of one dispatch. */
  readonly operationsAtOnce: number;
}

/** Returns the dispatches of a batch at its first step, and none at its other steps. */
export function fusedDispatches(plan: Plan, index: number, options: FusedOptions): Dispatch[] {
  const step = plan.steps[index] as FusedStep;
  if (step.kind === 'combine') return [preparation(step, options)];
  const batch = batchFrom(plan.steps, index);
  return isSameBatch(plan.steps[index - 1], step) ? [] : batchDispatches(plan, batch, options);
}

const isSameBatch = (one: Step | undefined, other: MultiplyStep): boolean =>
  one?.kind === 'multiply' &&
  one.primitive?.batch === other.primitive?.batch &&
  one.path.slice(0, -1).join() === other.path.slice(0, -1).join();

/** Returns the steps that belong to the same call and batch, starting at an index. */
function batchFrom(steps: readonly Step[], index: number): MultiplyStep[] {
  const batch = [steps[index] as MultiplyStep];
  for (let at = index + 1; at < steps.length; at++) {
    const next = steps[at];
    if (next.kind !== 'multiply' || !isSameBatch(next, batch[0])) break;
    batch.push(next);
  }
  return batch;
}

function batchDispatches(
  { scaling }: Plan,
  batch: readonly MultiplyStep[],
  options: FusedOptions,
): Dispatch[] {
  const { label, numeric, addWords, operationsAtOnce } = options;
  const [step] = batch;
  const { m, k, n } = step.shape;
  const scaled = step.times !== undefined || scaling.beta !== 0;
  const { shader, tile } = shaderOf(batch, scaled, options);
  const factors = batchFactors(batch);
  const table = addWords(batch.flatMap((one) => instanceWords(one, factors)));
  const roots = rootsOf(step);
  const more = batch.length === 1 ? '' : ` and ${batch.length - 1} more of its batch`;
  return rowRanges({ m, k, n: n * batch.length }, { tile }, operationsAtOnce).map(([firstRow, endRow]) => ({
    label: `${label}${more}`,
    shader,
    params: [
      ...[m, k, n, firstRow],
      ...roots.flatMap(extents),
      ...[step.times ?? 1, scaling.beta].flatMap((factor) => scaleFactorWords(factor, numeric)),
      table,
    ],
    layouts: true,
    blocks: roots.map(({ block }) => block),
    workgroups: [Math.ceil(n / tile.n), Math.ceil((endRow - firstRow) / tile.m), batch.length],
    operations: 2 * (endRow - firstRow) * k * n * batch.length,
  }));
}

const rootsOf = ({ x, y, slots }: MultiplyStep): StepOperand[] => [x[0], y[0], slots[0]];

/** Returns the shader of a batch, and the rows and columns of its blocks. */
function shaderOf(
  batch: readonly MultiplyStep[],
  scaled: boolean,
  options: FusedOptions,
): { shader: string; tile: Shape } {
  const [{ x, y, slots, shape }] = batch;
  const { m, n } = shape;
  const { numeric } = options;
  const counts = { a: x.length, b: y.length, c: slots.length };
  const staged = stagedTiling(batch, options);
  if (staged !== undefined) {
    const startsNegative = (factor: (step: MultiplyStep) => FactorSum) =>
      batch.some((step) => factor(step)[0].factor < 0);
    const negativeFirst = { a: startsNegative((step) => step.x), b: startsNegative((step) => step.y) };
    const shader = stagedPrimitiveShader({ counts, scaled, tiling: staged, negativeFirst }, numeric);
    return { shader, tile: tileShapeOf(staged) };
  }
  const tiling = fusedTiling(m, n, batch.length, numeric, options.blocking);
  const tile = tileShapeOf(tiling);
  const [byFour, whole, atomic] = [isByFour(batch[0]), isWhole(batch, tile), isUnordered(batch[0])];
  const kind = { counts, tiling, byFour, whole, atomic, scaled, factors: batchFactors(batch) };
  return { shader: primitiveShader(kind, numeric), tile };
}

type Choice = Pick<FusedOptions, 'numeric' | 'blocking' | 'leaf'>;

/** Returns the leaf kernel's block shape if it divides the whole batch and no other blocking is requested; otherwise undefined. */
function stagedTiling(
  batch: readonly MultiplyStep[],
  { numeric, blocking, leaf: { tiling } }: Choice,
): StagedTiling | undefined {
  if (tiling.family !== 'staged' || blocking !== undefined || !numeric.lanes || isUnordered(batch[0]))
    return undefined;
  if (batchFactors(batch).length > 0) return undefined;
  const trip = { ...tileShapeOf(tiling), k: tripOf(tiling) };
  return isByFour(batch[0]) && isWhole(batch, trip) ? tiling : undefined;
}

/** True if all products of a fused plan take the block shape of the leaf kernel. */
export function takesBlock({ steps }: Plan, choice: Choice): boolean {
  return steps.every((step) => step.kind === 'combine' || stagedTiling([step], choice) !== undefined);
}

const isUnordered = ({ slots }: MultiplyStep): boolean => slots[0].unordered !== undefined;

const isByFour = (step: MultiplyStep): boolean =>
  [step.shape.k, step.shape.n, ...rootsOf(step).map((root) => extents(root)[2])].every(
    (size) => size % 4 === 0,
  );

/** True if a tile divides every product of a batch, and no block is cut off at an edge. */
const isWhole = (batch: readonly MultiplyStep[], tile: Shape): boolean =>
  batch.every(
    (step) =>
      isUncut(step) &&
      step.shape.m % tile.m === 0 &&
      step.shape.n % tile.n === 0 &&
      step.shape.k % tile.k === 0,
  );

/** True if no block of a product is cut off at a matrix's edge. */
const isUncut = ({ x, y, slots, shape: { m, k, n } }: MultiplyStep): boolean =>
  x.every((block) => isSize(block, m, k)) &&
  y.every((block) => isSize(block, k, n)) &&
  slots.every((block) => isSize(block, m, n));

const isSize = ({ window }: StepOperand, rows: number, cols: number): boolean =>
  window?.rows === rows && window.cols === cols;

/** Returns the rows, columns and leading dimension of a block's matrix, and a word of padding. */
function extents({ block: { layout } }: StepOperand): [number, number, number, number] {
  if (layout.kind !== 'leaf') throw new Error('Only row-major matrices can be fused.');
  return [layout.rows, layout.cols, layout.ld, 0];
}

/** Returns the words that the shader reads of a product: the places and signs of its terms, and the updates of C's blocks. */
function instanceWords({ x, y, slots, updates }: MultiplyStep, factors: readonly number[]): number[] {
  const flags = (factor: number) => (factor === -1 ? NEGATIVE : factorFlag(factor, factors));
  const factor = [...x, ...y].flatMap((addend) => termWords(addend, flags(addend.factor)));
  const targets = slots.flatMap((slot, at) => {
    const { terms } = updates[at];
    return termWords(
      slot,
      flags(terms[terms.length - 1].factor) | (slot.load ? 0 : FRESH) | (slot.times === undefined ? 0 : BETA),
    );
  });
  return [...factor, ...targets];
}

/** Returns the factors of a batch other than ±1. */
const batchFactors = (batch: readonly MultiplyStep[]): number[] =>
  factorsOf(
    batch.flatMap(({ x, y, updates }) =>
      [...x, ...y, ...updates.flatMap(({ terms }) => terms)].map(({ factor }) => factor),
    ),
  );

const termWords = ({ window }: StepOperand, flags: number): number[] => [
  window?.row ?? 0,
  window?.col ?? 0,
  flags,
];

function preparation(step: CombineStep, { label, numeric }: FusedOptions): Dispatch {
  const [slot] = step.slots;
  const entries = slot.block.layout.size;
  const { workgroups, width } = linearGrid(entries, PREPARATION_WORKGROUP);
  return {
    label,
    shader: preparationShader(slot.times !== undefined, numeric),
    params: [entries, width, ...scaleFactorWords(slot.times ?? 0, numeric)],
    layouts: false,
    blocks: [slot.block],
    workgroups,
    operations: entries,
  };
}

/** The invocations of a preparation's workgroup. */
const PREPARATION_WORKGROUP = 64;

/**
 * Returns the WGSL that prepares C for products that are added in any order: C = 0, or C = beta·C. Bindings are 0: the number of entries,
 * the width of the grid in invocations, and beta; 1: C.
 */
function preparationShader(scaled: boolean, numeric: Numeric): string {
  const width: Width = 1;
  const made = scaled ? `times(${numeric.load('z[e]', width)}, params.beta)` : numeric.zero(width);
  return `${numeric.enables}struct Params { count: u32, width: u32, beta: vec2<u32>, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
${numeric.prelude}
@group(0) @binding(1) var<storage, read_write> z: array<${numeric.memory(width)}>;
${scaled ? scaleFunction(numeric, width) : ''}
@compute @workgroup_size(${PREPARATION_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e < params.count) { z[e] = ${numeric.store(made, width)}; }
}`;
}
