import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from '../../src/base/errors.ts';
import { say } from '../../src/base/node/say.ts';
import { writeWhole } from '../../src/base/node/write-file.ts';
import { formatCase } from '../../src/problem/case.ts';
import { type LearnedOrder, writeShares } from '../../src/run/order/case-facets.ts';
import { planChanged } from '../messages.ts';
import { deathsOf } from './curves.ts';
import { hashOf, planGroup } from './groups.ts';
import { learnOrder, type PlannedGroup } from './learn.ts';
import { type KillMatrix, type MatrixGroup, readMatrix } from './matrix.ts';
import type { OrderRequest } from './order-options.ts';
import { findRedundant, redundantTable, redundantText } from './redundant.ts';
import { killsDrawing, killsMarkdown, type SpeedDeaths } from './report.ts';

/** Speeds of kernels in other languages, in seconds. */
const SPEEDS = [
  { title: 'JavaScript', speed: undefined },
  { title: 'C, 20 µs a call and 1 ns a multiplication', speed: { call: 2e-5, product: 1e-9 } },
  { title: 'Python loops, 1 ms a call and 100 ns a multiplication', speed: { call: 1e-3, product: 1e-7 } },
  {
    title: 'WGSL on a processor, 10 ms a call and 5 ns a multiplication',
    speed: { call: 1e-2, product: 5e-9 },
  },
] as const;

/**
 * Learns the order of cases from one half of kill matrices, and measures it on the other.
 * @returns the exit code
 * @throws ParanoiaError `plan-changed` for a matrix of another design
 */
export async function runOrder(
  files: readonly string[],
  { out = 'reports/kills', data = 'src/run/order/learned-order.ts' }: OrderRequest,
): Promise<number> {
  const matrices = files.map(readMatrix);
  const planned = matrices.flatMap(({ groups }, at) =>
    groups.map((group) => answeredPart(group, plannedAsBefore(group, files[at]))),
  );
  const half = (name: string) =>
    planned.filter(({ group, cases }) => group.half === name && cases.length > 0);
  const learned = learnOrder(half('learned'));
  const [{ seed }] = matrices;
  const all = SPEEDS.map(({ title, speed }): SpeedDeaths => {
    return { title, deaths: deathsOf(half('measured'), learned, { speed, seed }) };
  });
  const redundant = findRedundant(planned);
  mkdirSync(out, { recursive: true });
  writeWhole(join(out, 'tables.md'), killsMarkdown(all, redundantTable(redundant)));
  writeWhole(join(out, 'kills.svg'), killsDrawing(all));
  writeWhole(join(dirname(files[0]), 'redundant.txt'), redundantText(redundant));
  writeWhole(data, learnedModule(learned, sourceOf(half('learned'), matrices[0])));
  say(`Wrote ${data} and ${join(out, 'tables.md')}`);
  return EXIT.pass;
}

/** Plans the cases of a group of the matrix. @throws ParanoiaError `plan-changed` */
function plannedAsBefore(group: KillMatrix['groups'][number], file: string): PlannedGroup['cases'] {
  const cases = planGroup(group);
  if (hashOf(cases.map(formatCase).join()).toString(36) !== group.plan)
    throw planChanged({ file, kernels: group.kernels.length });
  return cases;
}

/** Leaves out the cases that were not answered: every answer takes the judge some time. */
export function answeredPart(group: MatrixGroup, cases: PlannedGroup['cases']): PlannedGroup {
  const { costs } = group;
  const answered = [...cases.keys()].filter((at) => costs.judge[at] > 0);
  const places = new Map(answered.map((at, place) => [at, place]));
  const part = (all: readonly number[]) => answered.map((at) => all[at]);
  return {
    cases: answered.map((at) => cases[at]),
    group: {
      ...group,
      costs: { judge: part(costs.judge), calls: part(costs.calls), products: part(costs.products) },
      kernels: group.kernels.map((kernel) => ({
        ...kernel,
        kills: new Set([...kernel.kills].map((at) => places.get(at) as number)),
      })),
    },
  };
}

/** Returns where an order comes from, in a sentence. */
function sourceOf(from: readonly PlannedGroup[], { seed, version, createdAt }: KillMatrix): string {
  const kernels = from.reduce((sum, { group }) => sum + group.kernels.length, 0);
  return `Learned from ${kernels} wrong kernels, seed ${seed}, version ${version}, ${createdAt.slice(0, 10)}.`;
}

/** Returns the module of a learned order, with the sentence that says where it comes from. */
export function learnedModule(learned: LearnedOrder, source: string): string {
  const { case: each, call, swept, work } = learned.judge;
  return `import { type LearnedOrder, readShares } from './case-facets.ts';

/** ${source} \`npm run lab -- order\` writes it. */
export const learnedOrder: LearnedOrder = {
  judge: { case: ${each}, call: ${call}, swept: ${swept}, work: ${work} },
  ...readShares(\`
${writeShares(learned)}
\`),
};
`;
}
