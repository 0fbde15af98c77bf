import { each } from '../each.ts';
import { arraysOf, type Form, placesOfX, placesOfY } from './staged-block.ts';

/** What kernels that stage their operands have of their own: where these come from, and where the sums go. */
export interface StagedEnds {
  /** Lines of WGSL before the loop, from `top` and `left`, the first row and column of the block, on. */
  readonly starts: string;
  readonly x: Source;
  readonly y: Source;
  /** Lines of WGSL that store the sums `c0_0`, `c0_1`, … */
  readonly finish: string;
}

/** How the vec4s of an operand come from global memory. */
export interface Source {
  /** The t-th vec4 that an invocation brings of the whole part of k from step `p` on: an operand, or a term of one. */
  bring(t: number, p: string, term: number): string;
  /** The same of a part that may reach beyond k, where {@link Form.ragged}. */
  tail?(t: number, p: string): string;
  /** Where operands are sums. */
  readonly sum?: Sum;
}

/** Operands that are sums of terms, brought one after the other while the part before is multiplied. */
export interface Sum {
  readonly terms: number;
  /** The type of a term and of a sum. */
  readonly type: string;
  first(brought: string): string;
  plus(sum: string, brought: string, term: number): string;
  operand(sum: string): string;
}

/** Workgroups are taken this many rows of blocks at a time, so that those that run together share operands in cache. */
const BAND = 8;

/**
 * Invocations that read workgroup memory together, as a rectangle of the block. Each shares its vec4 of y with the
 * next one, and its vec4 of x with the one after that: so NVIDIA's GPUs serve half of them at a time, else a quarter.
 */
const TOGETHER = 32;

/**
 * The entry point of a kernel that stages its operands `depth` steps of k at a time: while one part is multiplied, the
 * next is on its way from global memory into registers. Made for GPUs; where workgroups run on CPU threads, the barriers
 * cost more than they save.
 *
 * Arrays are nested and their first index is known when the shader is compiled, so that the bounds checks that WebGPU
 * adds to dynamic indices are needed once, not in each step.
 */
export function stagedMain(form: Form, ends: StagedEnds): string {
  const { rows, cols, across, down, abreast, depth, buffers, ragged, numeric } = form;
  const arrays = arraysOf(form);
  const operand = numeric.operand(4);
  const { registers, bringAll, bringTail, put } = transport(form, ends);
  const { during, some } = multiplied(form, ends);
  const parts = ragged
    ? `  let rest = params.k % ${depth}u;\n  let parts = params.k - rest;`
    : '  let parts = params.k;';
  const first = ragged ? `  if (parts > 0u) {\n${bringAll('0u')}\n  }` : bringAll('0u');
  const loop =
    buffers === 1
      ? `  for (var p = 0u; p < parts; p += ${depth}u) {
${put('0u')}
    workgroupBarrier();
${during}
    workgroupBarrier();
  }`
      : `  var now = 0u;
${put('0u')}
  workgroupBarrier();
  for (var p = 0u; p < parts; p += ${depth}u) {
${during}
    now = 1u - now;
    if (p + ${depth}u < parts) {\n${put('now')}\n    }
    workgroupBarrier();
  }`;
  // The last part is waited for: it needs registers that the loop has no room for.
  const last = `  if (rest > 0u) {
${bringTail('parts')}
${put('0u')}
    workgroupBarrier();
${some}
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
${parts}
${first}
${loop}
${ragged ? last : ''}
${ends.finish}
}`;
}

const termsOf = ({ sum }: Source): number => sum?.terms ?? 1;

/** The part in workgroup memory multiplied, and the next one brought meanwhile, term by term; and a last, shorter part. */
function multiplied(form: Form, ends: StagedEnds): { during: string; some: string } {
  const { depth, buffers } = form;
  const { bringAll, bringTerm } = transport(form, ends);
  const { steps } = products(form, buffers === 1 ? '0u' : 'now');
  const { some } = products(form, '0u');
  const terms = Math.max(termsOf(ends.x), termsOf(ends.y));
  if (terms === 1) {
    const next = `    if (p + ${depth}u < parts) {\n${bringAll(`(p + ${depth}u)`)}\n    }`;
    return { during: `${next}\n${steps(0, depth)}`, some };
  }
  // Past the end the last part is brought again, which saves a branch.
  const bound = (term: number) => Math.round((term * depth) / terms / 4) * 4;
  const stages = each(terms, (term) => `${bringTerm('next', term)}\n${steps(bound(term), bound(term + 1))}`);
  return { during: `    let next = min(p + ${depth}u, params.k - ${depth}u);\n${stages}`, some };
}

