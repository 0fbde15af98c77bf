import type { Case } from '../../problem/case.ts';
import type { GemmProblem, Storage } from '../../problem/problem.ts';

/** Knowledge about faults by which cases are ordered. */
export interface LearnedOrder {
  /** The seconds of the judge for a case, for each of its calls, for each product of a sweep, and for each unit of its work. */
  readonly judge: {
    readonly case: number;
    readonly call: number;
    readonly swept: number;
    readonly work: number;
  };
  /** The probabilities with which a case of a facet shows a fault of that facet. */
  readonly rates: readonly number[];
  /**
   * For each facet, or pair of facets joined by `&`, the shares of faults that its cases show with each of these probabilities. The facet
   * `any` is that of all cases.
   */
  readonly facets: ReadonlyMap<string, readonly number[]>;
}

/** Reads the table of shares of faults: a line of rates, then a line of shares for each facet. */
export function readShares(text: string): Pick<LearnedOrder, 'rates' | 'facets'> {
  const [[, rates], ...facets] = text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, ...numbers] = line.split(' ');
      return [name, numbers.map(Number)] as const;
    });
  return { rates, facets: new Map(facets) };
}

/** Writes a table that {@link readShares} reads. */
export const writeShares = ({ rates, facets }: Pick<LearnedOrder, 'rates' | 'facets'>): string =>
  [['rate', rates] as const, ...facets].map(([name, numbers]) => [name, ...numbers].join(' ')).join('\n');

/** The least size of each class of sizes. */
const SIZES = [0, 1, 2, 9, 33, 129, 257, 513, 1025, 4097];

const classOfSize = (size: number): number => SIZES.findLast((least) => size >= least) as number;

/** The least count of each class of repetitions. */
const REPEATS = [1, 2, 10, 100];

/**
 * Returns the facets of a case: what it has in common with other cases apart from its seed. They are classes of sizes, entries, features
 * and repetitions, such as `k257`, `input=uniform` and `a=t`. Drawn cases of another seed have the same facets in another combination.
 */
export function facetsOf(value: Case): string[] {
  const { problem } = value;
  const { m, k, n, input, edit, repeats, program, sweep } = problem;
  const sizes = Object.entries({ m, k, n }).flatMap(([name, size]) => [
    `${name}${classOfSize(size)}`,
    ...(size > 16 ? [`${name}${size % 16 === 0 ? '%16' : size % 2 === 1 ? '%2' : '%'}`] : []),
  ]);
  const equal = [...(m === n ? ['m=n'] : []), ...(m === k ? ['m=k'] : []), ...(k === n ? ['k=n'] : [])];
  const edits = edit === 'none' ? [] : edit.split(',').map((one) => `edit=${one.split(':')[0]}`);
  const often = REPEATS.findLast((least) => repeats >= least) as number;
  return [
    ...[...sizes, ...equal, `input=${input}`, ...edits, ...featuresOf(problem)],
    ...(often > 1 ? [`repeats${often}`] : []),
    ...(program > 0 ? ['program'] : []),
    ...(sweep > 0 ? ['sweep'] : []),
  ];
}

function featuresOf({ alpha, beta, batch, group, a, b, c, d }: GemmProblem): string[] {
  return [
    ...(alpha === 1 ? [] : [alpha === 0 ? 'alpha=0' : 'alpha']),
    ...(beta === 0 ? [] : [beta === 1 ? 'beta=1' : 'beta']),
    ...(batch === 1 ? [] : [batch === 0 ? 'batch=0' : 'batch']),
    ...(group > 1 ? ['group'] : []),
    ...(d === undefined ? [] : ['d']),
    ...Object.entries({ a, b, c, d }).flatMap(([name, storage]) => facetsOfStorage(name, storage)),
  ];
}

function facetsOfStorage(name: string, storage: Storage | undefined): string[] {
  if (storage === undefined) return [];
  const { op, order, pad, inc = 1, offset, gap } = storage;
  return [
    ...(op === 'n' ? [] : [`${name}=${op}`]),
    ...(order === 'row' ? [] : [`${name}=f`]),
    ...(inc === 1 ? [] : [`${name}/`]),
    ...(pad === 0 ? [] : [`${name}+`]),
    ...(offset === 0 ? [] : [`${name}@`]),
    ...(gap === 0 ? [] : [`${name}*${typeof gap === 'number' ? '' : gap}`]),
  ];
}

/** The facet of all cases. */
export const ANY = 'any';
