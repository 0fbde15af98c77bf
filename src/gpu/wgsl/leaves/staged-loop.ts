import { repeatLines } from '../each.ts';
import { tripOf } from '../tilings.ts';
import { arraysOf, placesOfX, placesOfY, registersOf, type StagedForm } from './staged-block.ts';

/** The parts that differ among kernels with staged operands: the sources of operands, and the destination of sums. */
export interface StagedEnds {
  /** Lines of WGSL before the loop; `top` and `left` are the first row and column of the block. */
  readonly starts: string;
  readonly x: OperandSource;
  readonly y: OperandSource;
  /** The end of each run, present if k is summed in runs: {@link StagedForm.run}. */
  readonly runs?: RunCode;
  /** Lines of WGSL that store the sums `c0_0`, `c0_1`, … */
  readonly finish: string;
}

/** The treatment of a run's sums. */
export interface RunCode {
  /** Lines of WGSL that add the sums to those of the runs before, or keep them if `first` is 0. */
  readonly end: string;
  /** True if the last run ends like this too; otherwise its sums stay in their registers. */
  readonly ofLast: boolean;
}

/** The source of the vec4s of an operand in global memory. */
export interface OperandSource {
  /** Returns the t-th vec4 that an invocation loads, in a whole part of k from step `p` on: an operand, or a term of one. */
  bring(t: number, p: string, term: number): string;
  /**
   * Returns WGSL that moves the index of the t-th vec4 to the next part; `bring` at step 0 then returns it there. Present if indices are
   * single numbers. In the end they are two parts beyond k, where WebGPU returns any number; it is not used.
   */
  move?(t: number): string;
  /** Returns the t-th vec4 in a part that may reach beyond k, if {@link StagedForm.ragged}. */
  tail?(t: number, p: string): string;
  /** The summation, present if operands are sums. */
  readonly sum?: OperandSum;
}

/** The summation of operands that are sums of terms. Terms are loaded one after the other while the previous part is multiplied. */
export interface OperandSum {
  readonly terms: number;
  /** The type of a term and of a sum. */
  readonly type: string;
  first(brought: string): string;
  plus(sum: string, brought: string, term: number): string;
  operand(sum: string): string;
}

/** The rows of blocks that workgroups process at a time, so that concurrent workgroups share operands in cache. */
const BAND = 8;

/**
 * The invocations that read workgroup memory together, as a rectangle of the block. Each shares its vec4 of y with the next one, and its
 * vec4 of x with the one after that. NVIDIA's GPUs then serve half of them at a time, otherwise a quarter.
 */
const TOGETHER = 32;

/**
 * Returns the entry point of a kernel that stages its operands `depth` steps of k at a time. While one part is multiplied, the next is
 * loaded from global memory into registers. A trip of the loop takes one part for each buffer, so that the buffer of each part is known at
 * compile time. This suits GPUs; if workgroups run on CPU threads, the barriers cost more than they save.
 * Arrays are nested and their first index is known at compile time. The bounds checks that WebGPU adds to dynamic indices are thus needed
 * once, not in each step.
 */
export function stagedMain(form: StagedForm, ends: StagedEnds): string {
  const { rows, cols, across, down, abreast, buffers, numeric, stage } = form;
  const arrays = arraysOf(form);
  const operand = numeric.operand(4);
  // Several invocations store the entries of a vec4: as elements of an array they are apart in memory, as components they are not.
  const element = stage === 'turned' ? `array<${numeric.operand(1)}, 4>` : operand;
  return `var<workgroup> xs: array<array<array<${element}, ${arrays.x.inner}>, ${arrays.x.outer}>, ${buffers}>;
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
${repeatLines(rows, (r) => repeatLines(cols / 4, (v) => `  var c${r}_${v} = ${numeric.zero(4)};`))}
${ends.starts}
${partsMultiplied(form, ends)}
${ends.finish}
}`;
}

