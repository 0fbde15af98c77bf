import type { Shape } from '../../matrix/dense.ts';
import { each } from '../each.ts';
import type { Numeric, Width } from '../numerics/numeric.ts';
import { block } from './block.ts';
import { declareBuffer, declareSlots, finishByParams } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';
import { loadLanesX, loadLanesY } from './load-lanes.ts';
import { storeLanes, storeSums } from './store-lanes.ts';

/** A block shape of {@link broadcast}: a workgroup computes rows×(4·vectors·subgroup) entries. */
export interface BroadcastBlock {
  /** Invocations of a subgroup: one subgroup is a workgroup. */
  readonly subgroup: number;
  /** How lanes hand one another their rows; swaps take subgroups of 4. */
  readonly by: 'broadcasts' | 'swaps';
  /** Rows, which all its invocations share: a multiple of `subgroup`. */
  readonly rows: number;
  /** vec4s of a row that each invocation has. */
  readonly vectors: number;
}

/**
 * Register-blocked, made for software adapters, where an invocation is a lane of a vector register and loads are gathered
 * lane by lane: so no two lanes load the same entry. Lanes lie side by side in columns; each loads four steps of the rows
 * that are its own, and hands them to all others: by broadcasts; or, where lanes are four, by swaps, which are single
 * instructions on SwiftShader, and by which each lane has the rows in an order of its own ({@link rowInLane}). All loads
 * of four steps come first, then row after row with all that concerns it: gathering branches, and what is in registers
 * meanwhile goes to memory and back.
 */
export function broadcast(shape: BroadcastBlock, name: string): Leaf {
  const { subgroup, rows, vectors } = shape;
  const tile: Shape = { m: rows, k: 4, n: 4 * vectors * subgroup };
  const variant = ({ m, k, n }: Shape) => {
    if (m % tile.m === 0 && n % tile.n === 0 && k % 4 === 0) return 'whole';
    return n % 4 === 0 && k % 4 === 0 ? 'guarded' : 'guarded entries';
  };
  const entries = block({ rows, cols: 4 * vectors, across: subgroup, down: 1 }, name);
  return {
    name,
    what: `${rows}×${tile.n} entries a subgroup of ${subgroup}, each row loaded by one lane`,
    tile,
    needs: { invocations: subgroup, bytes: 0, subgroup },
    variant,
    workgroups: (m, n) => [Math.ceil(n / tile.n), Math.ceil(m / tile.m)],
    shader(step, numeric) {
      if (!numeric.lanes) return entries.shader(step, numeric);
      const whole = variant(step.shape) === 'whole';
      const byFour = variant(step.shape) !== 'guarded entries';
      const width: Width = byFour ? 4 : 1;
      return `enable subgroups;
${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, width)}
${declareBuffer(2, 'y', numeric, width)}
${declareSlots(step.slots, numeric, width, 3)}
${finishByParams(step, numeric, width)}
${loadLanesX(byFour, numeric)}
${loadLanesY(byFour, whole, numeric)}
${storeLanes(byFour, whole, numeric)}
${main({ ...shape, tile, whole, byFour, numeric })}`;
    },
  };
}

/** What a shader's text depends on beside the step. */
interface Form extends BroadcastBlock {
  readonly tile: Shape;
  /** Whether no index needs a check. */
  readonly whole: boolean;
  /** Whether k and n are multiples of 4. */
  readonly byFour: boolean;
  readonly numeric: Numeric;
}

function main(form: Form): string {
  const { subgroup, rows, vectors, by, tile, whole, byFour, numeric } = form;
  const own = rows / subgroup;
  const column = (v: number) => `(left + ${4 * subgroup * v}u)`;
  const row = (g: number) => `top + ${g * subgroup}u + lane`;
  return `@compute @workgroup_size(${subgroup})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(subgroup_invocation_id) lane: u32) {
  let top = params.firstRow + group.y * ${tile.m}u;
  let left = group.x * ${tile.n}u + 4u * lane;
${each(own, (g) => `  let i${g} = ${whole ? row(g) : `min(${row(g)}, params.m - 1u)`};`)}
${each(rows, (r) => each(vectors, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`))}
  let whole = params.k - params.k % 4u;
  for (var p = 0u; p < whole; p += 4u) {
${each(own, (g) => `    let x${g} = loadX(i${g}, p);`)}
${each(4, (q) => each(vectors, (v) => `    let y${q}_${v} = loadY(p + ${q}u, ${column(v)});`))}
${each(rows, (r) => rowOf(form, r, ['[0]', '[1]', '[2]', '[3]']))}
  }
${byFour ? '' : lastSteps(form, column)}
${storeSums(rows, vectors, 4 * subgroup, numeric, (r) => rowInLane(by, r))}
}`;
}

/** What is lane r's own; by swaps, what is the own of lane r XOR this one. */
function handed(by: BroadcastBlock['by'], own: string, r: number): string {
  if (by === 'broadcasts') return `subgroupBroadcast(${own}, ${r}u)`;
  return [own, `quadSwapX(${own})`, `quadSwapY(${own})`, `quadSwapDiagonal(${own})`][r];
}

/** The row that a lane has as its row r. */
const rowInLane = (by: BroadcastBlock['by'], r: string) => (by === 'swaps' ? `((${r}) ^ lane)` : r);

/** The products of a row: its operands of each step are the given components of what its lane has loaded. */
function rowOf({ subgroup, vectors, by, numeric }: Form, r: number, steps: readonly string[]): string {
  const products = steps.map((component, q) => {
    const operand = `      let e${q} = ${numeric.splat(`x${component}`, 4)};`;
    const fma = (v: number) => numeric.multiplyAdd(`e${q}`, `y${q}_${v}`, `c${r}_${v}`, 4);
    return `${operand}\n${each(vectors, (v) => `      c${r}_${v} = ${fma(v)};`)}`;
  });
  const x = handed(by, `x${Math.floor(r / subgroup)}`, r % subgroup);
  return ['    {', `      let x = ${x};`, ...products, '    }'].join('\n');
}

/** The steps that are left where k is no multiple of 4. */
function lastSteps(form: Form, column: (v: number) => string): string {
  const { subgroup, rows, vectors, numeric } = form;
  return `  for (var p = whole; p < params.k; p++) {
${each(rows / subgroup, (g) => `    let x${g} = ${numeric.prepare(`x[i${g} * params.k + p]`, 1)};`)}
${each(vectors, (v) => `    let y0_${v} = loadY(p, ${column(v)});`)}
${each(rows, (r) => rowOf(form, r, ['']))}
  }`;
}
