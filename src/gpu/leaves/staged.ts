import type { Shape } from '../../matrix/dense.ts';
import type { Numeric } from '../numerics/numeric.ts';
import { block } from './block.ts';
import { declareBuffer, declareSlots, finishFunction } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';
import { storeLanes } from './store-lanes.ts';

/** A block shape of {@link staged}. */
export interface StagedBlock {
  /** Rows and columns of C an invocation keeps in registers: multiples of 4. */
  readonly rows: number;
  readonly cols: number;
  /** Invocations of a workgroup: across times down, multiples of 8 and of 4. */
  readonly across: number;
  readonly down: number;
  /** Steps of k that are in workgroup memory at a time: a multiple of 4. */
  readonly depth: number;
  /** Whether x lies there as vec4s of a column (transposed) or of a row. */
  readonly x: 'columns' | 'rows';
  /** With two, the next part of k is stored while the last is still read: one barrier a part instead of two. */
  readonly buffers: 1 | 2;
}

/** Workgroups are taken this many rows of blocks at a time, so that those that run together share operands in cache. */
const BAND = 8;

/** Invocations that read workgroup memory together, as a rectangle of the block: its operands are read once for all. */
const TOGETHER = { across: 8, down: 4 };

/**
 * Register-blocked, with the operands of a block staged in workgroup memory, `depth` steps of k at a time: while one
 * part is multiplied, the next is on its way from global memory into registers. Made for GPUs; where workgroups run on
 * CPU threads, the barriers cost more than they save.
 *
 * Arrays are nested and their first index is known when the shader is compiled, so that the bounds checks that WebGPU
 * adds to dynamic indices are needed once, not in each step.
 */
export function staged(shape: StagedBlock, name: string): Leaf {
  const { rows, cols, across, down, depth } = shape;
  const tile: Shape = { m: rows * down, k: depth, n: cols * across };
  const variant = ({ m, k, n }: Shape) => {
    if (m % tile.m === 0 && n % tile.n === 0 && k % depth === 0) return 'whole';
    return n % 4 === 0 && k % 4 === 0 ? 'guarded' : 'guarded entries';
  };
  const entries = block({ rows: 4, cols: 4, across: 8, down: 8 }, name);
  return {
    name,
    what: `${rows}×${cols} entries an invocation, ${tile.m}×${tile.n} a workgroup, ${depth} steps in workgroup memory`,
    tile,
    variant,
    needs: { invocations: across * down, bytes: 16 * bufferedVectors(shape) },
    workgroups: (m, n) => [Math.ceil(n / tile.n), Math.ceil(m / tile.m)],
    shader(step, numeric) {
      if (!numeric.lanes) return entries.shader(step, numeric);
      const kind = variant(step.shape);
      const form: Form = {
        ...shape,
        tile,
        whole: kind === 'whole',
        byFour: kind !== 'guarded entries',
        numeric,
      };
      const width = form.byFour ? 4 : 1;
      return `${leafHead(numeric)}
${declareBuffer(1, 'x', numeric, form.x === 'rows' ? width : 1)}
${declareBuffer(2, 'y', numeric, width)}
${declareSlots(step.slots, numeric, width, 3)}
${finishFunction(step, numeric, width)}
${loads(form)}
${storeLanes(form.byFour, form.whole, numeric)}
${main(form)}`;
    },
  };
}

/** What a shader's text depends on beside the step. */
interface Form extends StagedBlock {
  readonly tile: Shape;
  /** Whether no index needs a check. */
  readonly whole: boolean;
  /** Whether k and n are multiples of 4. */
  readonly byFour: boolean;
  readonly numeric: Numeric;
}

/** vec4s of workgroup memory. */
function bufferedVectors(shape: StagedBlock): number {
  const { x, y } = arraysOf(shape);
  return shape.buffers * (x.outer * x.inner + y.outer * y.inner);
}

/**
 * The arrays in workgroup memory, in vec4s: x by step and then row, or by row and then step. One vec4 more than needed in
 * its inner dimension keeps neighbouring rows in different banks.
 */
function arraysOf({ rows, cols, across, down, depth, x }: StagedBlock) {
  const [outer, inner] = x === 'columns' ? [depth, (rows * down) / 4 + 1] : [rows * down, depth / 4 + 1];
  return { x: { outer, inner }, y: { outer: depth, inner: (cols * across) / 4 } };
}

