import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { repeatLines } from '../each.ts';
import { type PlainTiling, tileShapeOf } from '../tilings.ts';
import {
  BETA,
  FRESH,
  factorsFunction,
  instanceDeclarations,
  NEGATIVE,
  scaleFunction,
  sumWithFactor,
  TERM_WORDS,
} from './instances.ts';

/** The parameters of a shader of fused products. One shader serves every product of a variant. */
export interface PrimitiveKind {
  /** The number of blocks in each factor's sum, and of blocks that the product updates. */
  readonly counts: { readonly a: number; readonly b: number; readonly c: number };
  readonly tiling: PlainTiling;
  /** True if rows and blocks begin at multiples of four entries, so that four are read at a time. */
  readonly byFour: boolean;
  /** True if no block is cut off and the blocking divides them all: no bounds need checks. */
  readonly whole: boolean;
  /** True if updates are atomic additions. */
  readonly atomic: boolean;
  /** True if alpha multiplies products, or beta the old contents of C. */
  readonly scaled: boolean;
  /** The factors of terms other than ±1, in the order of their numbers. */
  readonly factors: readonly number[];
}

/**
 * Returns the WGSL of a batch of fused products (Huang, Yu, van de Geijn 2020, Algorithm 1, right). The workgroups' third index is the
 * instance; the table at binding 1 gives its blocks. Tiles of the factors are summed term by term while they are read into workgroup
 * memory, each while the previous tile is multiplied. The sum of an entry over k stays in a register, sequential, and is then added to each
 * block of C.
 * Bindings: 0 params, 1 the table, 2 A, 3 B, 4 C. A, B and C are bound once for any number of terms, and read-write, since they may be
 * ranges of one buffer.
 */
export function primitiveShader(kind: PrimitiveKind, numeric: Numeric): string {
  const { counts, tiling, byFour, atomic, scaled } = kind;
  const { rows: mR, cols: nR, across } = tiling;
  const { m: mS, k: kS, n: nS } = tileShapeOf(tiling);
  const quantum: Width = numeric.lanes ? 4 : 1;
  const memoryWidth: Width = byFour && numeric.lanes ? 4 : 1;
  const valueWidth: Width = numeric.lanes && nR % 4 === 0 ? 4 : 1;
  const zWidth: Width = memoryWidth === 4 && valueWidth === 4 && !atomic ? 4 : 1;
  const threads = across * tiling.down;
  const vectors = nR / valueWidth;
  const terms = counts.a + counts.b + counts.c;
  const x = quantaOf((mS * kS) / quantum, threads, kS / quantum);
  const y = quantaOf((nS * kS) / quantum, threads, nS / quantum);
  const next = (name: string, { length }: readonly Quantum[]) =>
    repeatLines(length, (s) => `  var next_${name}${s}: ${numeric.operand(quantum)};`);
  const entries = (text: (r: number, v: number) => string) =>
    repeatLines(mR, (r) => repeatLines(vectors, (v) => text(r, v)));
  const fma = (r: number, v: number) =>
    numeric.multiplyAdd(numeric.splat(`x${r}`, valueWidth), `y${v}`, `c${r}_${v}`, valueWidth);
  const memory = numeric.memory(memoryWidth);
  return `${instanceDeclarations(numeric, { x: memory, y: memory, z: atomic ? 'atomic<u32>' : numeric.memory(zWidth) })}
// Of each term: the first entry, the rows and columns that exist, and flags.
var<workgroup> terms: array<vec4<u32>, ${terms}>;
var<workgroup> xs: array<${numeric.operand(1)}, ${kS * (mS + PAD)}>;
var<workgroup> ys: array<${numeric.operand(valueWidth)}, ${(kS * nS) / valueWidth}>;
fn termOf(instance: u32, e: u32) -> vec4<u32> {
  var whole = params.z;
  var rows = params.m;
  var cols = params.n;
  if (e < ${counts.a}u) { whole = params.x; cols = params.k; }
  else if (e < ${counts.a + counts.b}u) { whole = params.y; rows = params.k; }
  let at = params.table + (instance * ${terms}u + e) * ${TERM_WORDS}u;
  let row = layouts[at];
  let col = layouts[at + 1u];
  return vec4<u32>(row * whole.z + col, min(rows, whole.x - row), min(cols, whole.y - col), layouts[at + 2u]);
}
${factorsFunction(kind.factors, numeric, new Set([quantum, zWidth]))}
${readFunction('x', 0, counts.a, kind, numeric, quantum)}
${readFunction('y', counts.a, counts.b, kind, numeric, quantum)}
${scaled ? scaleFunction(numeric, zWidth) : ''}
${finishFunction(kind, numeric, zWidth)}
@compute @workgroup_size(${across}, ${mS / mR})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) t: u32) {
  let top = params.firstRow + group.y * ${mS}u;
  let left = group.x * ${nS}u;
  for (var e = t; e < ${terms}u; e += ${threads}u) { terms[e] = termOf(group.z, e); }
  workgroupBarrier();
${entries((r, v) => `  var c${r}_${v} = ${numeric.zero(valueWidth)};`)}
${next('x', x)}
${next('y', y)}
  for (var p = 0u; p < params.k + ${kS}u; p += ${kS}u) {
    if (p < params.k) {
${guarded(x, ({ row, col }, s) => `next_x${s} = readX(top + ${row}, p + (${col}) * ${quantum}u);`)}
${guarded(y, ({ row, col }, s) => `next_y${s} = readY(p + ${row}, left + (${col}) * ${quantum}u);`)}
    }
    if (p > 0u) {
      let depth = ${kind.whole ? `${kS}u` : `min(${kS}u, params.k + ${kS}u - p)`};
      for (var q = 0u; q < depth; q++) {
${repeatLines(mR, (r) => `        let x${r} = xs[q * ${mS + PAD}u + id.y * ${mR}u + ${r}u];`)}
${repeatLines(vectors, (v) => `        let y${v} = ys[q * ${nS / valueWidth}u + ${v * across}u + id.x];`)}
${entries((r, v) => `        c${r}_${v} = ${fma(r, v)};`)}
      }
    }
    workgroupBarrier();
${guarded(x, (one, s) => storeX(one, s, mS, quantum))}
${guarded(y, (one, s) => storeY(one, s, nS, quantum === valueWidth))}
    workgroupBarrier();
  }
  var sums = array<${numeric.value(valueWidth)}, ${mR * vectors}>(${Array.from({ length: mR * vectors }, (_, e) => `c${Math.floor(e / vectors)}_${e % vectors}`).join(', ')});
  // A loop, so that the updates, which are long, are there once.
  for (var e = 0u; e < ${mR * vectors}u; e++) {
    let i = top + id.y * ${mR}u + e / ${vectors}u;
    let j = left + (e % ${vectors}u * ${across}u + id.x) * ${valueWidth}u;
${valueWidth === zWidth ? '    finish(i, j, sums[e]);' : '    for (var c = 0u; c < 4u; c++) { finish(i, j + c, sums[e][c]); }'}
  }
}`;
}

