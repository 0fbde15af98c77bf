import { group } from 'd3-array';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { counted } from '../report/numbers.ts';
import { classesOf } from './classes-of.ts';
import { listed } from './left-out.ts';
import type { PlannedCase } from './planned-case.ts';
import { workOf } from './spending.ts';

/** So many planned cases of each kernel. */
export interface ChosenCases {
  /** In the order of the plan. */
  readonly cases: readonly PlannedCase[];
  /** A sentence on how many there are. */
  readonly note: string;
  /** Sentences on what keeps their passing from being a pass. */
  readonly lacks: readonly string[];
}

/**
 * Chooses so many planned cases of each kernel, from the plan and the number alone.
 * @param least the fewest cases of a kernel that a pass is of, where not all are asked.
 * @param items what cases may name. @defaultValue the built-in ones
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
  const note = `--cases ${count} asks ${all.size} of ${counted(planned.length, 'planned case')}`;
  return {
    cases: planned.filter((value) => all.has(value)),
    note: `${note}.${fewer.length === 0 ? '' : ` ${namesOf(fewer)} ${fewer.length === 1 ? 'has' : 'have'} no more.`}`,
    lacks: lacksOf(chosen, count, least, items),
  };
}

/** Multiplications, with what entries take beside, of the cases that may come first. */
const FIRST = 2 ** 24;

/**
 * The same cases, the few small ones first that meet each class of sizes of their kernel, plain ones before others: a run that ends early has seen every class,
 * and is judged by what it was asked.
 */
export function classesFirst(planned: readonly PlannedCase[], items = builtinCaseItems): PlannedCase[] {
  const first = new Set(
    [...group(planned, ({ kernel }) => kernel).values()].flatMap((own) => {
      const small = own.filter((value) => workOf(value) <= FIRST);
      const plain = small.filter(({ problem }) => problem.repeats === 1 && problem.program === 0);
      const few = covering(plain, classesIn(plain, items), items).sort(
        (one, other) => workOf(one) - workOf(other),
      );
      return [...few, ...covering(small, missedBy(few, small, items), items)];
    }),
  );
  return [...first, ...planned.filter((value) => !first.has(value))];
}

/** Cases of one kernel, and those of them that are asked. */
interface Chosen {
  readonly kernel: string;
  readonly own: readonly PlannedCase[];
  readonly few: readonly PlannedCase[];
}

/**
 * So many cases of one kernel: the first of the plan, and behind them those that are needed, and as many as meet each class of sizes that these lack. Where so many
 * do not suffice for all classes, those that meet most.
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

/** The classes of sizes that cases meet. */
const classesIn = (cases: readonly PlannedCase[], items: CaseItems) =>
  classesOf(
    cases.map(({ problem }) => problem),
    items,
  );

/** Classes of sizes that cases meet and others do not. */
function missedBy(
  others: readonly PlannedCase[],
  cases: readonly PlannedCase[],
  items: CaseItems,
): Set<string> {
  const met = classesIn(others, items);
  return new Set([...classesIn(cases, items)].filter((one) => !met.has(one)));
}

/** Cases that meet each class of sizes that is left: always the first of those that meet most of them. */
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

/** A sentence on kernels with too few cases, with the number that is enough. */
function lacksOf(chosen: readonly Chosen[], count: number, least: number, items: CaseItems): string[] {
  const short = chosen.flatMap(({ own, few, ...one }) => {
    const missed = [...missedBy(few, own, items)];
    const toMeetAll = missed.length === 0 ? 0 : covering(own, classesIn(own, items), items).length;
    const enough = Math.max(Math.min(least, own.length), toMeetAll);
    return few.length < enough ? [{ ...one, own, missed, enough }] : [];
  });
  if (short.length === 0) return [];
  const [{ kernel, own, missed }] = short;
  const without = missed.length === 0 ? '' : `, none with ${listed(missed)}`;
  const others = short.length === 1 ? '' : `, and too few of ${counted(short.length - 1, 'more kernel')}`;
  const enough = Math.max(...short.map((one) => one.enough));
  return [
    `${count} of ${counted(own.length, 'case')} of ${kernel} were asked${without}${others}. A pass needs ${enough} of each kernel: ask --cases ${enough}.`,
  ];
}

const namesOf = ([{ kernel }, ...more]: readonly Chosen[]): string =>
  more.length === 0 ? kernel : `${kernel} and ${more.length} more`;