const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\n');

/** `loadX` and `loadY`: four operands from global memory, within the product. */
function loads({ x, whole, byFour, numeric }: Form): string {
  const prepared = (entries: string[]) => numeric.prepare(`${numeric.memory(4)}(${entries.join(', ')})`, 4);
  const four = [0, 1, 2, 3];
  const within = (index: string, most: string) => (whole ? `(${index})` : `min(${index}, ${most})`);
  const head = (name: string) => `fn load${name}(i: u32, j: u32) -> ${numeric.operand(4)}`;
  const row = within('i', 'params.m - 1u');
  const fromX = () => {
    if (x === 'columns') {
      const entry = (r: number) => `x[${within(`i + ${r}u`, 'params.m - 1u')} * params.k + p]`;
      return `let p = ${within('j', 'params.k - 1u')};\n  return ${prepared(four.map(entry))};`;
    }
    if (byFour)
      return `return ${numeric.prepare(`x[(${row} * params.k + ${within('j', 'params.k - 4u')}) / 4u]`, 4)};`;
    return `let e = ${row} * params.k;\n  return ${prepared(four.map((c) => `x[e + min(j + ${c}u, params.k - 1u)]`))};`;
  };
  const p = within('i', 'params.k - 1u');
  const fromY = byFour
    ? numeric.prepare(`y[(${p} * params.n + ${within('j', 'params.n - 4u')}) / 4u]`, 4)
    : prepared(four.map((c) => `y[${p} * params.n + min(j + ${c}u, params.n - 1u)]`));
  return `${head('X')} {\n  ${fromX()}\n}\n${head('Y')} {\n  return ${fromY};\n}`;
}

/** Operands that an invocation brings from global memory, and where it puts them in workgroup memory. */
function transport({ x, tile, across, down, depth }: Form) {
  const threads = across * down;
  const e = (t: number) => `(local + ${t * threads}u)`;
  const spots = (per: number, t: number) => ({ major: `${e(t)} / ${per}u`, minor: `${e(t)} % ${per}u` });
  const brought = { x: (tile.m * depth) / 4 / threads, y: (tile.n * depth) / 4 / threads };
  const bring = (p: string) => {
    const fromX = each(brought.x, (t) => {
      const { major, minor } = spots(x === 'columns' ? depth : depth / 4, t);
      if (x === 'columns') return `    gx${t} = loadX(top + 4u * (${major}), ${p} + ${minor});`;
      return `    gx${t} = loadX(top + ${major}, ${p} + 4u * (${minor}));`;
    });
    const fromY = each(brought.y, (t) => {
      const { major, minor } = spots(tile.n / 4, t);
      return `    gy${t} = loadY(${p} + ${major}, left + 4u * (${minor}));`;
    });
    return `${fromX}\n${fromY}`;
  };
  const put = (buffer: string) => {
    const toX = each(brought.x, (t) => {
      const { major, minor } = spots(x === 'columns' ? depth : depth / 4, t);
      const at = x === 'columns' ? `[${minor}][${major}]` : `[${major}][${minor}]`;
      return `    xs[${buffer}]${at} = gx${t};`;
    });
    const toY = each(brought.y, (t) => {
      const { major, minor } = spots(tile.n / 4, t);
      return `    ys[${buffer}][${major}][${minor}] = gy${t};`;
    });
    return `${toX}\n${toY}`;
  };
  return { brought, bring, put };
}

