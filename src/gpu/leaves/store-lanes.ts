import type { Numeric } from '../numerics/numeric.ts';

/**
 * `fn store(i: u32, j: u32, P: value4)`: finishes the entries (i, j) to (i, j + 3) that the product has.
 * @param byFour whether n is a multiple of 4, so that slots are bound as vec4s.
 * @param whole whether the columns need no check.
 */
export function storeLanes(byFour: boolean, whole: boolean, numeric: Numeric): string {
  const head = `fn store(i: u32, j: u32, P: ${numeric.value(4)})`;
  const guard = `i >= params.endRow${whole ? '' : ' || j >= params.n'}`;
  if (byFour) return `${head} { if (${guard}) { return; } finish((i * params.n + j) / 4u, P); }`;
  return `${head} {
  if (${guard}) { return; }
  for (var c = 0u; c < min(4u, params.n - j); c++) { finish(i * params.n + j + c, P[c]); }
}`;
}

/**
 * Stores the sums `c0_0`, `c0_1`, …, vec4s of rows from `top` on, in columns from `left` on.
 * @param apart columns from one vec4 of an invocation to the next.
 * @param rowOf which row from `top` on the sums of a number are of.
 */
export function storeSums(
  rows: number,
  vectors: number,
  apart: number,
  numeric: Numeric,
  rowOf = (r: string) => r,
): string {
  const count = rows * vectors;
  const sums = Array.from({ length: count }, (_, e) => `c${Math.floor(e / vectors)}_${e % vectors}`);
  return `  var sums = array<${numeric.value(4)}, ${count}>(${sums.join(', ')});
  // The updates may be long: in a loop, and in one that no compiler unrolls, they are there once.
  for (var e = 0u; e < ${count}u; e += 1u + params.zero) { store(top + ${rowOf(`e / ${vectors}u`)}, left + e % ${vectors}u * ${apart}u, sums[e]); }`;
}
