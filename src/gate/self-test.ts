import type { OpenDevice } from '../gpu/device.ts';
import { type Fault, faults } from '../kernel/faults/faults.ts';
import { noBaselines } from './baselines.ts';
import { type Campaign, defaultCampaign, type PlannedCase, planCampaign } from './campaign.ts';
import { defaultThresholds } from './checks/check.ts';
import type { Laboratory } from './evidence.ts';
import type { CaseResult } from './results.ts';
import { runGate } from './run-gate.ts';

/** What the gate said of a kernel with a planted fault. */
export interface FaultOutcome {
  readonly fault: Fault;
  /** Cases run until the first failure, that one included. */
  readonly run: number;
  /** The first case that failed; undefined when the fault was missed. */
  readonly failed: CaseResult | undefined;
  /** Whether the message of some failure points at the cause's region. */
  readonly pointed: boolean;
}

/** Cases of the campaign that are run after the first failure, to see whether a message points at the cause. */
const AFTER_FAILURE = 24;
/** Entries that C must have for a region to mean something. */
const REGION = 16;

/** The cases of the default campaign that a fault is run through, growth series aside. */
export function casesFor(fault: Fault, base: Campaign = defaultCampaign): PlannedCase[] {
  const campaign = { ...base, kernels: [fault.kernel], levels: fault.levels, replicates: 0 };
  return planCampaign(campaign).map((value) => ({ ...value, fault: fault.name }));
}

/**
 * Runs every planted fault through the gate as its users have it: the same cases, checks and thresholds.
 * @param onFault is told each outcome as it comes.
 */
export async function selfTest(
  open: OpenDevice,
  laboratory: Laboratory,
  onFault: (outcome: FaultOutcome) => void = () => {},
  planted: readonly Fault[] = faults,
): Promise<FaultOutcome[]> {
  const outcomes: FaultOutcome[] = [];
  for (const fault of planted) {
    const cases = casesFor(fault);
    let run = 0;
    let failures: CaseResult[] = [];
    const points = ({ m, n, reason }: CaseResult) => m * n >= REGION && fault.pointsAt.test(reason);
    await runGate(cases, {
      open,
      reopen: async () => open,
      laboratory,
      thresholds: defaultThresholds,
      baselines: noBaselines(open.fingerprint.id),
      onCase: (result) => {
        if (failures.length === 0) run++;
        if (result.verdict === 'fail') failures = [...failures, result];
      },
      stop: () => failures.length > AFTER_FAILURE || failures.some(points),
    });
    const failed = failures.find(points) ?? failures[0];
    const outcome = { fault, run, failed, pointed: failures.some(points) };
    outcomes.push(outcome);
    onFault(outcome);
  }
  return outcomes;
}
