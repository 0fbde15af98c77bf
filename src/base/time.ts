import { lookUp } from './objects.ts';

/** Returns milliseconds since some moment. */
export interface Clock {
  (): number;
  /** Milliseconds that it counts at most in one of the machine's clock. @defaultValue unlimited */
  readonly mostPerMs?: number | undefined;
}

/** Returns the clock of this machine. */
export const wallClock: Clock = () => performance.now();

/** Returns the clock of a run that counts cases. It stands still, so that no time limit is ever reached. */
export const stillClock: Clock = () => 0;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600 };
const LONGEST = 7 * 24 * 3600;

/** The accepted durations, for messages. */
export const DURATIONS = 'a time of at least a second and at most seven days, such as 90s, 10m or 2h';

/** Reads the seconds of a text such as `90`, `90s`, `10m` or `2h`. Undefined for any other text. */
export function parseSeconds(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)\s*(s|m|min|h)?$/.exec(text.trim());
  const seconds = parts === null ? Number.NaN : Number(parts[1]) * (lookUp(UNITS, parts[2] ?? 's') as number);
  return seconds >= 1 && seconds <= LONGEST ? seconds : undefined;
}
