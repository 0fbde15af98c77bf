import { problem } from '../../problems.ts';
import type { Fault } from './fault.ts';
import { memoryFaults } from './memory.ts';
import { precisionFaults } from './precision.ts';
import { scheduleFaults } from './schedule.ts';
import { summationFaults } from './summation.ts';

/** Every planted fault of the self-test. */
export const faults: readonly Fault[] = [
  ...summationFaults,
  ...scheduleFaults,
  ...memoryFaults,
  ...precisionFaults,
];

/** The fault of a name. @throws Problem `unknown-name` */
export function findFault(name: string): Fault {
  const found = faults.find((fault) => fault.name === name);
  if (found !== undefined) return found;
  throw problem('unknown-name', {
    what: 'planted fault',
    given: name,
    known: faults.map((fault) => fault.name),
  });
}

export type { Fault };
