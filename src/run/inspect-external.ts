import { loadPart } from '../base/part.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Inspection, InspectionFinding } from '../inspect/inspection.ts';
import { clockOf } from './budget.ts';
import type { KeptCampaign } from './keeper.ts';
import { choiceOf, type KernelChoice } from './kernel-of.ts';
import { uninspected } from './messages.ts';
import type { OpenMachine } from './open-machine.ts';
import type { PlannedCase } from './planned-case.ts';
import type { GateOptions } from './run-gate.ts';

export interface ExternalInspectionOptions
  extends Pick<GateOptions, 'stop' | 'budget' | 'clock' | 'spending'> {
  /** Called for each inspected kernel after the cases, then for each question that the kernel has answered. */
  readonly onInspect?: ((kernel: string, question?: string) => void) | undefined;
}

/** Returns one case of each kernel, except kernels that gave no product and kernels known to be wrong. */
export function pickCasePerKernel(
  kernels: readonly string[],
  campaign: readonly PlannedCase[],
  judged: readonly CaseResult[],
  wrong: ReadonlySet<string> = new Set(),
): PlannedCase[] {
  const met = new Set(judged.map(({ kernel }) => kernel));
  const multiplying = new Set(judged.flatMap(({ kernel, exact }) => (exact === undefined ? [] : [kernel])));
  return kernels
    .filter((kernel) => !wrong.has(kernel) && (multiplying.has(kernel) || !met.has(kernel)))
    .flatMap((kernel) => campaign.find((value) => value.kernel === kernel) ?? []);
}

/** The method of kernels with only one. */
const ONE_METHOD = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/**
 * Inspects the outputs of kernels, and finds which of their claims these disprove. Returns a sentence on each kernel whose inspection
 * did not finish.
 */
export async function inspectExternal(
  cases: readonly PlannedCase[],
  opened: OpenMachine,
  options: ExternalInspectionOptions,
  kept: KeptCampaign | undefined,
): Promise<{ made: Inspection[]; ended: string[] }> {
  const [made, ended]: [Inspection[], string[]] = [[], []];
  for (const value of cases) {
    const inspect = () => inspectOne(choiceOf(value), opened, options);
    try {
      made.push(kept === undefined ? await inspect() : await kept.inspected(value.kernel, inspect));
    } catch (error) {
      ended.push(uninspected({ kernel: value.kernel, why: String((error as Error).message) }).message);
    }
  }
  return { made, ended };
}

/** Inspects the outputs of one kernel. @throws the error that keeps the inspection from finishing */
export async function inspectOne(
  value: KernelChoice,
  { catalog, machine, kernelOf }: OpenMachine,
  { stop, onInspect, budget, clock, spending }: ExternalInspectionOptions,
): Promise<Inspection> {
  const kernel = await kernelOf(value, machine);
  spending?.beginBehind(kernel.name);
  const ended = () => stop?.() === true || spending?.isOver() === true;
  onInspect?.(kernel.name);
  const { contradictions, inspectKernel, promisesOf, tryClaim } = await loadPart(
    'inspects kernels',
    () => import('../inspect/judge-by.ts'),
  );
  const onFinding = ({ question }: InspectionFinding) => onInspect?.(kernel.name, question);
  const inspection = await inspectKernel(kernel, {
    ...{ quick: true, algorithms: catalog.algorithms },
    stop: ended,
    onFinding,
    clock: clockOf(budget, clock),
  });
  const disproved = contradictions(inspection, promisesOf(kernel, ONE_METHOD, catalog.algorithms));
  // Disproved claims are reported with the claim that holds, if one does.
  const unclaimed = disproved.length === 0 ? undefined : await tryClaim(kernel, inspection, ended, catalog);
  return { ...inspection, ...(unclaimed === undefined ? {} : { unclaimed }), contradictions: disproved };
}
