import { type Case, flat, formatCase } from './case.ts';
import { allFields } from './fields.ts';
import { notServed } from './messages.ts';
import { plainStorage, type Storage } from './problem.ts';

/** A storage that kernels may take: rows one after the other, transposed or not, perhaps apart. */
const isServed = ({ op, order, offset, gap }: Storage): boolean =>
  op !== 'c' && order === plainStorage.order && offset === plainStorage.offset && gap === plainStorage.gap;

/** Fields that have one value in this version; how A and B lie is a matter of kernels, and faults are planted. */
const usual = allFields
  .filter(({ key, accepted }) => accepted !== '*' && !['a', 'b', 'fault'].includes(key))
  .map((field) => ({ ...field, matches: field.kind.matcher(field.key, field.accepted, {}) }));

/** Why this version computes no such product, as a clause; undefined where it may: that a kernel takes it is asked of it. */
export function unserved(value: Case): string | undefined {
  const all = flat(value);
  for (const { key, kind, accepted, matches } of usual) {
    if (matches(all[key])) continue;
    return `this version computes with ${key}=${accepted} only, not ${key}=${kind.write(all[key])}`;
  }
  const { a, b } = value.problem;
  if (!isServed(a) || !isServed(b))
    return 'this version lays A and B out as n or t with a pad only, as in t+3';
  if (a.pad !== b.pad) return 'this version takes one pad for A and B';
  return undefined;
}

/** Refuses what is no product of this version. @throws ParanoiaError `not-served` */
export function requireServed(value: Case): void {
  const why = unserved(value);
  if (why !== undefined) throw notServed({ given: formatCase(value), why });
}
