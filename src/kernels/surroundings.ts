import { seeded } from '../base/random.ts';

/** What a kernel that is not trusted sees of the world around it, so that it is asked at all hours and under many numbers. */
export interface Surroundings {
  /** What time it is, in milliseconds since 1970 (UTC). */
  readonly time: number;
  /** Processes that its namespace had before its own: its number follows from it. */
  readonly processes: number;
}

/** Years in which it may be. */
const [FIRST, LAST] = [Date.UTC(2025), Date.UTC(2035)];

/** The most processes that come before its own. */
export const MOST_PROCESSES = 63;

/** A stream that no family draws from. */
const STREAM = 5001;

/** The surroundings of a case, which follow from its seed: whoever runs it again has the same. */
export function surroundingsOf(seed: number): Surroundings {
  const random = seeded(seed, STREAM);
  return {
    time: Math.floor(FIRST + random.uniform01() * (LAST - FIRST)),
    processes: random.int(0, MOST_PROCESSES),
  };
}
