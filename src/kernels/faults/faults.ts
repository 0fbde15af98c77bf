import { unknownName } from '../../base/messages.ts';
import { codedFaults } from './coded.ts';
import type { Fault } from './fault.ts';
import { fusedFaults } from './fused.ts';
import { edgeFaults, edgeLadders, indexingFaults, indexingLadders } from './indexing.ts';
import { precisionFaults, precisionLadders } from './precision.ts';
import {
  nonDeterminismFaults,
  nonDeterminismLadders,
  synchronizationFaults,
  synchronizationLadders,
} from './races.ts';
import { scheduleFaults, scheduleLadders } from './schedule.ts';
import { specialValueFaults, specialValueLadders } from './special-values.ts';
import { batchFaults, batchLadders, layoutFaults, layoutLadders } from './storage.ts';

/** The planted faults of the self-test that are not in ladders. */
export const faults: readonly Fault[] = [
  ...indexingFaults,
  ...edgeFaults,
  ...layoutFaults,
  ...synchronizationFaults,
  ...scheduleFaults,
  ...precisionFaults,
  ...specialValueFaults,
  ...nonDeterminismFaults,
  ...batchFaults,
  ...fusedFaults,
  ...codedFaults,
];

/** Faults in several sizes, ladder by ladder, the largest first, to find the smallest that is detected. */
export const rungs: readonly Fault[] = [
  ...indexingLadders,
  ...edgeLadders,
  ...layoutLadders,
  ...synchronizationLadders,
  ...scheduleLadders,
  ...precisionLadders,
  ...specialValueLadders,
  ...nonDeterminismLadders,
  ...batchLadders,
];

/** Returns the fault of a name. @throws ParanoiaError `unknown-name` */
export function findFault(name: string): Fault {
  const all = [...faults, ...rungs];
  const found = all.find((fault) => fault.name === name);
  if (found !== undefined) return found;
  throw unknownName({
    what: 'planted fault',
    given: name,
    known: all.map((fault) => fault.name),
  });
}

export type { Fault };
