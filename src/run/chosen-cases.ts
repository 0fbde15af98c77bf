import { group } from 'd3-array';
import { formatCount } from '../report/numbers.ts';
import type { PlannedCase } from './planned-case.ts';

/** A limited number of planned cases of each kernel. */
export interface ChosenCases {
  /** The chosen cases, in their order. */
  readonly cases: readonly PlannedCase[];
  /** A sentence on the number of chosen cases. */
  readonly note: string;
  /** Sentences on why these cases cannot make a pass. */
  readonly lacks: readonly string[];
}

/** Chooses cases of each kernel: those that a pass needs, then the first others. @param ordered cases in the order of the run, marked */
export function chooseCases(ordered: readonly PlannedCase[], count: number): ChosenCases {
  const byKernel = [...group(ordered, ({ kernel }) => kernel)];
  const chosen = new Set(byKernel.flatMap(([, own]) => choose(own, count)));
  const fewer = byKernel.filter(([, own]) => own.length < count);
  const note = `--cases ${count} runs ${chosen.size} of ${formatCount(ordered.length, 'planned case')}`;
  return {
    cases: ordered.filter((value) => chosen.has(value)),
    note: `${note}.${fewer.length === 0 ? '' : ` ${namesOf(fewer)} ${fewer.length === 1 ? 'has' : 'have'} fewer than ${count}.`}`,
    lacks: lacksOf(byKernel, count),
  };
}

const choose = (own: readonly PlannedCase[], count: number): PlannedCase[] =>
  [...own.filter(isNeeded), ...own.filter((value) => !isNeeded(value))].slice(0, count);

const isNeeded = ({ needed }: PlannedCase): boolean => needed === true;

/** Returns a sentence on kernels of whose core a case is not chosen, with the number that is enough. */
function lacksOf(byKernel: readonly [string, readonly PlannedCase[]][], count: number): string[] {
  const enough = (own: readonly PlannedCase[]) => own.filter(isNeeded).length;
  const short = byKernel.filter(([, own]) => enough(own) > count);
  if (short.length === 0) return [];
  const [[kernel, own]] = short;
  const others = short.length === 1 ? '' : `, and too few of ${formatCount(short.length - 1, 'more kernel')}`;
  const most = Math.max(...short.map(([, cases]) => enough(cases)));
  return [
    `--cases ${count} runs ${count} of ${formatCount(own.length, 'case')} of ${kernel}${others}. A pass needs the core, ${formatCount(most, 'case')}: use --cases ${most}.`,
  ];
}

const namesOf = ([[kernel], ...more]: readonly [string, readonly PlannedCase[]][]): string =>
  more.length === 0 ? kernel : `${kernel} and ${more.length} more`;
