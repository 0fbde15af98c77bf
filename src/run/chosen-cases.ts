import { group } from 'd3-array';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { formatCount } from '../report/numbers.ts';
import { classesOf } from './classes-of.ts';
import { listClasses } from './omitted-cases.ts';
import type { PlannedCase } from './planned-case.ts';
import { estimateWork } from './spending.ts';

/** A limited number of planned cases of each kernel. */
export interface ChosenCases {
  /** The chosen cases, in the order of the plan. */
  readonly cases: readonly PlannedCase[];
  /** A sentence on the number of chosen cases. */
  readonly note: string;
  /** Sentences on why these cases cannot make a pass. */
  readonly lacks: readonly string[];
}

/**
 * Chooses a number of planned cases of each kernel, from the plan and the number alone.
 * @param least the fewest cases of a kernel for a pass, where not all are run.
 * @param items items that cases may name. @defaultValue the built-in ones
 */
export function chooseCases(
  planned: readonly PlannedCase[],
  count: number,
  least = 0,
  items = builtinCaseItems,
): ChosenCases {
  const byKernel = group(planned, ({ kernel }) => kernel);
  const chosen = [...byKernel].map(([kernel, own]) => ({ kernel, own, few: telling(own, count, items) }));
  const all = new Set(chosen.flatMap(({ few }) => few));
  const fewer = chosen.filter(({ own }) => own.length < count);
  const note = `--cases ${count} runs ${all.size} of ${formatCount(planned.length, 'planned case')}`;
  return {
    cases: planned.filter((value) => all.has(value)),
    note: `${note}.${fewer.length === 0 ? '' : ` ${namesOf(fewer)} ${fewer.length === 1 ? 'has' : 'have'} fewer than ${count}.`}`,
    lacks: lacksOf(chosen, count, least, items),
  };
}

/** Most work of a case that may come first: multiplications, plus the cost of its entries. */
const FIRST = 2 ** 24;

/**
 * Reorders cases: a few small ones that meet each class of sizes of their kernel come first, plain ones before others. A run that ends
 * early has seen every class, and is judged by the cases it ran.
 */
export function classesFirst(planned: readonly PlannedCase[], items = builtinCaseItems): PlannedCase[] {
  const first = new Set(
    [...group(planned, ({ kernel }) => kernel).values()].flatMap((own) => {
      const small = own.filter((value) => estimateWork(value) <= FIRST);
      const plain = small.filter(({ problem }) => problem.repeats === 1 && problem.program === 0);
      const few = covering(plain, classesIn(plain, items), items).sort(
        (one, other) => estimateWork(one) - estimateWork(other),
      );
      return [...few, ...covering(small, missedBy(few, small, items), items)];
    }),
  );
  return [...first, ...planned.filter((value) => !first.has(value))];
}

/** The cases of one kernel, and the chosen ones among them. */
interface Chosen {
  readonly kernel: string;
  readonly own: readonly PlannedCase[];
  readonly few: readonly PlannedCase[];
}

/**
 * Chooses a number of cases of one kernel: the first of the plan, then the needed ones, then those that meet the classes of sizes that
 * these lack. Where the number is too small for all classes, the cases that meet most are chosen.
 */
function telling(own: readonly PlannedCase[], count: number, items: CaseItems): PlannedCase[] {
  if (own.length <= count) return [...own];
  for (let first = count; first >= 0; first--) {
    const [begin, rest] = [own.slice(0, first), own.slice(first)];
    const needed = rest.filter((value) => value.needed === true);
    const few = new Set([
      ...begin,
      ...needed,
      ...covering(rest, missedBy([...begin, ...needed], rest, items), items),
    ]);
    if (few.size > count) continue;
    for (const value of own) if (few.size < count) few.add(value);
    return [...few];
  }
  return covering(own, classesIn(own, items), items).slice(0, count);
}

/** Returns the classes of sizes that cases meet. */
const classesIn = (cases: readonly PlannedCase[], items: CaseItems) =>
  classesOf(
    cases.map(({ problem }) => problem),
    items,
  );

/** Returns the classes of sizes that `cases` meet and `others` do not. */
function missedBy(
  others: readonly PlannedCase[],
  cases: readonly PlannedCase[],
  items: CaseItems,
): Set<string> {
  const met = classesIn(others, items);
  return new Set([...classesIn(cases, items)].filter((one) => !met.has(one)));
}

/** Chooses cases that meet each remaining class of sizes, greedily: always the first case that meets most of them. */
function covering(cases: readonly PlannedCase[], left: Set<string>, items: CaseItems): PlannedCase[] {
  const found: PlannedCase[] = [];
  if (left.size === 0) return found;
  const all = cases.map((value) => ({ value, met: [...classesIn([value], items)] }));
  while (left.size > 0) {
    const counts = all.map(({ met }) => met.filter((one) => left.has(one)).length);
    const { value, met } = all[counts.indexOf(Math.max(...counts))];
    for (const one of met) left.delete(one);
    found.push(value);
  }
  return found;
}

/** Returns a sentence on kernels with too few cases, with the number that is enough. */
function lacksOf(chosen: readonly Chosen[], count: number, least: number, items: CaseItems): string[] {
  const short = chosen.flatMap(({ own, few, ...one }) => {
    const missed = [...missedBy(few, own, items)];
    const toMeetAll = missed.length === 0 ? 0 : covering(own, classesIn(own, items), items).length;
    const enough = Math.max(Math.min(least, own.length), toMeetAll);
    return few.length < enough ? [{ ...one, own, missed, enough }] : [];
  });
  if (short.length === 0) return [];
  const [{ kernel, own, missed }] = short;
  const without = missed.length === 0 ? '' : `, none with ${listClasses(missed)}`;
  const others = short.length === 1 ? '' : `, and too few of ${formatCount(short.length - 1, 'more kernel')}`;
  const enough = Math.max(...short.map((one) => one.enough));
  return [
    `--cases ${count} runs ${count} of ${formatCount(own.length, 'case')} of ${kernel}${without}${others}. A pass needs ${enough} of each kernel: use --cases ${enough}.`,
  ];
}

const namesOf = ([{ kernel }, ...more]: readonly Chosen[]): string =>
  more.length === 0 ? kernel : `${kernel} and ${more.length} more`;
