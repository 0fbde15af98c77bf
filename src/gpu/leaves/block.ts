import type { Shape } from '../../matrix/dense.ts';
import { declareBuffer, declareSlots, finishFunction } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';

/** A block shape: each invocation computes rows×cols entries in registers, a workgroup across×down of them. */
export interface Block {
  readonly rows: number;
  readonly cols: number;
  readonly across: number;
  readonly down: number;
}

/**
 * Register-blocked for precisions without lanes: each step of k prepares rows + cols operands and uses them for
 * rows·cols products, which is what makes operands affordable that take a dozen instructions to prepare. It needs
 * no workgroup memory: operands come from global memory, neighbours read neighbours.
 */
export function block({ rows, cols, across, down }: Block, name: string): Leaf {
  const tile: Shape = { m: rows * down, k: 1, n: cols * across };
  const variant = ({ m, n }: Shape) => (m % tile.m === 0 && n % tile.n === 0 ? 'whole' : 'guarded');
  return {
    name,
    what: `${rows}×${cols} entries an invocation, ${tile.m}×${tile.n} a workgroup`,
    tile,
    variant,
    workgroups: (m, n) => [Math.ceil(n / tile.n), Math.ceil(m / tile.m)],
    shader(step, numeric) {
      const whole = variant(step.shape) === 'whole';
      const each = (count: number, text: (i: number) => string): string =>
        Array.from({ length: count }, (_, i) => text(i)).join('\n');
      const entries = (text: (r: number, c: number) => string) =>
        each(rows, (r) => each(cols, (c) => text(r, c)));
      const within = (index: string, end: string) => (whole ? `(${index})` : `min(${index}, ${end} - 1u)`);
      return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, 1)}
${declareBuffer(2, 'y', numeric, 1)}
${declareSlots(step.slots, numeric, 1, 3)}
${finishFunction(step, numeric, 1)}
fn store(i: u32, j: u32, P: ${numeric.value(1)}) {
  if (i >= params.endRow${whole ? '' : ' || j >= params.n'}) { return; }
  finish(i * params.n + j, P);
}
@compute @workgroup_size(${across}, ${down})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let top = params.firstRow + id.y * ${rows}u;
  let left = id.x * ${cols}u;
  if (top >= params.endRow || left >= params.n) { return; }
${each(rows, (r) => `  let i${r} = ${within(`top + ${r}u`, 'params.m')} * params.k;`)}
${each(cols, (c) => `  let j${c} = ${within(`left + ${c}u`, 'params.n')};`)}
${entries((r, c) => `  var c${r}_${c} = ${numeric.zero(1)};`)}
  for (var p = 0u; p < params.k; p++) {
${each(rows, (r) => `    let x${r} = ${numeric.prepare(`x[i${r} + p]`, 1)};`)}
${each(cols, (c) => `    let y${c} = ${numeric.prepare(`y[p * params.n + j${c}]`, 1)};`)}
${entries((r, c) => `    c${r}_${c} = ${numeric.multiplyAdd(`x${r}`, `y${c}`, `c${r}_${c}`, 1)};`)}
  }
${entries((r, c) => `  store(top + ${r}u, left + ${c}u, c${r}_${c});`)}
}`;
    },
  };
}
