import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';

/** The words of a term in the table of instances: row, column, and flags. */
export const TERM_WORDS = 3;
/** The flags of a term: its sign is negative; C is stored without being read; C's old contents are multiplied by beta first. */
export const NEGATIVE = 1;
export const FRESH = 2;
export const BETA = 4;
/** The bit of the flags where the number of a factor other than ±1 begins. Numbers start at 1; 0 means none. */
const FACTOR_SHIFT = 8;

/**
 * Returns the beginning of shaders of fused products. Bindings: 0 params, 1 the table of instances, 2 A, 3 B, 4 C. A, B and C are bound
 * once for any number of terms, and read-write, since they may be ranges of one buffer. `x`, `y` and `z` of params hold the rows, columns
 * and leading dimension of the whole matrices.
 * @param types the element types of the bindings.
 */
export function instanceDeclarations(
  { enables, prelude }: Numeric,
  types: { readonly x: string; readonly y: string; readonly z: string },
): string {
  const storage = (binding: number, name: 'x' | 'y' | 'z') =>
    `@group(0) @binding(${binding}) var<storage, read_write> ${name}: array<${types[name]}>;`;
  return `${enables}struct Params {
  m: u32, k: u32, n: u32, firstRow: u32,
  x: vec4<u32>, y: vec4<u32>, z: vec4<u32>,
  alpha: vec2<u32>, beta: vec2<u32>,
  table: u32, zero: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> layouts: array<u32>;
${prelude}
${storage(2, 'x')}
${storage(3, 'y')}
${storage(4, 'z')}`;
}

/** Returns the distinct factors other than ±1. The number of a factor in the table of instances is its index plus one. */
export function factorsOf(factors: readonly number[]): number[] {
  return [...new Set(factors.filter((factor) => Math.abs(factor) !== 1))].sort((x, y) => x - y);
}

/** Returns a factor's flag in the table of instances; 0 for ±1. */
export function factorFlag(factor: number, factors: readonly number[]): number {
  return (factors.indexOf(factor) + 1) << FACTOR_SHIFT;
}

/** Returns the WGSL `timesPlus4(number, x, sum)`, for each width: x times the factor of that number, plus the sum, by the multiply-add. */
export function factorsFunction(
  factors: readonly number[],
  numeric: Numeric,
  widths: ReadonlySet<Width>,
): string {
  if (factors.length === 0) return '';
  const cases = (width: Width) =>
    factors.map((factor, at) => {
      const [c, x] = [numeric.constant(factor, width), numeric.factorOf('x', width)];
      return `    case ${at + 1}u: { return ${numeric.multiplyAdd(c, x, 'sum', width)}; }`;
    });
  return [...widths]
    .map((width) => {
      const value = numeric.value(width);
      return `fn timesPlus${width}(number: u32, x: ${value}, sum: ${value}) -> ${value} {
  switch (number) {
${cases(width).join('\n')}
    default: { return sum; }
  }
}`;
    })
    .join('\n');
}

/**
 * Returns WGSL statements: if the flags of a term name a factor, `sum` becomes sum + factor·value, followed by `store`; otherwise `else`
 * runs.
 */
export function sumWithFactor(
  factors: readonly number[],
  width: Width,
  text: {
    readonly which: string;
    readonly value: string;
    readonly sum: string;
    readonly store?: string;
    readonly else: string;
  },
): string {
  if (factors.length === 0) return text.else;
  const number = `${text.which} >> ${FACTOR_SHIFT}u`;
  return `if ((${number}) != 0u) { ${text.sum} = timesPlus${width}(${number}, ${text.value}, ${text.sum}); ${text.store ?? ''} } else { ${text.else} }`;
}

/** Returns the WGSL `times(P, factor)`: a product that is rounded on its own, and that compilers cannot contract. */
export function scaleFunction(numeric: Numeric, width: Width): string {
  const value = numeric.value(width);
  const given = numeric.words === 2 ? 'factor' : 'factor.x';
  const factor = numeric.splat(numeric.prepare(`bitcast<${numeric.memory(1)}>(${given})`, 1), width);
  const product = numeric.multiplyAdd(
    numeric.prepare(numeric.store('P', width), width),
    factor,
    opaqueZero(numeric, width),
    width,
  );
  return `fn times(P: ${value}, factor: vec2<u32>) -> ${value} {
  return ${product};
}`;
}

/** Returns the words of a factor as `times` reads them. The second is 0 for one-word precisions. */
export function scaleFactorWords(x: number, { words, encode = (x) => x }: Numeric): [number, number] {
  const [low, high = 0] = new Uint32Array((words === 2 ? Float64Array : Float32Array).of(encode(x)).buffer);
  return [low, high];
}

/**
 * Returns WGSL of the value +0, which no compiler knows to be 0. A compiler could replace x·y + 0 by the product, whose zeros may have
 * another sign, and contract it with a following addition.
 */
export function opaqueZero(numeric: Numeric, width: Width): string {
  const words = numeric.words === 2 ? 'vec2<u32>' : width === 1 ? 'u32' : 'vec4<u32>';
  return numeric.load(`bitcast<${numeric.memory(width)}>(${words}(params.zero))`, width);
}