/** The products of the part of k in workgroup memory: all its steps written out, or the first `rest` of them in a loop. */
function products({ rows, cols, across, down, depth, x, numeric }: Form, buffer: string) {
  const vectors = cols / 4;
  const fma = (r: number, v: number, entry: string) => {
    const sum = `c${r}_${v}`;
    return `    ${sum} = ${numeric.multiplyAdd(numeric.splat(entry, 4), `y${v}`, sum, 4)};`;
  };
  const readY = (q: string) =>
    each(vectors, (v) => `    let y${v} = ys[${buffer}][${q}][tx + ${v * across}u];`);
  const fmas = (entry: (r: number) => string) => each(rows, (r) => each(vectors, (v) => fma(r, v, entry(r))));
  const readColumn = (q: string) =>
    each(rows / 4, (g) => `    let x${g} = xs[${buffer}][${q}][ty + ${g * down}u];`);
  const ofColumn = (r: number) => `x${Math.floor(r / 4)}[${r % 4}]`;
  const readRows = (q: string) =>
    each(rows, (r) => `    let x${r} = xs[${buffer}][ty + ${r * down}u][${q}];`);
  const scoped = (...lines: string[]) => `    {\n${lines.join('\n')}\n    }`;
  if (x === 'columns') {
    const step = (q: string) => scoped(readY(q), readColumn(q), fmas(ofColumn));
    return {
      all: each(depth, (q) => step(`${q}u`)),
      some: `    for (var q = 0u; q < rest; q++) {\n${step('q')}\n    }`,
    };
  }
  const four = (q: number) =>
    scoped(
      readRows(`${q}u`),
      each(4, (c) =>
        scoped(
          readY(`${4 * q + c}u`),
          fmas((r) => `x${r}[${c}]`),
        ),
      ),
    );
  return {
    all: each(depth / 4, four),
    some: `    for (var q = 0u; q < rest; q++) {
${scoped(
  readRows('q / 4u'),
  readY('q'),
  fmas((r) => `x${r}[q % 4u]`),
)}
    }`,
  };
}

function main(form: Form): string {
  const { rows, cols, across, down, depth, buffers, x, tile, whole, numeric } = form;
  const vectors = cols / 4;
  const { brought, bring, put } = transport(form);
  const now = buffers === 1 ? '0u' : 'now';
  const { all, some } = products(form, now);
  const multiply = whole
    ? all
    : `    let rest = params.k - p;\n    if (rest >= ${depth}u) {\n${all}\n    } else {\n${some}\n    }`;
  const bringNext = `    if (p + ${depth}u < params.k) {\n${bring(`(p + ${depth}u)`)}\n    }`;
  const loop =
    buffers === 1
      ? `  for (var p = 0u; p < params.k; p += ${depth}u) {
${put('0u')}
    workgroupBarrier();
${bringNext}
${multiply}
    workgroupBarrier();
  }`
      : `  var now = 0u;
${put('0u')}
  workgroupBarrier();
  for (var p = 0u; p < params.k; p += ${depth}u) {
${bringNext}
${multiply}
    now = 1u - now;
    if (p + ${depth}u < params.k) {\n${put('now')}\n    }
    workgroupBarrier();
  }`;
  const arrays = arraysOf(form);
  const operand = numeric.operand(4);
  const row = (r: number) =>
    x === 'columns' ? `4u * (ty + ${Math.floor(r / 4) * down}u) + ${r % 4}u` : `ty + ${r * down}u`;
  return `var<workgroup> xs: array<array<array<${operand}, ${arrays.x.inner}>, ${arrays.x.outer}>, ${buffers}>;
var<workgroup> ys: array<array<array<${operand}, ${arrays.y.inner}>, ${arrays.y.outer}>, ${buffers}>;
@compute @workgroup_size(${across * down})
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let linear = group.y * groups.x + group.x;
  let band = linear / (${BAND}u * groups.x) * ${BAND}u;
  let inBand = linear - band * groups.x;
  let high = min(${BAND}u, groups.y - band);
  let top = params.firstRow + (band + inBand % high) * ${tile.m}u;
  let left = (inBand / high) * ${tile.n}u;
  let lane = local % ${TOGETHER.across * TOGETHER.down}u;
  let warp = local / ${TOGETHER.across * TOGETHER.down}u;
  let tx = (warp % ${across / TOGETHER.across}u) * ${TOGETHER.across}u + lane % ${TOGETHER.across}u;
  let ty = (warp / ${across / TOGETHER.across}u) * ${TOGETHER.down}u + lane / ${TOGETHER.across}u;
${each(rows, (r) => each(vectors, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`))}
${each(brought.x, (t) => `  var gx${t}: ${operand};`)}
${each(brought.y, (t) => `  var gy${t}: ${operand};`)}
${bring('0u')}
${loop}
${each(rows, (r) => each(vectors, (v) => `  store(top + ${row(r)}, left + 4u * (tx + ${v * across}u), c${r}_${v});`))}
}`;
}
