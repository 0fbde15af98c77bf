import {
  addRationals,
  equalRationals,
  multiplyRationals,
  type Rational,
  rational,
  toNumber,
} from '../base/rational.ts';
import type { Algorithm } from './algorithm.ts';
import { blockName } from './block-names.ts';
import { coefficientFraction, factorText } from './coefficient.ts';
import { listOperands, type ScheduleValue, type ScheduleValues, scheduleValuesOf } from './notation.ts';

/** A symbolic block: coefficients of A blocks, of B blocks, or of products A·B. */
type Form = ReadonlyMap<string, Rational>;

const ONE = rational(1);

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
      for (const [b, q] of forms[value.y]) add(form, `${a}·${b}`, multiplyRationals(p, q));
  }
  if (value.kind === 'sum') {
    for (const { factor, of } of value.terms) {
      const by = coefficientFraction(factor);
      for (const [name, c] of forms[of]) add(form, name, multiplyRationals(by, c));
    }
  }
  return form;
}

function add(form: Map<string, Rational>, name: string, coefficient: Rational): void {
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