/** The padding in entries between rows of the first factor's tile, which avoids bank conflicts of stores. */
const PAD = 4;

/** Adjacent entries of a tile that an invocation loads into workgroup memory together, in WGSL. */
interface Quantum {
  /** The quantum's number in the tile. */
  readonly e: string;
  /** The quantum's row, and its number in the row. */
  readonly row: string;
  readonly col: string;
  /** The condition on invocations that have this quantum; empty if all have one. */
  readonly guard: string;
}

/**
 * Returns the quanta of an invocation.
 * @param count the quanta of the whole tile.
 */
function quantaOf(count: number, threads: number, inRow: number): Quantum[] {
  return Array.from({ length: Math.ceil(count / threads) }, (_, s) => {
    const e = s === 0 ? 't' : `(t + ${s * threads}u)`;
    const guard = (s + 1) * threads <= count ? '' : `if (${e} < ${count}u) `;
    return { e, row: `${e} / ${inRow}u`, col: `${e} % ${inRow}u`, guard };
  });
}

const guarded = (quanta: readonly Quantum[], text: (one: Quantum, s: number) => string): string =>
  quanta.map((one, s) => `    ${one.guard}{ ${text(one, s)} }`).join('\n');

/**
 * Returns WGSL that stores a quantum of the first factor's tile column by column, so that neighboring invocations read neighboring rows.
 */
function storeX({ row, col }: Quantum, s: number, mS: number, quantum: Width): string {
  const at = (c: number) => `xs[((${col}) * ${quantum}u + ${c}u) * ${mS + PAD}u + ${row}]`;
  if (quantum === 1) return `${at(0)} = next_x${s};`;
  return [0, 1, 2, 3].map((c) => `${at(c)} = next_x${s}[${c}];`).join(' ');
}

function storeY({ e, row, col }: Quantum, s: number, nS: number, whole: boolean): string {
  if (whole) return `ys[${e}] = next_y${s};`;
  const first = `${row} * ${nS}u + (${col}) * 4u`;
  return [0, 1, 2, 3].map((c) => `ys[${first} + ${c}u] = next_y${s}[${c}];`).join(' ');
}

