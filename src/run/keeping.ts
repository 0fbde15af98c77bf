import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine } from '../gpu/device.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { formatCase } from '../problem/case.ts';
import type { Baselines } from './baselines.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Results } from './results.ts';
import type { JudgeCases } from './run-gate.ts';

/** A kernel that is inspected after the cases, and the precision it is asked in. */
export interface Inspected {
  readonly kernel: string;
  readonly precision: string;
}

/** What is planned on a machine, before anything of it is done. */
export interface PlannedCampaign {
  readonly about: NonNullable<Results['campaign']>;
  /** Each case once. */
  readonly cases: readonly PlannedCase[];
  readonly inspected: readonly Inspected[];
  readonly baselines: Baselines;
  /** Sentences on what of it the machine does not serve, and on what was drawn for it. */
  readonly notes: readonly string[];
}

/** A run that keeps what it finishes. */
export interface KeptRun {
  readonly planned: PlannedCampaign;
  readonly machine: Machine;
  /** What was said of exact products so far: more is added as cases are judged. */
  readonly said: string[];
  /** What kernels have said of their versions. */
  readonly versions: () => Promise<NonNullable<Results['versions']>>;
  /** Whether the run is to end, so that what it does is not finished. */
  readonly stop?: (() => boolean) | undefined;
}

/** Knows what was finished before of the same campaign on the same machine, and keeps what a run finishes. */
export interface Keeper {
  /** @throws ParanoiaError where what is kept cannot be used */
  open(run: KeptRun): Promise<Kept>;
}

/** What is kept of a campaign. */
export interface Kept {
  /** The places of the cases that are of this run. */
  readonly places: readonly number[];
  /** The kernels that this run inspects. */
  readonly inspects: readonly string[];
  /** Tells what was judged before, and has the rest judged. The places that it tells are those in the cases of this run. */
  judging(judgeCases: JudgeCases): JudgeCases;
  /** What an inspection found before, or finds now. */
  inspected(kernel: string, inspect: () => Promise<Inspection>): Promise<Inspection>;
}

/** Tells what is known of cases, by their texts, and has the others judged. */
export const telling =
  (known: ReadonlyMap<string, CaseResult> = new Map()): Kept['judging'] =>
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
