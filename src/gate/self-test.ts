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

/** Result of the gate on a kernel with a planted fault. */
export interface FaultOutcome {
  readonly fault: Fault;
  /** Number of judged cases up to and including the first failure. 0 where the fault could be planted in no case. */
  readonly run: number;
  /** The first failed case. Undefined if the fault was missed. */
  readonly failed: CaseResult | undefined;
  /** True if the message of some failure points at the region of the cause. */
  readonly pointed: boolean;
  /** Number of run cases whose bits differed from the model's. No verdict depends on these, see {@link Fault.unseen}. */
  readonly unlike: number;
}

/** Number of further cases after the first failure, to see if a message points at the cause. */
const AFTER_FAILURE = 24;
/** Fewest entries of C for a meaningful region. Special values are reported entry by entry. */
const REGION = 16;

let planned: readonly PlannedCase[] | undefined;

/** The cases of a gate in one precision, by kernel. */
const gatesIn = new Map<string, readonly PlannedCase[]>();

/** Returns the cases in which users meet a fault: of the gate without options, else of a gate in the precision alone. */
function gateOf({ kernel, precision = 'f32' }: Fault): readonly PlannedCase[] {
  if (isSampled(precisions.find(precision))) return defaultGate();
  const key = `${kernel} ${precision}`;
  const found =
    gatesIn.get(key) ?? planCampaign({ ...defaultCampaign, kernels: [kernel], precisions: [precision] });
  gatesIn.set(key, found);
  return found;
}

/** Returns the cases of the gate without options. */
function defaultGate(): readonly PlannedCase[] {
  planned ??= [...planCampaign(defaultCampaign), ...defaultSample(defaultCampaign)];
  return planned;
}

/** Returns the cases of a gate with the kernel, levels and precision of a fault, with the fault planted. */
export function casesFor(fault: Fault): PlannedCase[] {
  const { kernel, levels, precision = 'f32', name } = fault;
  return gateOf(fault)
    .filter((value) => value.kernel === kernel && value.problem.precision === precision)
    .filter((value) => levels.includes(value.method.levels))
    .map((value) => ({ ...value, series: false, detailed: false, fault: name }));
}

/** Options of {@link selfTest}. */
export interface SelfTestOptions {
  /** Faults to plant. @defaultValue every fault, without the ladders */
  readonly planted?: readonly Fault[];
  /** Called with each outcome. */
  readonly onFault?: (outcome: FaultOutcome) => void;
  /** True if the test must end with the finished faults. Asked before every case. */
  readonly stop?: () => boolean;
}

/** Runs every planted fault through the gate of users: the same cases, checks and thresholds. */
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

/** Tries a fault. Undefined if stopped before the gate had a result. */
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
      // The case is refused where the fault changes nothing.
      if (failures.length === 0 && result.verdict !== 'inconclusive') run++;
      if (result.equalsModel === false) unlike++;
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
