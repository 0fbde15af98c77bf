import {
  addRationals,
  equalRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
  toNumber,
} from '../base/rational.ts';
import { type Algorithm, blockName, rank } from './algorithm.ts';
import { coefficientFraction, factorText } from './coefficient.ts';
import { listOperands, type ScheduleValue, type ScheduleValues, scheduleValuesOf } from './notation.ts';

/** One violated Brent equation: the coefficient of A(i,j)·B(k,l) in C(p,q). */
interface BrentViolation {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly expected: number;
  readonly found: number;
}

const ZERO = rational(0);
const ONE = rational(1);

/**
 * Checks the Brent equations (R. Brent, 1970). A table computes A·B exactly if and only if, for all blocks,
 *
 *     Σ_r u[r][ij] v[r][kl] w[r][pq] = [j = k] [i = p] [l = q],
 *
 * over the rationals: tables that hold modulo 2 alone violate them. Coefficients are read by {@link coefficientFraction}.
 * @returns the violated equations; none for a correct table. Cost: as many multiplications as there are triples of
 *   coefficients other than 0.
 */
export function brentViolations(algorithm: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>): BrentViolation[] {
  const { m, k, n } = algorithm.base;
  const sums = productsOf(algorithm);
  const violations: BrentViolation[] = [];
  const row = (at: number, columns: number) => Math.floor(at / columns);
  for (let a = 0; a < m * k; a++) {
    for (let b = 0; b < k * n; b++) {
      for (let c = 0; c < m * n; c++) {
        const isTerm = a % k === row(b, n) && row(a, k) === row(c, n) && b % n === c % n;
        const key = (a * k * n + b) * m * n + c;
        const off = subtractRationals(sums.get(key) ?? ZERO, isTerm ? ONE : ZERO);
        if (off.num === 0n) continue;
        violations.push({
          a: blockName('A', row(a, k), a % k),
          b: blockName('B', row(b, n), b % n),
          c: blockName('C', row(c, n), c % n),
          expected: isTerm ? 1 : 0,
          found: toNumber(sums.get(key) ?? ZERO),
        });
      }
    }
  }
  return violations;
}

/** Returns Σ_r u[r][a]·v[r][b]·w[r][c] for every a, b, c of some product. */
function productsOf(algorithm: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>): Map<number, Rational> {
  const { u, v, w, base } = algorithm;
  const sums = new Map<number, Rational>();
  const [ofB, ofC] = [base.k * base.n, base.m * base.n];
  const terms = (row: readonly number[]) =>
    row.flatMap((factor, at) => (factor === 0 ? [] : [[at, coefficientFraction(factor)] as const]));
  for (let r = 0; r < rank(algorithm); r++) {
    for (const [a, p] of terms(u[r])) {
      for (const [b, q] of terms(v[r])) {
        const both = multiplyRationals(p, q);
        for (const [c, s] of terms(w[r])) {
          const key = (a * ofB + b) * ofC + c;
          sums.set(key, addRationals(sums.get(key) ?? ZERO, multiplyRationals(both, s)));
        }
      }
    }
  }
  return sums;
}

/** A symbolic block: coefficients of A blocks, of B blocks, or of products A·B. */
type Form = ReadonlyMap<string, Rational>;

/**
 * Checks a schedule. It computes its values symbolically and compares the final value of each block of C with the definition of the
 * product. This catches a wrong sign or factor, a swapped block and a temporary overwritten before its last use.
 * @returns one sentence for each fault; none for a correct schedule.
 */
export function findWrongBlocks(
  algorithm: Algorithm,
  values: ScheduleValues = scheduleValuesOf(algorithm),
): string[] {
  const { k, n } = algorithm.base;
  const forms: Form[] = [];
  for (const value of values.all) forms.push(formOf(value, forms));
  const unwritten = values.all.flatMap(({ kind, written }) =>
    kind === 'unwritten' ? [`${written} is read before it is written.`] : [],
  );
  const wrong = values.outputs.flatMap((value, at) => {
    const [row, col] = [Math.floor(at / n), at % n];
    const expected = new Map(
      Array.from({ length: k }, (_, p) => [`${blockName('A', row, p)}·${blockName('B', p, col)}`, ONE]),
    );
    const found = text(forms[value]);
    return found === text(expected)
      ? []
      : [`${blockName('C', row, col)} is ${found}, expected ${text(expected)}.`];
  });
  return [...unwritten, ...unread(values), ...wrong];
}

/** Returns a sentence for each sum that no step reads. */
function unread({ all, outputs }: ScheduleValues): string[] {
  const read = new Set(outputs);
  for (const value of all) for (const of of listOperands(value)) read.add(of);
  return all.flatMap(({ kind, written }, at) =>
    kind === 'sum' && !read.has(at) ? [`${written} is assigned but never read.`] : [],
  );
}

function formOf(value: ScheduleValue, forms: readonly Form[]): Form {
  const form = new Map<string, Rational>();
  if (value.kind === 'input') form.set(value.written, ONE);
  if (value.kind === 'product') {
    for (const [a, p] of forms[value.x])
      for (const [b, q] of forms[value.y]) addTo(form, `${a}·${b}`, multiplyRationals(p, q));
  }
  if (value.kind === 'sum') {
    for (const { factor, of } of value.terms) {
      const by = coefficientFraction(factor);
      for (const [name, c] of forms[of]) addTo(form, name, multiplyRationals(by, c));
    }
  }
  return form;
}

function addTo(form: Map<string, Rational>, name: string, coefficient: Rational): void {
  const before = form.get(name);
  const value = before === undefined ? coefficient : addRationals(before, coefficient);
  if (value.num === 0n) form.delete(name);
  else form.set(name, value);
}

function text(form: Form): string {
  const parts = [...form]
    .sort()
    .map(([name, c]) => (equalRationals(c, ONE) ? name : `${factorText(toNumber(c))}·${name}`));
  return parts.length === 0 ? '0' : parts.join(' + ');
}
