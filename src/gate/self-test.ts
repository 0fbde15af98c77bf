import type { CaseResult } from '../evidence/case-result.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import type { Evaluator } from '../evidence/evaluate.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { type Fault, faults } from '../kernels/faults/faults.ts';
import { isSampled, precisions } from '../precision/precisions.ts';
import { noBaselines } from '../run/baselines.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { runGate } from '../run/run-gate.ts';
import { defaultCampaign } from './campaign.ts';
import { defaultSample } from './default-sample.ts';
import { planCampaign } from './plan-campaign.ts';

/** What the gate said of a kernel with a planted fault. */
export interface FaultOutcome {
  readonly fault: Fault;
  /** Cases judged until the first failure, that one included; none where the fault could be planted in no case. */
  readonly run: number;
  /** The first case that failed; undefined when the fault was missed. */
  readonly failed: CaseResult | undefined;
  /** Whether the message of some failure points at the cause's region. */
  readonly pointed: boolean;
  /** Of the cases run, those whose bits were not the mirror's: what no verdict goes by, see {@link Fault.unseen}. */
  readonly unlike: number;
}

/** Cases of the campaign that are run after the first failure, to see whether a message points at the cause. */
const AFTER_FAILURE = 24;
/** Entries that C must have for a region to mean something; special values are told of entry by entry. */
const REGION = 16;

let planned: readonly PlannedCase[] | undefined;

/** The cases of a gate in one precision, of one kernel. */
const gatesIn = new Map<string, readonly PlannedCase[]>();

/** The cases that users meet a fault in: of the gate as it is run without options, else in the precision alone. */
function gateOf({ kernel, precision = 'f32' }: Fault): readonly PlannedCase[] {
  if (isSampled(precisions.find(precision))) return defaultGate();
  const key = `${kernel} ${precision}`;
  const found =
    gatesIn.get(key) ?? planCampaign({ ...defaultCampaign, kernels: [kernel], precisions: [precision] });
  gatesIn.set(key, found);
  return found;
}

/** The cases of the gate as it is run without options. */
function defaultGate(): readonly PlannedCase[] {
  planned ??= [...planCampaign(defaultCampaign), ...defaultSample(defaultCampaign)];
  return planned;
}

/** The very cases of a gate that a fault is met in: those of its kernel, levels and precision. */
export function casesFor(fault: Fault): PlannedCase[] {
  const { kernel, levels, precision = 'f32', name } = fault;
  return gateOf(fault)
    .filter((value) => value.kernel === kernel && value.problem.precision === precision)
    .filter((value) => levels.includes(value.method.levels))
    .map((value) => ({ ...value, series: false, detailed: false, fault: name }));
}

/** What {@link selfTest} may be told. */
export interface SelfTestOptions {
  /** What is planted. Default: every fault, without the ladders. */
  readonly planted?: readonly Fault[];
  /** Is told each outcome as it comes. */
  readonly onFault?: (outcome: FaultOutcome) => void;
  /** Asked before every case: true ends the test with the faults that are finished. */
  readonly stop?: () => boolean;
}

/** Runs every planted fault through the gate as its users have it: the same cases, checks and thresholds. */
export async function selfTest(
  open: OpenDevice,
  evaluator: Evaluator,
  { planted = faults, onFault = () => {}, stop = () => false }: SelfTestOptions = {},
): Promise<FaultOutcome[]> {
  const outcomes: FaultOutcome[] = [];
  for (const fault of planted) {
    const outcome = await tryFault(fault, open, evaluator, stop);
    if (outcome === undefined) break;
    outcomes.push(outcome);
    onFault(outcome);
  }
  return outcomes;
}

/** Undefined where it was stopped before the gate could say anything. */
async function tryFault(
  fault: Fault,
  open: OpenDevice,
  evaluator: Evaluator,
  stop: () => boolean,
): Promise<FaultOutcome | undefined> {
  const cases = casesFor(fault);
  let [run, unlike] = [0, 0];
  const failures: CaseResult[] = [];
  const points = ({ m, n, reason }: CaseResult) =>
    (m * n >= REGION || fault.class === 'special-values') && fault.pointsAt.test(reason);
  const enough = fault.rung === undefined ? AFTER_FAILURE : 0;
  let stopped = false;
  await runGate(cases, {
    open,
    reopen: async () => open,
    evaluator,
    thresholds: defaultThresholds,
    baselines: noBaselines(open.fingerprint.id),
    onCase: (result) => {
      // Where the fault changes nothing, the case is refused.
      if (failures.length === 0 && result.verdict !== 'inconclusive') run++;
      if (result.mirrorEqual === false) unlike++;
      if (result.verdict === 'fail') failures.push(result);
    },
    stop: () => {
      stopped = failures.length === 0 && stop();
      return stopped || failures.length > enough || failures.some(points);
    },
  });
  if (stopped) return undefined;
  const failed = failures.find(points) ?? failures[0];
  return { fault, run, failed, pointed: failures.some(points), unlike };
}
