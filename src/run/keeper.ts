import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine } from '../gpu/device.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { formatCase } from '../problem/case.ts';
import type { Baselines } from './baselines.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Results } from './results.ts';
import type { JudgeCases } from './run-gate.ts';

/** A kernel to inspect after the cases, and the precision of the inspection. */
export interface PlannedInspection {
  readonly kernel: string;
  readonly precision: string;
}

/** The plan of a campaign on a machine, before any of it runs. */
export interface PlannedCampaign {
  readonly about: NonNullable<Results['campaign']>;
  /** Each case once. */
  readonly cases: readonly PlannedCase[];
  readonly inspected: readonly PlannedInspection[];
  readonly baselines: Baselines;
  /** Sentences on the cases that the machine does not serve, and on the drawn cases. */
  readonly notes: readonly string[];
}

export interface KeptRun {
  readonly planned: PlannedCampaign;
  readonly machine: Machine;
  /** Sentences on exact products so far. More are added as cases are judged. */
  readonly said: string[];
  /** Returns the versions that kernels have reported. */
  readonly versions: () => Promise<NonNullable<Results['versions']>>;
  /** True if the run must end, so that its current work is unfinished. */
  readonly stop?: (() => boolean) | undefined;
}

/** Knows what was finished earlier of the same campaign on the same machine, and keeps what a run finishes. */
export interface Keeper {
  /** @throws ParanoiaError if the kept results cannot be used */
  open(run: KeptRun): Promise<KeptCampaign>;
}

export interface KeptCampaign {
  /** The places of the cases of this run. */
  readonly places: readonly number[];
  /** The kernels that this run inspects. */
  readonly inspects: readonly string[];
  /** Reports the earlier results and has the remaining cases judged. The reported places are those in the cases of this run. */
  judging(judgeCases: JudgeCases): JudgeCases;
  /** Returns the earlier result of an inspection, or inspects now. */
  inspected(kernel: string, inspect: () => Promise<Inspection>): Promise<Inspection>;
}

/** Reports known results of cases, by their texts, and has the others judged. */
export const reportKnownResults =
  (known: ReadonlyMap<string, CaseResult> = new Map()): KeptCampaign['judging'] =>
  (judgeCases) =>
  (planned, tell, budget) => {
    const left: number[] = [];
    for (const [at, value] of planned.entries()) {
      const result = known.get(formatCase(value));
      if (result === undefined) left.push(at);
      else tell(at, result);
    }
    const others = left.map((at) => planned[at]);
    return judgeCases(others, (at, result) => tell(left[at], result), budget);
  };
