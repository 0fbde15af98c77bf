import { type Gemm, type MatrixLayout, stepsOf } from '../../matrix/gemm.ts';
import type { Slot, Step } from '../../plan/plan.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import { DOTS_ENABLES } from '../packed-dots.ts';
import { type OperandName, operandOfNumber, sideOf } from './codes/coded-text.ts';
import { type BoundRange, type Dispatch, linearGrid } from './dispatch.ts';
import { rangeBehind } from './dispatches.ts';
import { declareSlots, type EpilogueInput, finishLines } from './leaves/epilogue.ts';
import { declareOperand } from './leaves/leaf-shader.ts';

const WORKGROUP = 64;
/** The most entries of one dispatch. */
const MOST = 65535 * 65535 * WORKGROUP;

/** The operands of {@link byEntry}: a step, and the ranges of its matrices. */
export interface EntryStepInput {
  readonly label: string;
  /** The only step of a plan without levels: a product of whole matrices, or the update that is left if there are no products. */
  readonly step: Step;
  readonly gemm: Gemm;
  readonly ranges: Readonly<Record<'A' | 'B' | 'C' | 'D', BoundRange>>;
  /** The factors of coded operands. */
  readonly factors: readonly BoundRange[];
}

/**
 * Returns the dispatches of a step for every product of a batch, in the matrices' own layouts. One invocation computes an entry: it sums
 * over k in the order of the leaf `naive`, then applies the step's updates.
 * @param operationsAtOnce the most operations of one dispatch.
 */
export function byEntry(
  { label, step, gemm, ranges: { A, B, C, D }, factors: ofCodes }: EntryStepInput,
  numeric: Numeric,
  operationsAtOnce: number,
): Dispatch[] {
  const { m, n, batch } = gemm;
  const k = step.kind === 'multiply' ? gemm.k : 0;
  const finish = finishOf(step, gemm.c !== gemm.d);
  const isProduct = step.kind === 'multiply';
  const [factors, scales] = isProduct ? [[A, B], ofCodes] : [[], []];
  const shader = shaderOf(
    step.kind,
    finish,
    numeric,
    scales.length,
    addsFourAtOnce(gemm, numeric) ? numeric.dot : undefined,
  );
  const slots = finish.slots.length === 2 ? [D, C] : [D];
  const entries = batch * m * n;
  const each = 2 * Math.max(1, k);
  const most = Math.min(MOST, Math.max(WORKGROUP, Math.floor(operationsAtOnce / each)));
  const dispatches: Dispatch[] = [];
  for (let first = 0; first < entries; first += most) {
    const count = Math.min(most, entries - first);
    const { workgroups, width } = linearGrid(count, WORKGROUP);
    const places = [gemm.a, gemm.b, gemm.d, gemm.c].flatMap(placeWords);
    const params = [first, count, width, 0, m, k, n, 0, ...places];
    const blocks = [
      ...factors,
      ...slots,
      ...scales,
      ...(numeric.behind ? [rangeBehind(numeric.behind)] : []),
    ];
    dispatches.push({ label, shader, params, layouts: false, blocks, workgroups, operations: each * count });
  }
  return dispatches;
}

function placeWords(laid: MatrixLayout): number[] {
  const { row, col } = stepsOf(laid);
  return [row, col, laid.offset, laid.stride];
}

/** Returns the updates of a step; if D is apart from C, they read C and write D. */
function finishOf({ slots: [slot], updates }: Step, isApart: boolean): EpilogueInput {
  if (!isApart) return { slots: [slot], updates };
  const written: Slot = { ...slot, load: false };
  if (!slot.load) return { slots: [written], updates };
  const read = updates.map(({ target, terms }) => ({
    target,
    terms: terms.map((term) => (term.slot === 0 ? { ...term, slot: 1 } : term)),
  }));
  return { slots: [written, { ...slot, store: false }], updates: read };
}

/** Returns WGSL of the operand at a row and a column, in the matrix's own layout. */
function operandOf(name: OperandName, place: string, numeric: Numeric): string {
  const at = `at(params.${name}, ${place})`;
  return numeric.coded?.[sideOf(name)] === undefined
    ? numeric.prepare(`${name}[${at}]`, 1)
    : operandOfNumber(`${name}Number(${at}, ${place}, product)`, numeric);
}

/** True if each word of packed elements holds four of one line, in A and in B: lines lie along k and begin at a word. */
function addsFourAtOnce({ a, b, batch }: Gemm, { dot, coded }: Numeric): boolean {
  const isByWords = ({ ld, offset, stride }: MatrixLayout) =>
    [ld, offset, batch > 1 ? stride : 0].every((at) => at % 4 === 0);
  const isCoded = coded?.a !== undefined && coded.b !== undefined;
  return (
    dot !== undefined && isCoded && stepsOf(a).col === 1 && stepsOf(b).row === 1 && [a, b].every(isByWords)
  );
}

/**
 * Returns the shader of a step.
 * @param scales the number of bindings of factors.
 * @param dot the function that adds the products of four packed elements, if they are laid out for it.
 */
function shaderOf(
  kind: Step['kind'],
  finish: EpilogueInput,
  numeric: Numeric,
  scales: number,
  dot?: Numeric['dot'],
): string {
  const isProduct = kind === 'multiply';
  const term = numeric.multiplyAdd(
    operandOf('x', 'i, p', numeric),
    operandOf('y', 'p, j', numeric),
    'sum',
    1,
  );
  const index = (slot: number) => (slot === 0 ? 'd' : 'c');
  const { loads, sums, stores } = finishLines(finish, numeric, 1, {
    ...{ index, product: 'sum', suffix: '' },
    behind: numeric.behind && ((sum) => `behind(${sum}, product, i, j)`),
  });
  const first = isProduct ? 3 : 1;
  return `${dot === undefined ? '' : DOTS_ENABLES}${numeric.enables}struct Params {
  first: u32, count: u32, width: u32, zero: u32,
  m: u32, k: u32, n: u32, unused: u32,
  x: vec4<u32>, y: vec4<u32>, d: vec4<u32>, c: vec4<u32>,
}
@group(0) @binding(0) var<uniform> params: Params;
${numeric.prelude}
${isProduct ? `${declareOperand(1, 'x', finish, numeric, 1)}\n${declareOperand(2, 'y', finish, numeric, 1)}` : ''}
${declareSlots(finish.slots, numeric, 1, first)}
${numeric.behind?.declare(first + finish.slots.length + scales) ?? ''}
var<private> product: u32;
fn at(place: vec4<u32>, row: u32, col: u32) -> u32 {
  return place.z + product * place.w + row * place.x + col * place.y;
}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e >= params.count) { return; }
  let j = (params.first + e) % params.n;
  let i = (params.first + e) / params.n % params.m;
  product = (params.first + e) / params.n / params.m;
  var sum = ${numeric.zero(1)};
  ${isProduct ? `${dot === undefined ? 'var p = 0u;' : fourAtOnce(dot)}\n  for (; p < params.k; p++) { sum = ${term}; }` : ''}
  let d = at(params.d, i, j);
  ${finish.slots.length > 1 ? 'let c = at(params.c, i, j);' : ''}
  ${[...loads, ...sums, ...stores].join('\n  ')}
}`;
}

/** Returns WGSL that sums over k four steps at a time, up to the largest multiple of four. */
const fourAtOnce = (dot: string): string => `let xs = at(params.x, i, 0u) / 4u;
  let ys = at(params.y, 0u, j) / 4u;
  var p = 0u;
  for (; p + 4u <= params.k; p += 4u) { sum += ${dot}(x[xs + p / 4u], y[ys + p / 4u]); }`;