/** Returns WGSL that multiplies all of k: whole trips, then the remaining parts one by one. */
function partsMultiplied(form: StagedForm, ends: StagedEnds): string {
  const { depth, buffers, ragged, run, stage } = form;
  const { registers, bringAll, bringTail, put } = transport(form, ends);
  const trip = tripOf(form);
  const ahead = isTurned(form, ends) ? `${bringAhead(form, ends, `${depth}u`)}\n` : '';
  const begin =
    buffers === 1 ? bringAll('0u') : `${bringAll('0u')}\n${put(0)}\n${ahead}    workgroupBarrier();`;
  const parts = repeatLines(trip / depth, (part) => partOfTrip(form, ends, part));
  // With the condition at its end, NVIDIA's compiler moves fewer sums between registers: 8 instructions a trip instead of 39.
  const trips = (from: string, to: string) =>
    stage === 'turned'
      ? `  if (${from} < ${to}) {
  var p = ${from};
  loop {
${parts}
    p += ${trip}u;
    if (p >= ${to}) { break; }
  }
  }`
      : `  for (var p = ${from}; p < ${to}; p += ${trip}u) {\n${parts}\n  }`;
  const whole =
    run === undefined || ends.runs === undefined
      ? trips('0u', 'parts')
      : tripsInRuns({ ...form, run }, ends.runs, trips);
  if (!ragged) return `${registers}\n  let parts = params.k;\n${begin}\n${whole}`;
  // The remainder is loaded without overlap: overlapping needs registers that the loop cannot spare.
  return `${registers}
  let parts = params.k - params.k % ${trip}u;
  if (parts > 0u) {
${begin}
  }
${whole}
  for (var p = parts; p < params.k; p += ${depth}u) {
${bringTail('p')}
${put(0)}
    workgroupBarrier();
    let rest = min(${depth}u, params.k - p);
${products(form, 0).some}
    workgroupBarrier();
  }`;
}

/** Returns WGSL of the trips in runs, each of which starts from zero. */
function tripsInRuns(
  form: StagedForm & { readonly run: number },
  { end, ofLast }: RunCode,
  trips: (from: string, to: string) => string,
): string {
  const { run, numeric } = form;
  const anew = registersOf(form)
    .map((sum) => `    ${sum} = ${numeric.zero(4)};`)
    .join('\n');
  const lines = `${end}\n${anew}`;
  return `  for (var first = 0u; first < parts; first += ${run}u) {
    let end = min(first + ${run}u, parts);
${trips('first', 'end')}
${ofLast ? lines : `    if (first + ${run}u <= parts && end < params.k) {\n${lines}\n    }`}
  }`;
}

/**
 * Returns WGSL that multiplies one part of a trip while the next part is loaded. With a single buffer, it first stores the part in the
 * buffer.
 */
function partOfTrip(form: StagedForm, ends: StagedEnds, part: number): string {
  const { depth, buffers } = form;
  const { put } = transport(form, ends);
  const buffer = part % buffers;
  const isLast = (part + 1) * depth === tripOf(form);
  const after = (parts: number) => `(p + ${(part + parts) * depth}u)`;
  if (isTurned(form, ends)) return partTurned(form, ends, buffer, after(2));
  const next = after(1);
  const ifMore = (lines: string) => (isLast ? `    if (${next} < parts) {\n${lines}\n    }` : lines);
  const during = multiplied(form, ends, buffer, next, ifMore);
  if (buffers === 1) return `${put(0)}\n    workgroupBarrier();\n${during}\n    workgroupBarrier();`;
  return `${during}\n${ifMore(put((buffer + 1) % buffers))}\n    workgroupBarrier();`;
}

/** True if a part is loaded into registers two parts ahead of its products: see {@link partTurned}. */
const isTurned = ({ stage }: StagedForm, ends: StagedEnds): boolean =>
  stage === 'turned' && termsIn(ends) === 1;

/** The steps of a part before the next part is stored in workgroup memory, and before the one after it is loaded into registers. */
const [BEFORE_STORE, BEFORE_LOAD] = [2, 3];

/**
 * Returns WGSL that multiplies one part, stores the next one, which registers hold, and loads the one after that, without branches.
 * Registers wait for memory nearly as long as a part takes.
 */
function partTurned(form: StagedForm, ends: StagedEnds, buffer: number, afterNext: string): string {
  const { put } = transport(form, ends);
  const { steps } = products(form, buffer);
  return `    {
${steps(0, BEFORE_STORE)}
${put(1 - buffer)}
${steps(BEFORE_STORE, BEFORE_LOAD)}
${bringAhead(form, ends, afterNext)}
${steps(BEFORE_LOAD, form.depth)}
    }
    workgroupBarrier();`;
}

