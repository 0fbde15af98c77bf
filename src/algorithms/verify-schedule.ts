import type { Algorithm } from './algorithm.ts';
import { type Group, scheduleOf } from './schedule.ts';

/** A symbolic block: coefficients of A blocks, of B blocks, or of products A·B. */
type Form = Map<string, number>;

/**
 * Runs a schedule symbolically and compares what it leaves in each block of C with the definition of the
 * product: catches a wrong sign, a swapped block and a temporary overwritten before its last use.
 * @returns one sentence a fault; none for a correct schedule.
 */
export function scheduleFaults(
  algorithm: Algorithm,
  groups: readonly Group[] = scheduleOf(algorithm),
): string[] {
  const { m, k, n } = algorithm.base;
  const store = new Map<string, Form>();
  for (const [matrix, rows, cols] of [
    ['A', m, k],
    ['B', k, n],
  ] as const) {
    eachBlock(rows, cols, (i, j) => store.set(`${matrix}${i}${j}`, new Map([[`${matrix}${i}${j}`, 1]])));
  }
  const faults: string[] = [];
  const read = (name: string): Form => {
    const form = store.get(name);
    if (form === undefined) faults.push(`${name} is read before it is written.`);
    return form ?? new Map();
  };
  for (const { product, sums } of groups) {
    if (product !== undefined) store.set(product.target, times(read(product.x), read(product.y)));
    for (const { target, terms } of sums) {
      const sum: Form = new Map();
      for (const { sign, name } of terms) addTo(sum, read(name), sign);
      store.set(target, sum);
    }
  }
  eachBlock(m, n, (i, j) => {
    const expected: Form = new Map();
    for (let p = 1; p <= k; p++) expected.set(`A${i}${p}·B${p}${j}`, 1);
    const found = read(`C${i}${j}`);
    if (text(found) !== text(expected)) faults.push(`C${i}${j} is ${text(found)}, not ${text(expected)}.`);
  });
  return faults;
}

function eachBlock(rows: number, cols: number, visit: (i: number, j: number) => void): void {
  for (let i = 1; i <= rows; i++) for (let j = 1; j <= cols; j++) visit(i, j);
}

function times(x: Form, y: Form): Form {
  const product: Form = new Map();
  for (const [a, p] of x) for (const [b, q] of y) addTo(product, new Map([[`${a}·${b}`, p]]), q);
  return product;
}

function addTo(sum: Form, form: Form, factor: number): void {
  for (const [name, coefficient] of form) {
    const value = (sum.get(name) ?? 0) + factor * coefficient;
    if (value === 0) sum.delete(name);
    else sum.set(name, value);
  }
}

function text(form: Form): string {
  const parts = [...form].sort().map(([name, c]) => (c === 1 ? name : `${c}·${name}`));
  return parts.length === 0 ? '0' : parts.join(' + ');
}
