import { createRandom } from '../base/random.ts';

/** Simulated clock and process id of an untrusted kernel, so that calls come at all hours and under many ids. */
export interface SimulatedClockAndPid {
  /** The time, in milliseconds since 1970 (UTC). */
  readonly time: number;
  /** Number of earlier processes in its namespace, which decides its process id. */
  readonly processes: number;
}

/** Range of the simulated time. */
const [FIRST, LAST] = [Date.UTC(2025), Date.UTC(2035)];

/** The most earlier processes. */
export const MOST_PROCESSES = 63;

/** A random stream that no family draws from. */
const STREAM = 5001;

/** Returns the surroundings of a case, which follow from its seed, so that a replay has the same. */
export function clockAndPidOf(seed: number): SimulatedClockAndPid {
  const random = createRandom(seed, STREAM);
  return {
    time: Math.floor(FIRST + random.uniform01() * (LAST - FIRST)),
    processes: random.int(0, MOST_PROCESSES),
  };
}