/** Returns WGSL that loads the part from step `p` on, which may be beyond k: nothing of it is used then. */
function bringAhead(form: StagedForm, ends: StagedEnds, p: string): string {
  const { bringTerm, bringNext } = transport(form, ends);
  if (bringNext !== undefined) return bringNext();
  return `    {\n    let next = min(${p}, params.k - ${form.depth}u);\n${bringTerm('next', 0)}\n    }`;
}

const termsOf = ({ sum }: OperandSource): number => sum?.terms ?? 1;

const termsIn = ({ x, y }: StagedEnds): number => Math.max(termsOf(x), termsOf(y));

/** Returns WGSL that multiplies the part in a buffer, and meanwhile loads the next one, if any, term by term. */
function multiplied(
  form: StagedForm,
  ends: StagedEnds,
  buffer: number,
  next: string,
  ifMore: (lines: string) => string,
): string {
  const { depth } = form;
  const { bringAll, bringTerm } = transport(form, ends);
  const { steps } = products(form, buffer);
  const terms = termsIn(ends);
  if (terms === 1) return `${ifMore(bringAll(next))}\n${steps(0, depth)}`;
  // After the end the last part is loaded again, which saves a branch.
  const bound = (term: number) => Math.round((term * depth) / terms / 4) * 4;
  const stages = repeatLines(
    terms,
    (term) => `${bringTerm('next', term)}\n${steps(bound(term), bound(term + 1))}`,
  );
  return `    {\n    let next = min(${next}, params.k - ${depth}u);\n${stages}\n    }`;
}

/** Returns WGSL for the transport of operands: from global memory into registers, and from registers into workgroup memory. */
function transport(form: StagedForm, ends: StagedEnds) {
  const { stage, numeric } = form;
  const [ofX, ofY] = [placesOfX(form), placesOfY(form)];
  const operand = numeric.operand(4);
  const sources = [
    { name: 'x', source: ends.x, count: ofX.length },
    { name: 'y', source: ends.y, count: ofY.length },
  ];
  const registers = sources
    .map(({ name, source: { sum }, count }) =>
      repeatLines(count, (t) => {
        const held = sum === undefined || sum.terms === 1 ? '' : ` var h${name}${t}: ${sum.type};`;
        return `  var g${name}${t}: ${sum?.type ?? operand};${held}`;
      }),
    )
    .join('\n');
  const joined = (name: string, t: number, { plus, first }: OperandSum, term: number) =>
    term === 0 ? first(`g${name}${t}`) : plus(`h${name}${t}`, `g${name}${t}`, term);
  const bringTerm = (p: string, term: number) =>
    sources
      .filter(({ source }) => term < termsOf(source))
      .map(({ name, source, count }) =>
        repeatLines(count, (t) => {
          const { sum } = source;
          const before =
            sum === undefined || term === 0 ? '' : `    h${name}${t} = ${joined(name, t, sum, term - 1)};\n`;
          return `${before}    g${name}${t} = ${source.bring(t, p, term)};`;
        }),
      )
      .join('\n');
  const bringNext = () =>
    sources
      .map(({ name, source, count }) =>
        repeatLines(count, (t) => `    ${source.move?.(t)}\n    g${name}${t} = ${source.bring(t, '0u', 0)};`),
      )
      .join('\n');
  const bringAll = (p: string) => repeatLines(termsIn(ends), (term) => bringTerm(p, term));
  const bringTail = (p: string) =>
    sources
      .map(({ name, source, count }) =>
        repeatLines(count, (t) => `    g${name}${t} = ${source.tail?.(t, p)};`),
      )
      .join('\n');
  const brought = (name: string, { sum }: OperandSource, t: number) =>
    sum === undefined ? `g${name}${t}` : sum.operand(joined(name, t, sum, sum.terms - 1));
  const putX = (buffer: number, t: number) => {
    const { row, step } = ofX[t];
    if (stage === 'rows') return `    xs[${buffer}u][${row}][(${step}) / 4u] = px${t};`;
    if (stage === 'columns') return `    xs[${buffer}u][${step}][(${row}) / 4u] = px${t};`;
    if (stage === 'turned')
      return repeatLines(
        4,
        (c) => `    xs[${buffer}u][${step} + ${c}u][(${row}) / 4u][(${row}) % 4u] = px${t}[${c}];`,
      );
    const turned = [0, 1, 2, 3].map((r) => `px${t - (t % 4) + r}[${t % 4}]`).join(', ');
    return `    xs[${buffer}u][${step} + ${t % 4}u][(${row}) / 4u] = ${operand}(${turned});`;
  };
  const put = (buffer: number) =>
    [
      '    {',
      repeatLines(ofX.length, (t) => `    let px${t} = ${brought('x', ends.x, t)};`),
      repeatLines(ofX.length, (t) => putX(buffer, t)),
      repeatLines(
        ofY.length,
        (t) => `    ys[${buffer}u][${ofY[t].step}][(${ofY[t].col}) / 4u] = ${brought('y', ends.y, t)};`,
      ),
      '    }',
    ].join('\n');
  const moves = sources.every(({ source }) => source.move !== undefined);
  return { registers, bringAll, bringTerm, bringNext: moves ? bringNext : undefined, bringTail, put };
}