/** Returns the WGSL `readX` or `readY`: entries of a factor, its terms summed from left to right, with zeros where a block is cut off. */
function readFunction(
  name: 'x' | 'y',
  first: number,
  count: number,
  { byFour, whole, factors }: PrimitiveKind,
  numeric: Numeric,
  quantum: Width,
): string {
  const upper = name.toUpperCase();
  const value = numeric.value(quantum);
  const ld = `params.${name}.z`;
  const load = (entry: string) => numeric.load(entry, quantum);
  const lane = `${whole ? '' : `if (j + c >= term.z) { break; } `}entry[c] = ${numeric.load(`${name}[e + c]`, 1)};`;
  const one = quantum === 1 ? `    entry = ${load(`${name}[e]`)};` : '';
  const four = byFour
    ? `    entry = ${load(`${name}[e / 4u]`)};`
    : `    for (var c = 0u; c < 4u; c++) { ${lane} }`;
  // A single call, so that the function's code is inlined once.
  const added = `if (number > ${first}u) { sum = ${numeric.add('sum', 'entry', quantum)}; } else { sum = entry; }`;
  return `fn term${upper}(number: u32, i: u32, j: u32) -> ${value} {
  let term = terms[number];
  var entry = ${numeric.zero(quantum)};
  let e = term.x + i * ${ld} + j;
  ${whole ? '{' : 'if (i < term.y && j < term.z) {'}
${quantum === 1 ? one : four}
  }
  if ((term.w & ${NEGATIVE}u) != 0u) { entry = ${numeric.negate('entry', quantum)}; }
  return entry;
}
fn read${upper}(i: u32, j: u32) -> ${numeric.operand(quantum)} {
  var sum = ${numeric.zero(quantum)};
  for (var number = ${first}u; number < ${first + count}u; number++) {
    let entry = term${upper}(number, i, j);
    ${sumWithFactor(factors, quantum, { which: 'terms[number].w', value: 'entry', sum: 'sum', else: count === 1 ? 'sum = entry;' : added })}
  }
  return ${numeric.prepare(numeric.store('sum', quantum), quantum)};
}`;
}

/** Returns the WGSL `fn finish(i, j, P)`: the updates of C by the product's entries from (i, j) on. */
function finishFunction(
  { counts, whole, atomic, scaled, factors }: PrimitiveKind,
  numeric: Numeric,
  width: Width,
): string {
  const value = numeric.value(width);
  const first = counts.a + counts.b;
  const index = width === 4 ? 'e / 4u' : 'e';
  const held = numeric.load(`z[${index}]`, width);
  const plain = `var held = ${held};
    ${scaled ? `if ((term.w & ${BETA}u) != 0u) { held = times(held, params.beta); }` : ''}
    ${sumWithFactor(factors, width, {
      which: 'term.w',
      value: 'own',
      sum: 'held',
      store: `z[${index}] = ${numeric.store('held', width)};`,
      else: `z[${index}] = ${numeric.store(numeric.add('held', 'own', width), width)};`,
    })}`;
  const fresh = sumWithFactor(factors, width, {
    which: 'term.w',
    value: 'own',
    sum: 'none',
    store: `z[${index}] = ${numeric.store('none', width)};`,
    else: `z[${index}] = ${numeric.store('own', width)};`,
  });
  const none = factors.length === 0 ? '' : `var none = ${numeric.zero(width)}; `;
  const update = atomic
    ? `accumulate(e, own${factors.length === 0 ? '' : ', term.w'});`
    : `if ((term.w & ${FRESH}u) != 0u) { ${none}${fresh} } else {
    ${plain}
    }`;
  return `${atomic ? accumulateFunction(numeric, factors) : ''}
fn finish(i: u32, j: u32, product: ${value}) {
  ${scaled ? 'let P = times(product, params.alpha);' : 'let P = product;'}
  for (var number = ${first}u; number < ${first + counts.c}u; number++) {
    let term = terms[number];
    ${whole ? '' : 'if (i >= term.y || j >= term.z) { continue; }'}
    let e = term.x + i * params.z.z + j;
    var own = P;
    if ((term.w & ${NEGATIVE}u) != 0u) { own = ${numeric.negate('P', width)}; }
    ${update}
  }
}`;
}

/** Returns WGSL that adds by compare and exchange. An intervening write makes it retry, so additions have no order. */
const accumulateFunction = (
  numeric: Numeric,
  factors: readonly number[],
): string => `fn accumulate(e: u32, own: ${numeric.value(1)}${factors.length === 0 ? '' : ', flags: u32'}) {
  var held = atomicLoad(&z[e]);
  loop {
    var sum = ${numeric.load(`bitcast<${numeric.memory(1)}>(held)`, 1)};
    ${sumWithFactor(factors, 1, { which: 'flags', value: 'own', sum: 'sum', else: `sum = ${numeric.add('sum', 'own', 1)};` })}
    let after = atomicCompareExchangeWeak(&z[e], held, bitcast<u32>(${numeric.store('sum', 1)}));
    if (after.exchanged) { break; }
    held = after.old_value;
  }
}`;
