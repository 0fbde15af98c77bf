import { type FaultClass, faultClasses } from '../kernels/faults/fault.ts';
import type { FaultOutcome } from './self-test.ts';

/** Results of the gate on one ladder: the same fault in several sizes. */
export interface LadderSummary {
  readonly ladder: string;
  readonly class: FaultClass;
  readonly kernel: string;
  readonly precision: string;
  /** A description of the fault, with the smallest caught size, else the largest size. */
  readonly what: string;
  /** The smallest size that failed the gate. */
  readonly smallestCaught: string | undefined;
  /** The largest size that passed it. */
  readonly largestMissed: string | undefined;
}

/** Results of the gate on the faults of a class. */
export interface ClassSummary {
  readonly class: FaultClass;
  /** Number of faults outside ladders that could be planted in some case. */
  readonly planted: number;
  readonly killed: number;
  /** Names of the missed faults that are known to be invisible to the gate, and of the other missed faults. */
  readonly unseen: readonly string[];
  readonly missed: readonly string[];
  /** Names of the faults that changed no case, ladders included. */
  readonly unplanted: readonly string[];
  readonly ladders: readonly LadderSummary[];
}

/** Groups the outcomes by class, in the order of {@link faultClasses}. Classes without a planted fault are left out. */
export function summarizeFaults(outcomes: readonly FaultOutcome[]): ClassSummary[] {
  return faultClasses.flatMap((name) => {
    const own = outcomes.filter(({ fault }) => fault.class === name);
    if (own.length === 0) return [];
    const single = own.filter(({ fault, run }) => fault.rung === undefined && run > 0);
    const missed = single.filter(({ failed }) => failed === undefined).map(({ fault }) => fault);
    return {
      class: name,
      planted: single.length,
      killed: single.length - missed.length,
      unseen: missed.filter(({ unseen }) => unseen !== undefined).map((fault) => fault.name),
      missed: missed.filter(({ unseen }) => unseen === undefined).map((fault) => fault.name),
      unplanted: own.filter(({ run }) => run === 0).map(({ fault }) => fault.name),
      ladders: laddersOf(own),
    };
  });
}

/** True if the gate behaved as required: it failed every visible fault, and located it. */
export function isAsExpected({ fault, failed, pointed, run }: FaultOutcome): boolean {
  if (run === 0) return false;
  if (fault.rung !== undefined) return true;
  return failed === undefined ? fault.unseen !== undefined : pointed;
}

function laddersOf(outcomes: readonly FaultOutcome[]): LadderSummary[] {
  const names = new Set(outcomes.flatMap(({ fault }) => fault.rung?.ladder ?? []));
  return [...names].map((ladder) => {
    // The faults are listed from large to small.
    const own = outcomes.filter(({ fault }) => fault.rung?.ladder === ladder);
    const caught = own.findLast(({ failed }) => failed !== undefined);
    const missed = own.find(({ failed }) => failed === undefined);
    const { fault } = caught ?? own[0];
    return {
      ladder,
      class: fault.class,
      kernel: fault.kernel,
      precision: fault.precision ?? 'f32',
      what: fault.what,
      smallestCaught: caught?.fault.rung?.size,
      largestMissed: missed?.fault.rung?.size,
    };
  });
}
