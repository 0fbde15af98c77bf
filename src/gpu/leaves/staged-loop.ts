import { arraysOf, type Form, placesOfX, placesOfY } from './staged-block.ts';

/** What kernels that stage their operands have of their own: where these come from, and where the sums go. */
export interface StagedEnds {
  /** Lines of WGSL before the loop, from `top` and `left`, the first row and column of the block, on. */
  readonly starts: string;
  /** The t-th vec4 of x, or of y, that an invocation brings of the whole part of k from step `p` on. */
  bringX(t: number, p: string): string;
  bringY(t: number, p: string): string;
  /** The same of a part that may reach beyond k, where {@link Form.ragged}. */
  tailX?(t: number, p: string): string;
  tailY?(t: number, p: string): string;
  /** Lines of WGSL that store the sums `c0_0`, `c0_1`, … */
  readonly finish: string;
}

/** Workgroups are taken this many rows of blocks at a time, so that those that run together share operands in cache. */
const BAND = 8;

/**
 * Invocations that read workgroup memory together, as a rectangle of the block. Each shares its vec4 of y with the
 * next one, and its vec4 of x with the one after that: so NVIDIA's GPUs serve half of them at a time, else a quarter.
 */
const TOGETHER = 32;

/** Lines of WGSL for each of so many. */
export const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\n');

/**
 * The entry point of a kernel that stages its operands `depth` steps of k at a time: while one part is multiplied, the
 * next is on its way from global memory into registers. Made for GPUs; where workgroups run on CPU threads, the barriers
 * cost more than they save.
 *
 * Arrays are nested and their first index is known when the shader is compiled, so that the bounds checks that WebGPU
 * adds to dynamic indices are needed once, not in each step.
 */
export function stagedMain(form: Form, ends: StagedEnds): string {
  const { rows, cols, across, down, abreast, depth, buffers, numeric, ragged } = form;
  const arrays = arraysOf(form);
  const operand = numeric.operand(4);
  const { registers, bring, put } = transport(form, ends);
  const { all, some } = products(form, buffers === 1 ? '0u' : 'now');
  const multiply = ragged
    ? `    let rest = params.k - p;\n    if (rest >= ${depth}u) {\n${all}\n    } else {\n${some}\n    }`
    : all;
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
  let top = params.firstRow + (band + inBand % high) * ${rows * down}u;
  let left = (inBand / high) * ${cols * across}u;
  let lane = local % ${TOGETHER}u;
  let warp = local / ${TOGETHER}u;
  let tx = (warp % ${across / abreast}u) * ${abreast}u + lane / 2u % ${abreast}u;
  let ty = (warp / ${across / abreast}u) * ${TOGETHER / abreast}u + lane / ${2 * abreast}u * 2u + lane % 2u;
${each(rows, (r) => each(cols / 4, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`))}
${ends.starts}
${registers}
${bring('0u')}
${loop}
${ends.finish}
}`;
}

/** What an invocation brings from global memory into registers, and puts from there into workgroup memory. */
function transport(form: Form, ends: StagedEnds) {
  const { x, depth, ragged, numeric } = form;
  const [ofX, ofY] = [placesOfX(form), placesOfY(form)];
  const operand = numeric.operand(4);
  const registers = [
    each(ofX.length, (t) => `  var gx${t}: ${operand};`),
    each(ofY.length, (t) => `  var gy${t}: ${operand};`),
  ].join('\n');
  const assigned = (bringX: StagedEnds['bringX'], bringY: StagedEnds['bringY'], p: string) =>
    [
      each(ofX.length, (t) => `    gx${t} = ${bringX(t, p)};`),
      each(ofY.length, (t) => `    gy${t} = ${bringY(t, p)};`),
    ].join('\n');
  const bring = (p: string) => {
    const whole = assigned(ends.bringX, ends.bringY, p);
    if (!ragged || ends.tailX === undefined || ends.tailY === undefined) return whole;
    const tail = assigned(ends.tailX, ends.tailY, p);
    return `    if (${p} + ${depth}u <= params.k) {\n${whole}\n    } else {\n${tail}\n    }`;
  };
  const putX = (buffer: string, t: number) => {
    const { row, step } = ofX[t];
    if (x === 'rows') return `    xs[${buffer}][${row}][(${step}) / 4u] = gx${t};`;
    if (x === 'columns') return `    xs[${buffer}][${step}][(${row}) / 4u] = gx${t};`;
    const turned = [0, 1, 2, 3].map((r) => `gx${t - (t % 4) + r}[${t % 4}]`).join(', ');
    return `    xs[${buffer}][${step} + ${t % 4}u][(${row}) / 4u] = ${operand}(${turned});`;
  };
  const put = (buffer: string) =>
    [
      each(ofX.length, (t) => putX(buffer, t)),
      each(ofY.length, (t) => `    ys[${buffer}][${ofY[t].step}][(${ofY[t].col}) / 4u] = gy${t};`),
    ].join('\n');
  return { registers, bring, put };
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
