import { extentsOf } from '../../matrix/gemm.ts';
import type { BlockLayout } from '../../plan/layout.ts';
import type { CombineStep, MultiplyStep, Plan } from '../../plan/plan.ts';
import { type Numeric, single, type Width } from '../../precision/wgsl/numeric.ts';
import { kernelCall } from '../../readers/basic-kernels.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import { wordsOfCodes, wordsOfFactors } from './codes/coded-words.ts';
import { type BoundRange, type Dispatch, linearGrid, rowRanges } from './dispatch.ts';
import { fusedDispatches, isFused } from './fused/dispatches.ts';
import { declareSlots, finishFunction, updatesWord } from './leaves/epilogue.ts';
import type { Leaf } from './leaves/leaf.ts';
import { leafShader, leafVariant } from './leaves/shaders.ts';
import { layoutWords, WINDOW_WORKGROUP, windowShader, windowWords } from './window.ts';

/** The dispatches of a plan, and the layout words that window products read. */
export interface GpuProgram {
  readonly dispatches: readonly Dispatch[];
  readonly layoutWords: Uint32Array<ArrayBuffer>;
  /** The format of entries in memory. */
  readonly numeric: Numeric;
  /** The most operations of one submission. @defaultValue {@link OPERATIONS_AT_ONCE} */
  readonly operationsAtOnce?: number;
}

/**
 * Compiles a plan's steps to dispatches: leaf products by `leaf`, thin ones by windows, sums by linear passes.
 * @param numeric the precision of the computation. @defaultValue binary32
 * @param leaf the leaf kernel; fused products take its block shape too, if it has one and the shape divides them.
 * @param blocking the name of the fused products' blocking. @defaultValue the leaf's, or one chosen by their shape
 * @param operationsAtOnce the most operations of one dispatch, and of one submission.
 */
export function compileProgram(
  plan: Plan,
  leaf: Leaf,
  numeric: Numeric = single,
  blocking?: string,
  operationsAtOnce = OPERATIONS_AT_ONCE,
): GpuProgram {
  const of = [leaf, numeric, blocking, operationsAtOnce];
  const last = programs.get(plan);
  if (last?.of.every((part, at) => part === of[at])) return last.made;
  const made = programOf(plan, leaf, numeric, blocking, operationsAtOnce);
  programs.set(plan, { of, made });
  return made;
}

/** The last program of each plan, and its other inputs. Products are repeated, or prepared in advance. */
const programs = new WeakMap<Plan, { readonly of: readonly unknown[]; readonly made: GpuProgram }>();

function programOf(
  plan: Plan,
  leaf: Leaf,
  numeric: Numeric,
  blocking: string | undefined,
  operationsAtOnce: number,
): GpuProgram {
  const layouts = new LayoutTable();
  const shaders = new Map<string, string>();
  const dispatches = plan.steps.flatMap((step, index) => {
    const label = stepLabel(plan, index);
    if (isFused(step)) {
      const addWords = (words: readonly number[]) => layouts.addWords(words);
      return fusedDispatches(plan, index, { label, numeric, blocking, leaf, addWords, operationsAtOnce });
    }
    const shader = (variant: string, make: () => string) => {
      const key = `${variant} ${JSON.stringify([step.updates, step.slots.map(({ load, store }) => [load, store])])}`;
      if (!shaders.has(key)) shaders.set(key, make());
      return shaders.get(key) as string;
    };
    if (step.kind === 'combine')
      return [
        combine(
          step,
          combineWidth(numeric),
          label,
          shader('combine', () => combineShader(step, numeric)),
        ),
      ];
    if (isWindowed(step))
      return [
        windowed(
          step,
          label,
          shader('window', () => windowShader(step, numeric)),
          layouts,
        ),
      ];
    return leafProduct(
      step,
      label,
      leaf,
      shader(`${leafVariant(leaf, step.shape)} ${step.run}`, () => leafShader(leaf, step, numeric)),
      operationsAtOnce,
      operandsOf(plan, step, leaf, numeric),
    );
  });
  return { dispatches, layoutWords: layouts.words(), numeric, operationsAtOnce };
}

/** Describes a step in words, for error messages and listings. */
export function stepLabel(plan: Plan, index: number): string {
  const step = plan.steps[index];
  const { kernel, args } = kernelCall(step);
  const where = step.path.length === 0 ? '' : `, product ${step.path.join('.')}`;
  return `step ${index + 1} of ${plan.steps.length}${where}: ${kernel}(${args.join(', ')})`;
}

function isWindowed(step: MultiplyStep): boolean {
  return step.x[0].window !== undefined;
}

function combine(step: CombineStep, lanes: Width, label: string, shader: string): Dispatch {
  const entries = step.slots[0].block.layout.size;
  const indices = entries / lanes;
  const { workgroups, width } = linearGrid(indices, COMBINE_WORKGROUP);
  const operations = entries * step.updates.length;
  const blocks = step.slots.map(({ block }) => block);
  return { label, shader, params: [indices, width], layouts: false, blocks, workgroups, operations };
}

