import type { Numeric } from '../numerics/numeric.ts';

/**
 * `fn loadX(i: u32, p: u32) -> operand4`: the entries (i, p) to (i, p + 3) of x.
 * @param byFour whether k and n are multiples of 4, so that operands are bound as vec4s.
 */
export function loadLanesX(byFour: boolean, numeric: Numeric): string {
  const head = `fn loadX(i: u32, p: u32) -> ${numeric.operand(4)}`;
  if (byFour) return `${head} { return ${numeric.prepare('x[(i * params.k + p) / 4u]', 4)}; }`;
  const entries = [0, 1, 2, 3].map((c) => `x[e + ${c}u]`).join(', ');
  return `${head} {
  let e = i * params.k + p;
  return ${numeric.prepare(`${numeric.memory(4)}(${entries})`, 4)};
}`;
}

/**
 * `fn loadY(p: u32, j: u32) -> operand4`: the entries (p, j) to (p, j + 3) of y; columns that y has not are others of it.
 * @param whole whether the columns need no check.
 */
export function loadLanesY(byFour: boolean, whole: boolean, numeric: Numeric): string {
  const head = `fn loadY(p: u32, j: u32) -> ${numeric.operand(4)}`;
  if (byFour) {
    const column = whole ? 'j' : 'min(j, params.n - 4u)';
    return `${head} { return ${numeric.prepare(`y[(p * params.n + ${column}) / 4u]`, 4)}; }`;
  }
  const entry = (c: number) => `y[p * params.n + min(j + ${c}u, params.n - 1u)]`;
  const entries = [0, 1, 2, 3].map(entry).join(', ');
  return `${head} { return ${numeric.prepare(`${numeric.memory(4)}(${entries})`, 4)}; }`;
}
