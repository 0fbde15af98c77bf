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
