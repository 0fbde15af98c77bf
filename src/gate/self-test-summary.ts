import { type FaultClass, faultClasses } from '../kernels/faults/fault.ts';
import type { FaultOutcome } from './self-test.ts';

/** What the gate saw of one ladder: the same fault in several sizes. */
export interface LadderSummary {
  readonly ladder: string;
  readonly class: FaultClass;
  readonly kernel: string;
  readonly precision: string;
  /** What is wrong, with the size that is the smallest caught, else the largest there is. */
  readonly what: string;
  /** The smallest size that failed the gate. */
  readonly smallestCaught: string | undefined;
  /** The largest size that passed it. */
  readonly largestMissed: string | undefined;
}

/** What the gate saw of the faults of a class. */
export interface ClassSummary {
  readonly class: FaultClass;
  /** Faults that are one of a kind, ladders aside, and could be planted in some case. */
  readonly planted: number;
  readonly killed: number;
  /** Names of the missed that are known to be out of the gate's sight, and of those that are not. */
  readonly unseen: readonly string[];
  readonly missed: readonly string[];
  /** Names of those that changed nothing in any case, ladders and all. */
  readonly unplanted: readonly string[];
  readonly ladders: readonly LadderSummary[];
}

/** The outcomes by class, in the order of {@link faultClasses}; classes of which nothing was planted are left out. */
export function summarise(outcomes: readonly FaultOutcome[]): ClassSummary[] {
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

/** Whether the gate did what is asked of it: it failed every fault but those out of its sight, and said where. */
export function isAsExpected({ fault, failed, pointed, run }: FaultOutcome): boolean {
  if (run === 0) return false;
  if (fault.rung !== undefined) return true;
  return failed === undefined ? fault.unseen !== undefined : pointed;
}

function laddersOf(outcomes: readonly FaultOutcome[]): LadderSummary[] {
  const names = new Set(outcomes.flatMap(({ fault }) => fault.rung?.ladder ?? []));
  return [...names].map((ladder) => {
    // From large to small, as they are listed.
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