/** What an invocation brings from global memory into registers, and puts from there into workgroup memory. */
function transport(form: Form, ends: StagedEnds) {
  const { stage, numeric } = form;
  const [ofX, ofY] = [placesOfX(form), placesOfY(form)];
  const operand = numeric.operand(4);
  const sources = [
    { name: 'x', source: ends.x, count: ofX.length },
    { name: 'y', source: ends.y, count: ofY.length },
  ];
  const registers = sources
    .map(({ name, source: { sum }, count }) =>
      each(count, (t) => {
        const held = sum === undefined || sum.terms === 1 ? '' : ` var h${name}${t}: ${sum.type};`;
        return `  var g${name}${t}: ${sum?.type ?? operand};${held}`;
      }),
    )
    .join('\n');
  const joined = (name: string, t: number, { plus, first }: Sum, term: number) =>
    term === 0 ? first(`g${name}${t}`) : plus(`h${name}${t}`, `g${name}${t}`, term);
  const bringTerm = (p: string, term: number) =>
    sources
      .filter(({ source }) => term < termsOf(source))
      .map(({ name, source, count }) =>
        each(count, (t) => {
          const { sum } = source;
          const before =
            sum === undefined || term === 0 ? '' : `    h${name}${t} = ${joined(name, t, sum, term - 1)};\n`;
          return `${before}    g${name}${t} = ${source.bring(t, p, term)};`;
        }),
      )
      .join('\n');
  const bringAll = (p: string) =>
    each(Math.max(...sources.map(({ source }) => termsOf(source))), (term) => bringTerm(p, term));
  const bringTail = (p: string) =>
    sources
      .map(({ name, source, count }) => each(count, (t) => `    g${name}${t} = ${source.tail?.(t, p)};`))
      .join('\n');
  const brought = (name: string, { sum }: Source, t: number) =>
    sum === undefined ? `g${name}${t}` : sum.operand(joined(name, t, sum, sum.terms - 1));
  const putX = (buffer: string, t: number) => {
    const { row, step } = ofX[t];
    if (stage === 'rows') return `    xs[${buffer}][${row}][(${step}) / 4u] = px${t};`;
    if (stage === 'columns') return `    xs[${buffer}][${step}][(${row}) / 4u] = px${t};`;
    const turned = [0, 1, 2, 3].map((r) => `px${t - (t % 4) + r}[${t % 4}]`).join(', ');
    return `    xs[${buffer}][${step} + ${t % 4}u][(${row}) / 4u] = ${operand}(${turned});`;
  };
  const put = (buffer: string) =>
    [
      '    {',
      each(ofX.length, (t) => `    let px${t} = ${brought('x', ends.x, t)};`),
      each(ofX.length, (t) => putX(buffer, t)),
      each(
        ofY.length,
        (t) => `    ys[${buffer}][${ofY[t].step}][(${ofY[t].col}) / 4u] = ${brought('y', ends.y, t)};`,
      ),
      '    }',
    ].join('\n');
  return { registers, bringAll, bringTerm, bringTail, put };
}

/** Products of the part of k in workgroup memory: some of its steps, written out, or the first `rest` of them in a loop. */
function products({ rows, cols, across, down, stage, numeric }: Form, buffer: string) {
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
  if (stage !== 'rows') {
    const step = (q: string) => scoped(readY(q), readColumn(q), fmas(ofColumn));
    return {
      steps: (from: number, to: number) => each(to - from, (q) => step(`${from + q}u`)),
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
    steps: (from: number, to: number) => each((to - from) / 4, (q) => four(from / 4 + q)),
    some: `    for (var q = 0u; q < rest; q++) {
${scoped(
  readRows('q / 4u'),
  readY('q'),
  fmas((r) => `x${r}[q % 4u]`),
)}
    }`,
  };
}
