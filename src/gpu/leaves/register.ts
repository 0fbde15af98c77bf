import type { Shape } from '../../matrix/dense.ts';
import { declareBuffer, declareSlots, finishFunction, type Lanes } from './epilogue.ts';
import { LEAF_PARAMS, type Leaf } from './leaf.ts';

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
  return {
    name,
    what: `${rows}×${4 * vectors} entries an invocation, ${tile.m}×${tile.n} a workgroup`,
    tile,
    variant,
    workgroups: (m, n) => [Math.ceil(n / tile.n), Math.ceil(m / tile.m)],
    shader(step) {
      const whole = variant(step.shape) === 'whole';
      const byFour = variant(step.shape) !== 'guarded entries';
      const lanes: Lanes = byFour ? 'vec4<f32>' : 'f32';
      const each = (count: number, text: (i: number) => string) =>
        Array.from({ length: count }, (_, i) => text(i));
      const column = (v: number) => `(left + ${4 * v}u)`;
      const sums = each(rows, (r) => each(vectors, (v) => `  var c${r}_${v} = vec4<f32>();`).join('\n'));
      const rowIndex = each(
        rows,
        (r) => `  let i${r} = ${whole ? `top + ${r}u` : `min(top + ${r}u, params.m - 1u)`};`,
      );
      const updates = (component: string, q: string) =>
        each(vectors, (v) => {
          const load = `    let y${q}_${v} = loadY(p + ${q}u, ${column(v)});`;
          const fmas = each(
            rows,
            (r) => `    c${r}_${v} = fma(vec4<f32>(x${r}.${component}), y${q}_${v}, c${r}_${v});`,
          );
          return [load, ...fmas].join('\n');
        }).join('\n');
      const tail = each(vectors, (v) => {
        const load = `    let y${v} = loadY(p, ${column(v)});`;
        const fmas = each(
          rows,
          (r) => `    c${r}_${v} = fma(vec4<f32>(x[i${r} * params.k + p]), y${v}, c${r}_${v});`,
        );
        return [load, ...fmas].join('\n');
      });
      const stores = each(rows, (r) =>
        each(vectors, (v) => `  store(top + ${r}u, ${column(v)}, c${r}_${v});`).join('\n'),
      );
      return `${LEAF_PARAMS}
${declareBuffer(1, 'x', byFour ? 'vec4<f32>' : 'f32')}
${declareBuffer(2, 'y', lanes)}
${declareSlots(step.slots, lanes, 3)}
${finishFunction(step, lanes)}
${byFour ? LOAD_X_VECTOR : LOAD_X_SCALAR}
${loadY(byFour, whole)}
${store(byFour, whole)}
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
${stores.join('\n')}
}`;
    },
  };
}

const LOAD_X_VECTOR = 'fn loadX(i: u32, p: u32) -> vec4<f32> { return x[(i * params.k + p) / 4u]; }';
const LOAD_X_SCALAR = `fn loadX(i: u32, p: u32) -> vec4<f32> {
  let e = i * params.k + p;
  return vec4<f32>(x[e], x[e + 1u], x[e + 2u], x[e + 3u]);
}`;

function loadY(byFour: boolean, whole: boolean): string {
  if (byFour) {
    const column = whole ? 'j' : 'min(j, params.n - 4u)';
    return `fn loadY(p: u32, j: u32) -> vec4<f32> { return y[(p * params.n + ${column}) / 4u]; }`;
  }
  const entry = (c: number) => `y[p * params.n + min(j + ${c}u, params.n - 1u)]`;
  return `fn loadY(p: u32, j: u32) -> vec4<f32> { return vec4<f32>(${[0, 1, 2, 3].map(entry).join(', ')}); }`;
}

function store(byFour: boolean, whole: boolean): string {
  const guard = `i >= params.endRow${whole ? '' : ' || j >= params.n'}`;
  if (byFour) {
    return `fn store(i: u32, j: u32, P: vec4<f32>) { if (${guard}) { return; } finish((i * params.n + j) / 4u, P); }`;
  }
  return `fn store(i: u32, j: u32, P: vec4<f32>) {
  if (${guard}) { return; }
  for (var c = 0u; c < min(4u, params.n - j); c++) { finish(i * params.n + j + c, P[c]); }
}`;
}
