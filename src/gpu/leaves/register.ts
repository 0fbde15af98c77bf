import type { Shape } from '../../matrix/dense.ts';
import type { Width } from '../numerics/numeric.ts';
import { block } from './block.ts';
import { declareBuffer, declareSlots, finishByParams } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';
import { loadLanesX, loadLanesY } from './load-lanes.ts';
import { storeLanes, storeSums } from './store-lanes.ts';

/** A block shape: each invocation computes rows×(4·vectors) entries in registers, a workgroup across×down of them. */
export interface RegisterBlock {
  readonly rows: number;
  readonly vectors: number;
  readonly across: number;
  readonly down: number;
}

/**
 * Register-blocked: each invocation keeps a block of C in vec4 registers and reads vec4s of the operands,
 * four steps of k at a time. Where k or n is no multiple of 4 it reads single entries instead. Three variants, so that
 * few pipelines serve all shapes: whole blocks without checks, checked vec4s, checked entries.
 */
export function register({ rows, vectors, across, down }: RegisterBlock, name: string): Leaf {
  const tile: Shape = { m: rows * down, k: 4, n: 4 * vectors * across };
  const variant = ({ m, k, n }: Shape) => {
    if (m % tile.m === 0 && n % tile.n === 0 && k % 4 === 0) return 'whole';
    return n % 4 === 0 && k % 4 === 0 ? 'guarded' : 'guarded entries';
  };
  const entries = block({ rows, cols: 4 * vectors, across, down }, name);
  return {
    name,
    what: `${rows}×${4 * vectors} entries an invocation, ${tile.m}×${tile.n} a workgroup`,
    tile,
    variant,
    workgroups: (m, n) => [Math.ceil(n / tile.n), Math.ceil(m / tile.m)],
    shader(step, numeric) {
      if (!numeric.lanes) return entries.shader(step, numeric);
      const whole = variant(step.shape) === 'whole';
      const byFour = variant(step.shape) !== 'guarded entries';
      const width: Width = byFour ? 4 : 1;
      const each = (count: number, text: (i: number) => string) =>
        Array.from({ length: count }, (_, i) => text(i));
      const fma = (x: string, y: string, sum: string) => numeric.multiplyAdd(numeric.splat(x, 4), y, sum, 4);
      const column = (v: number) => `(left + ${4 * v}u)`;
      const sums = each(rows, (r) =>
        each(vectors, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`).join('\n'),
      );
      const rowIndex = each(
        rows,
        (r) => `  let i${r} = ${whole ? `top + ${r}u` : `min(top + ${r}u, params.m - 1u)`};`,
      );
      const updates = (component: string, q: string) =>
        each(vectors, (v) => {
          const load = `    let y${q}_${v} = loadY(p + ${q}u, ${column(v)});`;
          const fmas = each(
            rows,
            (r) => `    c${r}_${v} = ${fma(`x${r}.${component}`, `y${q}_${v}`, `c${r}_${v}`)};`,
          );
          return [load, ...fmas].join('\n');
        }).join('\n');
      const tail = each(vectors, (v) => {
        const load = `    let y${v} = loadY(p, ${column(v)});`;
        const fmas = each(
          rows,
          (r) =>
            `    c${r}_${v} = ${fma(numeric.prepare(`x[i${r} * params.k + p]`, 1), `y${v}`, `c${r}_${v}`)};`,
        );
        return [load, ...fmas].join('\n');
      });
      return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, width)}
${declareBuffer(2, 'y', numeric, width)}
${declareSlots(step.slots, numeric, width, 3)}
${finishByParams(step, numeric, width)}
${loadLanesX(byFour, numeric)}
${loadLanesY(byFour, whole, numeric)}
${storeLanes(byFour, whole, numeric)}
@compute @workgroup_size(${across}, ${down})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let top = params.firstRow + id.y * ${rows}u;
  let left = id.x * ${4 * vectors}u;
  if (top >= params.endRow || left >= params.n) { return; }
${rowIndex.join('\n')}
${sums.join('\n')}
  let whole = params.k - params.k % 4u;
  for (var p = 0u; p < whole; p += 4u) {
${each(rows, (r) => `    let x${r} = loadX(i${r}, p);`).join('\n')}
${['x', 'y', 'z', 'w'].map((component, q) => updates(component, String(q))).join('\n')}
  }
${byFour ? '' : `  for (var p = whole; p < params.k; p++) {\n${tail.join('\n')}\n  }`}
${storeSums(rows, vectors, 4, numeric)}
}`;
    },
  };
}