/** Returns WGSL of the products of the part of k in workgroup memory: some of its steps, unrolled, or the first `rest` steps in a loop. */
function products({ rows, cols, across, down, stage, numeric }: StagedForm, buffer: number) {
  const vectors = cols / 4;
  const fma = (r: number, v: number, entry: string) => {
    const sum = `c${r}_${v}`;
    return `    ${sum} = ${numeric.multiplyAdd(numeric.splat(entry, 4), `y${v}`, sum, 4)};`;
  };
  const readY = (q: string) =>
    repeatLines(vectors, (v) => `    let y${v} = ys[${buffer}u][${q}][tx + ${v * across}u];`);
  const ofRows = (entry: (r: number) => string) =>
    repeatLines(rows, (r) => repeatLines(vectors, (v) => fma(r, v, entry(r))));
  // Right along one row, left along the next: each product shares an operand with the previous one, which NVIDIA's GPUs need not read again.
  const backAndForth = (entry: (r: number) => string) =>
    repeatLines(rows, (r) =>
      repeatLines(cols, (at) => {
        const c = r % 2 === 0 ? at : cols - 1 - at;
        const [sum, y] = [`c${r}_${Math.floor(c / 4)}[${c % 4}]`, `y${Math.floor(c / 4)}[${c % 4}]`];
        return `    ${sum} = ${numeric.multiplyAdd(entry(r), y, sum, 1)};`;
      }),
    );
  const fmas = stage === 'turned' ? backAndForth : ofRows;
  const readColumn = (q: string) =>
    repeatLines(rows / 4, (g) => {
      const x = `xs[${buffer}u][${q}][ty + ${g * down}u]`;
      const entries = [0, 1, 2, 3].map((r) => `${x}[${r}]`).join(', ');
      return `    let x${g} = ${stage === 'turned' ? `${numeric.operand(4)}(${entries})` : x};`;
    });
  const ofColumn = (r: number) => `x${Math.floor(r / 4)}[${r % 4}]`;
  const readRows = (q: string) =>
    repeatLines(rows, (r) => `    let x${r} = xs[${buffer}u][ty + ${r * down}u][${q}];`);
  const scoped = (...lines: string[]) => `    {\n${lines.join('\n')}\n    }`;
  if (stage !== 'rows') {
    const step = (q: string) => scoped(readY(q), readColumn(q), fmas(ofColumn));
    return {
      steps: (from: number, to: number) => repeatLines(to - from, (q) => step(`${from + q}u`)),
      some: `    for (var q = 0u; q < rest; q++) {\n${step('q')}\n    }`,
    };
  }
  const four = (q: number) =>
    scoped(
      readRows(`${q}u`),
      repeatLines(4, (c) =>
        scoped(
          readY(`${4 * q + c}u`),
          fmas((r) => `x${r}[${c}]`),
        ),
      ),
    );
  return {
    steps: (from: number, to: number) => repeatLines((to - from) / 4, (q) => four(from / 4 + q)),
    some: `    for (var q = 0u; q < rest; q++) {
${scoped(
  readRows('q / 4u'),
  readY('q'),
  fmas((r) => `x${r}[q % 4u]`),
)}
    }`,
  };
}
