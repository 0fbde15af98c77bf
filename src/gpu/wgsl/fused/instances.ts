import type { Numeric } from '../../../precision/wgsl/numeric.ts';

/** The words of a term in the table of instances: row, column, and flags. */
export const TERM_WORDS = 3;
/** The flags of a term: its sign is negative; C is stored without being read; C's old contents are multiplied by beta first. */
export const NEGATIVE = 1;
export const FRESH = 2;
export const BETA = 4;
/** The bit of the flags where the number of a factor other than ±1 begins. Numbers start at 1; 0 means none. */
export const FACTOR_SHIFT = 8;

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