function windowed(step: MultiplyStep, label: string, shader: string, layouts: LayoutTable): Dispatch {
  const { m, k, n } = step.shape;
  const operands = [...step.x, ...step.y, step.slots[0]];
  const { workgroups, width } = linearGrid(m * n, WINDOW_WORKGROUP);
  const words = operands.flatMap((operand) => windowWords(operand, layouts.add(operand.block.layout)));
  const blocks = operands.map(({ block }) => block);
  const params = [m, k, n, width, ...words];
  return { label, shader, params, layouts: true, blocks, workgroups, operations: 2 * m * k * n };
}

function leafProduct(
  step: MultiplyStep,
  label: string,
  leaf: Leaf,
  shader: string,
  operationsAtOnce: number,
  { operands, factors }: BoundOperands,
): Dispatch[] {
  const { m, k, n } = step.shape;
  const texture = leaf.texture === true ? { texture: step.x[0].block } : {};
  const blocks = [...operands, ...step.slots.map(({ block }) => block), ...factors];
  return rowRanges(step.shape, leaf, operationsAtOnce).map(([firstRow, endRow]) => ({
    label,
    shader,
    params: [m, k, n, firstRow, endRow, 0, updatesWord(step)],
    layouts: false,
    ...texture,
    blocks,
    workgroups: leaf.workgroups(endRow - firstRow, n),
    operations: 2 * (endRow - firstRow) * k * n,
  }));
}

/** Returns the range of an epilogue's numbers. */
export const rangeBehind = ({ words }: NonNullable<Numeric['behind']>): BoundRange => ({
  ...{ buffer: 'E', offset: 0, layout: { size: words.length }, words: 1 },
});

/** The ranges that a leaf product reads, as its dispatch binds them. */
interface BoundOperands {
  readonly operands: readonly BoundRange[];
  readonly factors: readonly BoundRange[];
}

function operandsOf(
  { shape }: Plan,
  step: MultiplyStep,
  leaf: Leaf,
  { coded, behind }: Numeric,
): BoundOperands {
  const extents = extentsOf(shape);
  const sides = (['a', 'b'] as const).map((of): BoundOperands => {
    const { block } = (of === 'a' ? step.x : step.y)[0];
    const coding = coded?.[of];
    if (coding === undefined)
      return { operands: of === 'a' && leaf.texture === true ? [] : [block], factors: [] };
    const size = wordsOfCodes(block.layout.size, coding.element);
    const ofFactors = { size: wordsOfFactors(coding, of, extents[of]) };
    return {
      operands: [{ ...block, layout: { size }, words: 1 as const }],
      factors: [{ buffer: of === 'a' ? 'SA' : 'SB', offset: 0, layout: ofFactors, words: 1 } as const],
    };
  });
  return {
    operands: sides.flatMap(({ operands }) => operands),
    factors: [...sides.flatMap(({ factors }) => factors), ...(behind ? [rangeBehind(behind)] : [])],
  };
}

/** The words of every layout that window products use, each once, and of fused products' instances. */
class LayoutTable {
  private readonly starts = new Map<BlockLayout, number>();
  private readonly all: number[] = [];

  /** Adds the words of a layout once, and returns where they start. */
  add(layout: BlockLayout): number {
    const known = this.starts.get(layout);
    if (known !== undefined) return known;
    const start = this.all.length;
    this.starts.set(layout, start);
    this.all.push(...layoutWords(layout));
    return start;
  }

  /** Adds words of another kind, and returns where they start. */
  addWords(words: readonly number[]): number {
    const start = this.all.length;
    for (const word of words) this.all.push(word);
    return start;
  }

  words(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.all.length === 0 ? [0] : this.all);
  }
}

/** Returns the words of a uniform buffer that holds all params, `stride` bytes apart. */
export function paramsData(dispatches: readonly Dispatch[], stride: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array((dispatches.length * stride) / 4);
  for (const [i, { params }] of dispatches.entries()) words.set(params, (i * stride) / 4);
  return words;
}

/** The invocations of a linear pass's workgroup. With half as many, a wide plan of three levels took longer on an H200. */
const COMBINE_WORKGROUP = 128;

/**
 * Returns the WGSL of a combine step: one linear pass over the slots' ranges, four entries an invocation if the precision has lanes.
 * Bindings are 0: the number of indices and the width of the grid in invocations, 1…: the slots.
 */
function combineShader(step: CombineStep, numeric: Numeric): string {
  const width = combineWidth(numeric);
  return `${numeric.enables}struct Params { count: u32, width: u32, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
${numeric.prelude}
${declareSlots(step.slots, numeric, width, 1)}
${finishFunction(step, numeric, width)}
@compute @workgroup_size(${COMBINE_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e < params.count) { finish(e, ${numeric.zero(width)}); }
}`;
}

/** Returns the entries that an invocation adds. */
const combineWidth = (numeric: Numeric): Width => (numeric.lanes ? 4 : 1);
