import { catchParanoiaErrorAsync, EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { toOneLine } from '../../base/printable.ts';
import { formatCase } from '../../problem/case.ts';
import { formatCount } from '../../report/numbers.ts';
import { inRunOrder } from '../../run/campaign-on.ts';
import { chooseCases } from '../../run/chosen-cases.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { selectServedCases } from '../../run/select-served-cases.ts';
import { casesOfShard } from '../../run/shard.ts';
import type { GatePlan } from './plan.ts';

/**
 * Prints the cases that would run, for `gate --list`, and runs none. A device is opened only if kernels need one, to find the
 * precisions that it serves.
 * @returns the exit code
 * @throws ParanoiaError `precision-unserved`, `device-refused`
 */
export async function listCases(plan: GatePlan, json: boolean): Promise<number> {
  const found = await wanted(plan);
  const { cases, note } = await chosenIn(found.cases, plan);
  const notes = [...found.notes, ...note];
  const part = plan.shard === undefined ? cases : casesOfShard(cases, plan.shard).cases;
  process.stdout.write((json ? listAsJson : listAsText)(part));
  for (const [kernel, count] of perKernel(part)) say(`${toOneLine(kernel)}: ${formatCount(count, 'case')}`);
  const shard = plan.shard === undefined ? '' : `, shard ${plan.shard.index} of ${plan.shard.of}`;
  say(`${formatCount(part.length, 'case')}${shard}; none ran.`);
  for (const note of [...plan.notes, ...notes, ...unforeseen(plan)]) say(note);
  return EXIT.pass;
}

/** Returns the cases in the order in which they run, and notes on the core and on a limited number. */
async function chosenIn(
  planned: readonly PlannedCase[],
  { options, referee, isNamed, catalog, limit }: GatePlan,
): Promise<{ cases: readonly PlannedCase[]; note: string[] }> {
  if (isNamed || limit === undefined) return { cases: planned, note: [] };
  const inOrder = referee === undefined ? await inRunOrder(planned, catalog) : planned;
  const chosen = options.cases === undefined ? undefined : chooseCases(inOrder, options.cases);
  const core = inOrder.filter(({ needed }) => needed === true).length;
  const note = `A pass needs ${formatCount(core, 'case')} of these, the core. Others are left out if they do not fit into the budget.`;
  return { cases: chosen?.cases ?? inOrder, note: [chosen?.note ?? note] };
}

/** The cases that the machine serves, or all cases without an adapter. */
async function wanted(plan: GatePlan): Promise<{ cases: PlannedCase[]; notes: string[] }> {
  const { asked, sample, catalog, sessionOf, options } = plan;
  const names = [...new Set([...asked, ...sample].map(({ kernel }) => kernel))];
  const { adapter, toggles } = options;
  const opened = await catchParanoiaErrorAsync(
    openNodeMachine(names, { catalog, sessionOf, adapter, toggles }),
  );
  if (opened instanceof Error) {
    if (opened.exitCode !== EXIT.noAdapter) throw opened;
    return { cases: [...asked, ...sample], notes: [`Listed for any adapter: ${opened.message}`] };
  }
  try {
    return await selectServedCases(opened.machine, { catalog, asked, sample });
  } finally {
    await opened.close();
  }
}

function perKernel(cases: readonly PlannedCase[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kernel } of cases) counts.set(kernel, (counts.get(kernel) ?? 0) + 1);
  return counts;
}

/** Notes on work for external kernels that only a run can plan. */
function unforeseen({ asked, catalog, isNamed, options }: GatePlan): string[] {
  const isOthers = asked.some(({ kernel }) => catalog.external(kernel) !== undefined);
  if (isNamed || !isOthers) return [];
  const added = 'A run may add cases near sizes where the bits of a kernel change';
  return [
    options.cases === undefined
      ? `${added}, and skip cases when its --budget ends.`
      : `${added}, and run other cases of this list.`,
  ];
}

/** Formats cases for `--case`, one a line. */
const listAsText = (cases: readonly PlannedCase[]): string =>
  cases.map((value) => `${formatCase(value)}\n`).join('');

/** Formats cases as an array, each with its kernel and the cases that are computed before it. */
function listAsJson(cases: readonly PlannedCase[]): string {
  const all = cases.map((value) => ({
    ...{ kernel: value.kernel, case: formatCase(value) },
    ...(value.after === undefined ? {} : { after: value.after.map(formatCase) }),
  }));
  return `${JSON.stringify(all, undefined, 2)}\n`;
}
