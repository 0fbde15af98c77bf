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
  /** Invocations of a workgroup: across times down, multiples of `abreast` and of 32/`abreast`. */
  readonly across: number;
  readonly down: number;
  /** Steps of k that are in workgroup memory at a time: a multiple of 4. */
  readonly depth: number;
  /**
   * How x gets there: as vec4s of a row, as they are read; or transposed, as vec4s of a column, each gathered from four
   * rows (`columns`), or turned in registers four by four (`blocks`).
   */
  readonly x: 'columns' | 'blocks' | 'rows';
  /** Of the 32 invocations that read workgroup memory together, how many are side by side; the others are below. */
  readonly abreast: 4 | 8;
  /** With two, the next part of k is stored while the last is still read: one barrier a part instead of two. */
  readonly buffers: 1 | 2;
}

/** Workgroups are taken this many rows of blocks at a time, so that those that run together share operands in cache. */
const BAND = 8;

/**
 * Invocations that read workgroup memory together, as a rectangle of the block. Each shares its vec4 of y with the
 * next one, and its vec4 of x with the one after that: so NVIDIA's GPUs serve half of them at a time, else a quarter.
 */
const TOGETHER = 32;

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
  const entries = block({ rows, cols, across, down }, name);
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
${declareBuffer(1, 'x', numeric, form.x === 'columns' ? 1 : width)}
${declareBuffer(2, 'y', numeric, width)}
${declareSlots(step.slots, numeric, width, 3)}
${finishFunction(step, numeric, width)}
${form.whole ? '' : loads(form)}
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
  const [outer, inner] = x === 'rows' ? [rows * down, depth / 4 + 1] : [depth, (rows * down) / 4 + 1];
  return { x: { outer, inner }, y: { outer: depth, inner: (cols * across) / 4 } };
}

const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\n');

/** `loadX` and `loadY`: four operands from global memory, of entries that the product has. */
function loads({ x, byFour, numeric }: Form): string {
  const four = (entry: (c: number) => string) =>
    numeric.prepare(`${numeric.memory(4)}(${[0, 1, 2, 3].map(entry).join(', ')})`, 4);
  const head = (name: string) => `fn load${name}(i: u32, j: u32) -> ${numeric.operand(4)}`;
  const row = (r: number) => `min(i + ${r}u, params.m - 1u) * params.k`;
  const fromX = () => {
    if (x === 'columns') return four((r) => `x[${row(r)} + min(j, params.k - 1u)]`);
    if (byFour) return numeric.prepare(`x[(${row(0)} + min(j, params.k - 4u)) / 4u]`, 4);
    return four((c) => `x[${row(0)} + min(j + ${c}u, params.k - 1u)]`);
  };
  const step = 'min(i, params.k - 1u) * params.n';
  const fromY = byFour
    ? numeric.prepare(`y[(${step} + min(j, params.n - 4u)) / 4u]`, 4)
    : four((c) => `y[${step} + min(j + ${c}u, params.n - 1u)]`);
  return `${head('X')} {\n  return ${fromX()};\n}\n${head('Y')} {\n  return ${fromY};\n}`;
}

/** Where the vec4s that an invocation brings lie in the block of x: rows from `row`, steps from `step`. */
function placesOfX({ x, tile, across, down, depth }: Form): { row: string; step: string }[] {
  const threads = across * down;
  const count = (tile.m * depth) / 4 / threads;
  return Array.from({ length: count }, (_, t) => {
    const e = `(local + ${(x === 'blocks' ? Math.floor(t / 4) : t) * threads}u)`;
    if (x === 'columns') return { row: `4u * (${e} / ${depth}u)`, step: `${e} % ${depth}u` };
    const row = `${e} / ${depth / 4}u`;
    return { row: x === 'rows' ? row : `4u * (${row}) + ${t % 4}u`, step: `4u * (${e} % ${depth / 4}u)` };
  });
}

