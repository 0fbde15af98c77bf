import { formatCase } from '../../src/problem/case.ts';
import { countCell, type Table } from '../../src/report/table.ts';
import type { PlannedGroup } from './learn.ts';

/** The least kernels of a group whose cases are compared. */
const FEWEST = 20;

/** A case that another one makes redundant: it kills no other kernels and costs no less. */
interface RedundantCase {
  readonly case: string;
  /** The other case; none where the case kills no kernel. */
  readonly by?: string;
}

/** The redundant cases of a group. */
export interface GroupRedundancy extends PlannedGroup {
  readonly redundant: readonly RedundantCase[];
  /** The size of a greedy cover of all kills. */
  readonly cover: number;
}

/** Finds the redundant cases of the groups with many kernels. */
export const findRedundant = (groups: readonly PlannedGroup[]): GroupRedundancy[] =>
  groups
    .filter(({ group }) => group.kernels.length >= FEWEST)
    .map((one) => ({ ...one, redundant: redundantIn(one), cover: coverOf(one) }));

/** Returns the kernels that each case kills, by their places. */
function killsOf({ group, cases }: PlannedGroup): Set<number>[] {
  const kills = cases.map(() => new Set<number>());
  for (const [who, kernel] of group.kernels.entries()) for (const at of kernel.kills) kills[at].add(who);
  return kills;
}

function redundantIn(planned: PlannedGroup): RedundantCase[] {
  const { group, cases } = planned;
  const kills = killsOf(planned);
  const [one] = group.kernels;
  const costs = cases.map(
    (_, at) =>
      group.costs.judge[at] + one.call * group.costs.calls[at] + one.product * group.costs.products[at],
  );
  const isCheaper = (x: number, y: number) => costs[x] < costs[y] || (costs[x] === costs[y] && x < y);
  return cases.flatMap((value, at) => {
    if (kills[at].size === 0) return [{ case: formatCase(value) }];
    const by = cases.findIndex(
      (_, other) =>
        other !== at && isCheaper(other, at) && [...kills[at]].every((who) => kills[other].has(who)),
    );
    return by < 0 ? [] : [{ case: formatCase(value), by: formatCase(cases[by]) }];
  });
}

/** Counts the cases of a greedy cover: each kills the most kernels that those before it do not. */
function coverOf(planned: PlannedGroup): number {
  const kills = killsOf(planned);
  const left = new Set(kills.flatMap((own) => [...own]));
  let count = 0;
  while (left.size > 0) {
    const gains = kills.map((own) => [...own].filter((who) => left.has(who)).length);
    for (const who of kills[gains.indexOf(Math.max(...gains))]) left.delete(who);
    count++;
  }
  return count;
}

/** The table of redundant cases. */
export const redundantTable = (all: readonly GroupRedundancy[]): Table => ({
  title: 'Redundant cases',
  columns: [
    { heading: 'kernels', is: 'text' },
    ...['number', 'cases', 'kill none', 'another kills the same for less', 'left', 'smallest cover'].map(
      (heading) => ({ heading, is: 'number' as const }),
    ),
  ],
  rows: all.map(({ group, cases, redundant, cover }) => {
    const idle = redundant.filter(({ by }) => by === undefined).length;
    const features =
      typeof group.spec.accepts === 'object'
        ? Object.keys(group.spec.accepts)
        : [group.spec.accepts ?? 'A·B alone'];
    return [
      `${group.spec.precision ?? 'f32'}, ${features.join(', ')}, ${group.half} half`,
      ...[group.kernels.length, cases.length, idle, redundant.length - idle].map((count) => countCell(count)),
      ...[cases.length - redundant.length, cover].map((count) => countCell(count)),
    ];
  }),
  note: 'Of the kernels at hand: another fault may need a case that is redundant here.',
});

/** Lists redundant cases, each with the case that makes it so. */
export const redundantText = (all: readonly GroupRedundancy[]): string =>
  all
    .flatMap(({ redundant }) => redundant.map(({ case: value, by }) => `${value}\t${by ?? 'kills none'}\n`))
    .join('');
