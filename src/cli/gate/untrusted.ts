import { processorMs, startProcessorClock } from '../../base/node/processor-clock.ts';
import type { CommandOptions } from '../../config/node/options-of.ts';
import type { UntrustedJudge } from '../../config/node/untrusted-judge.ts';
import { drawFirstClockAndPid, FRESH, planUntrustedCases } from '../../gate/untrusted/untrusted-cases.ts';
import { withClaimedEntries } from '../../gate/with-claimed-entries.ts';
import { whyNotComputed } from '../../kernels/check-kernel.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import type { Shape } from '../../matrix/dense.ts';
import { noBaselines } from '../../run/baselines.ts';
import { isCounted, JUDGED_AT_MOST, type RunLimit } from '../../run/budget.ts';
import type { NodeJudgeOptions } from '../../run/node/judge.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { Spending } from '../../run/spending.ts';
import { noDevice } from './start-ahead.ts';

/** Starts the first process of untrusted kernels while their cases are drawn, since its start is slow. */
export async function startAhead(
  secret: number,
  external: readonly UserKernel[],
  { catalog, sessionOf }: Pick<CommandOptions, 'catalog' | 'sessionOf'>,
): Promise<void> {
  for (const spec of external) {
    const session = await sessionOf(spec, noDevice, catalog.precisions.find(spec.precision ?? 'f32'));
    session.ahead?.(drawFirstClockAndPid(secret), true);
  }
}

/**
 * Plans the cases of a campaign as untrusted kernels are asked them.
 * @param external the untrusted kernels
 * @param isSized true if the request names sizes
 */
export function hideCases(
  cases: readonly PlannedCase[],
  secret: number,
  external: readonly UserKernel[],
  isSized: boolean,
  catalog: KernelCatalog,
): PlannedCase[] {
  const isShader = external.every((spec) => 'wgsl' in spec);
  const takes = (shape: Shape) =>
    !isSized && external.every((spec) => whyNotComputed(spec, shape) === undefined);
  const fresh = isShader ? FRESH.device : FRESH.process;
  return withClaimedEntries(planUntrustedCases(cases, secret, { fresh, takes }), catalog);
}

/** The fraction of a referee's budget for each of two long sessions. */
const LIFE = 1 / 12;
/** The products of each long session where cases are counted. */
const COUNTED_LIFE = 10_000;
/** The fraction of an untrusted kernel's time limit that a case is expected to take. */
const CASE = 1 / 2;
/** Seconds of a referee's budget reserved for work after the cases. */
const AFTERWARDS = 1;

/** The part of a plan that decides how untrusted kernels are judged. */
interface UntrustedPlan {
  readonly isNamed: boolean;
  readonly limit: RunLimit | undefined;
}

/**
 * Returns the options for untrusted kernels. Their budget covers the whole command, from start to verdict. Only cases are run, since other
 * questions are the same in each run. Nothing is compared with records of earlier runs.
 */
export function refereeOptions(
  { isNamed, limit }: UntrustedPlan,
  terms: UntrustedJudge['terms'],
): Partial<NodeJudgeOptions> {
  const alike = { inspect: false, jobs: undefined, baselines: noBaselines, wary: true };
  if (isNamed) return alike;
  const common = { ...alike, ordered: true };
  if (limit === undefined) return common;
  if (isCounted(limit)) return { ...common, budget: limit, life: { count: COUNTED_LIFE } };
  const spent = AFTERWARDS + (processorMs() ?? performance.now()) / 1000;
  const left = Math.max(1, limit - spent);
  const budget = new Spending(left, {
    clock: startProcessorClock(),
    most: CASE * terms.timeLimit,
    longest: JUDGED_AT_MOST - spent,
  });
  return { ...common, budget, life: { seconds: left * LIFE } };
}
