import { part } from '../base/part.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Finding, Inspection } from '../inspect/inspection.ts';
import type { Kept } from './keeping.ts';
import { choiceOf, type KernelChoice } from './kernel-of.ts';
import { clockOf } from './limit.ts';
import { uninspected } from './messages.ts';
import type { OpenMachine } from './open-machine.ts';
import type { PlannedCase } from './planned-case.ts';
import type { GateOptions } from './run-gate.ts';

/** How kernels are inspected. */
export interface InspectOptions extends Pick<GateOptions, 'stop' | 'budget' | 'spending'> {
  /** Told of each kernel that is inspected after the cases, then of each question that it has answered. */
  readonly onInspect?: ((kernel: string, question?: string) => void) | undefined;
}

/** A case of each of these kernels, but of those that gave no product, and of those that are known to be wrong. */
export function askedAgain(
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

/** The method of kernels that have but one. */
const ONE_METHOD = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** What the outputs of kernels show, and what of their claims that disproves. Beside them a sentence on each that cannot be inspected to its end. */
export async function inspectExternal(
  cases: readonly PlannedCase[],
  opened: OpenMachine,
  options: InspectOptions,
  kept: Kept | undefined,
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

/** What the outputs of one kernel show. @throws what keeps it from being inspected to its end */
export async function inspectOne(
  value: KernelChoice,
  { catalogue, machine, kernelOf }: OpenMachine,
  { stop, onInspect, budget, spending }: InspectOptions,
): Promise<Inspection> {
  const kernel = await kernelOf(value, machine);
  spending?.beginBehind(kernel.name);
  const ended = () => stop?.() === true || spending?.isOver() === true;
  onInspect?.(kernel.name);
  const { contradictions, inspectKernel, promisesOf, tryClaim } = await part(
    'inspects kernels',
    () => import('../inspect/judge-by.ts'),
  );
  const onFinding = ({ question }: Finding) => onInspect?.(kernel.name, question);
  const inspection = await inspectKernel(kernel, {
    ...{ quick: true, algorithms: catalogue.algorithms },
    stop: ended,
    onFinding,
    clock: clockOf(budget),
  });
  const disproved = contradictions(inspection, promisesOf(kernel, ONE_METHOD, catalogue.algorithms));
  // What is disproved is told with the claim that holds, if one does.
  const unclaimed = disproved.length === 0 ? undefined : await tryClaim(kernel, inspection, ended, catalogue);
  return { ...inspection, ...(unclaimed === undefined ? {} : { unclaimed }), contradictions: disproved };
}
