import { type Gemm, type Laid, stepsOf } from '../../matrix/gemm.ts';
import type { Slot, Step } from '../../plan/plan.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import type { Bound, Dispatch } from './dispatch.ts';
import { linearGrid } from './grids.ts';
import { declareBuffer, declareSlots, type Finish, finishLines } from './leaves/epilogue.ts';

const WORKGROUP = 64;
/** Entries that one dispatch has at most. */
const MOST = 65535 * 65535 * WORKGROUP;

/** What {@link byEntry} computes, and where its matrices are bound. */
export interface ByEntry {
  readonly label: string;
  /** The only step of a plan without levels: a product of whole matrices, or what is left of it without terms. */
  readonly step: Step;
  readonly gemm: Gemm;
  readonly ranges: Readonly<Record<'A' | 'B' | 'C' | 'D', Bound>>;
}

/**
 * A step of every product of a batch, where its matrices lie: one invocation an entry, summed over k as the leaf `naive` sums
 * it, then the step's updates.
 * @param operationsAtOnce operations that one dispatch may take.
 */
export function byEntry(
  { label, step, gemm, ranges: { A, B, C, D } }: ByEntry,
  numeric: Numeric,
  operationsAtOnce: number,
): Dispatch[] {
  const { m, n, batch } = gemm;
  const k = step.kind === 'multiply' ? gemm.k : 0;
  const finish = finishOf(step, gemm.c !== gemm.d);
  const shader = shaderOf(step.kind, finish, numeric);
  const slots = finish.slots.length === 2 ? [D, C] : [D];
  const factors = step.kind === 'multiply' ? [A, B] : [];
  const entries = batch * m * n;
  const each = 2 * Math.max(1, k);
  const most = Math.min(MOST, Math.max(WORKGROUP, Math.floor(operationsAtOnce / each)));
  const dispatches: Dispatch[] = [];
  for (let first = 0; first < entries; first += most) {
    const count = Math.min(most, entries - first);
    const { workgroups, width } = linearGrid(count, WORKGROUP);
    const places = [gemm.a, gemm.b, gemm.d, gemm.c].flatMap(placeWords);
    const params = [first, count, width, 0, m, k, n, 0, ...places];
    const blocks = [...factors, ...slots];
    dispatches.push({ label, shader, params, layouts: false, blocks, workgroups, operations: each * count });
  }
  return dispatches;
}

function placeWords(laid: Laid): number[] {
  const { row, col } = stepsOf(laid);
  return [row, col, laid.offset, laid.stride];
}

/** The updates of a step, where what C held before is read apart from what is written. */
function finishOf({ slots: [slot], updates }: Step, isApart: boolean): Finish {
  if (!isApart) return { slots: [slot], updates };
  const written: Slot = { ...slot, load: false };
  if (!slot.load) return { slots: [written], updates };
  const read = updates.map(({ target, terms }) => ({
    target,
    terms: terms.map((term) => (term.slot === 0 ? { ...term, slot: 1 } : term)),
  }));
  return { slots: [written, { ...slot, store: false }], updates: read };
}

function shaderOf(kind: Step['kind'], finish: Finish, numeric: Numeric): string {
  const isProduct = kind === 'multiply';
  const entry = (text: string) => numeric.prepare(text, 1);
  const term = numeric.multiplyAdd(entry('x[at(params.x, i, p)]'), entry('y[at(params.y, p, j)]'), 'sum', 1);
  const index = (slot: number) => (slot === 0 ? 'd' : 'c');
  const { loads, sums, stores } = finishLines(finish, numeric, 1, { index, product: 'sum', suffix: '' });
  return `${numeric.enables}struct Params {
  first: u32, count: u32, width: u32, zero: u32,
  m: u32, k: u32, n: u32, unused: u32,
  x: vec4<u32>, y: vec4<u32>, d: vec4<u32>, c: vec4<u32>,
}
@group(0) @binding(0) var<uniform> params: Params;
${numeric.prelude}
${isProduct ? `${declareBuffer(1, 'x', numeric, 1)}\n${declareBuffer(2, 'y', numeric, 1)}` : ''}
${declareSlots(finish.slots, numeric, 1, isProduct ? 3 : 1)}
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
  ${isProduct ? `for (var p = 0u; p < params.k; p++) { sum = ${term}; }` : ''}
  let d = at(params.d, i, j);
  ${finish.slots.length > 1 ? 'let c = at(params.c, i, j);' : ''}
  ${[...loads, ...sums, ...stores].join('\n  ')}
}`;
}