/** The same of y: a step, and columns from `col`. */
function placesOfY({ tile, across, down, depth }: Form): { step: string; col: string }[] {
  const threads = across * down;
  const count = (tile.n * depth) / 4 / threads;
  return Array.from({ length: count }, (_, t) => {
    const e = `(local + ${t * threads}u)`;
    return { step: `${e} / ${tile.n / 4}u`, col: `4u * (${e} % ${tile.n / 4}u)` };
  });
}

const lines = (texts: readonly string[]) => texts.join('\n');

/** What an invocation brings from global memory into registers, and puts from there into workgroup memory. */
function transport(form: Form) {
  const { x, whole, numeric } = form;
  const [ofX, ofY] = [placesOfX(form), placesOfY(form)];
  const registers = lines([
    ...ofX.map((_, t) => `  var gx${t}: ${numeric.operand(4)};`),
    ...ofY.map((_, t) => `  var gy${t}: ${numeric.operand(4)};`),
  ]);
  // Indices are computed once: only the step is added to them.
  const starts = lines([
    ...ofX.map(({ row, step }, t) => `  let ax${t} = (top + ${row}) * params.k + ${step};`),
    ...ofY.map(({ step, col }, t) => `  let ay${t} = (${step}) * params.n + left + ${col};`),
  ]);
  const gathered = (t: number, p: string) =>
    `${numeric.memory(4)}(${[0, 1, 2, 3].map((r) => `x[ax${t} + ${p} + ${r}u * params.k]`).join(', ')})`;
  const wholeX = (t: number, p: string) =>
    numeric.prepare(x === 'columns' ? gathered(t, p) : `x[(ax${t} + ${p}) / 4u]`, 4);
  const bring = (p: string) =>
    whole
      ? lines([
          ...ofX.map((_, t) => `    gx${t} = ${wholeX(t, p)};`),
          ...ofY.map((_, t) => `    gy${t} = ${numeric.prepare(`y[(ay${t} + ${p} * params.n) / 4u]`, 4)};`),
        ])
      : lines([
          ...ofX.map(({ row, step }, t) => `    gx${t} = loadX(top + ${row}, ${p} + ${step});`),
          ...ofY.map(({ step, col }, t) => `    gy${t} = loadY(${p} + ${step}, left + ${col});`),
        ]);
  const putX = (buffer: string, t: number) => {
    const { row, step } = ofX[t];
    if (x === 'rows') return `    xs[${buffer}][${row}][(${step}) / 4u] = gx${t};`;
    if (x === 'columns') return `    xs[${buffer}][${step}][(${row}) / 4u] = gx${t};`;
    const turned = [0, 1, 2, 3].map((r) => `gx${t - (t % 4) + r}[${t % 4}]`).join(', ');
    return `    xs[${buffer}][${step} + ${t % 4}u][(${row}) / 4u] = ${numeric.operand(4)}(${turned});`;
  };
  const put = (buffer: string) =>
    lines([
      ...ofX.map((_, t) => putX(buffer, t)),
      ...ofY.map(({ step, col }, t) => `    ys[${buffer}][${step}][(${col}) / 4u] = gy${t};`),
    ]);
  return { registers: whole ? `${registers}\n${starts}` : registers, bring, put };
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
  if (x !== 'rows') {
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
  const { rows, cols, across, down, abreast, depth, buffers, x, tile, whole, numeric } = form;
  const vectors = cols / 4;
  const { registers, bring, put } = transport(form);
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
    x !== 'rows' ? `4u * (ty + ${Math.floor(r / 4) * down}u) + ${r % 4}u` : `ty + ${r * down}u`;
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
  let lane = local % ${TOGETHER}u;
  let warp = local / ${TOGETHER}u;
  let tx = (warp % ${across / abreast}u) * ${abreast}u + lane / 2u % ${abreast}u;
  let ty = (warp / ${across / abreast}u) * ${TOGETHER / abreast}u + lane / ${2 * abreast}u * 2u + lane % 2u;
${each(rows, (r) => each(vectors, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`))}
${registers}
${bring('0u')}
${loop}
${each(rows, (r) => each(vectors, (v) => `  store(top + ${row(r)}, left + 4u * (tx + ${v * across}u), c${r}_${v});`))}
}`;
}
