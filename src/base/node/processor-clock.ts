import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Clock, wallClock } from '../time.ts';

/** Milliseconds of a tick, in which Linux counts processor time (`USER_HZ` is 100 on every architecture). */
const TICK = 10;
/** The least share of the elapsed time that counts. A process that sleeps still uses its budget, ten times more slowly. */
export const SHARE = 1 / 10;

/** Starts a clock of a budget: processor time of this process, its threads and the processes that it started. Load does not advance it. */
export function startProcessorClock(spentMs = processorMs, wall: Clock = wallClock): Clock {
  if (spentMs() === undefined) return wall;
  let [total, spent, elapsed] = [0, spentMs() ?? 0, wall()];
  const read = () => {
    const nowElapsed = wall();
    // Within a tick the system tells nothing new, and reading it takes about half a millisecond.
    if (nowElapsed - elapsed < TICK) return total;
    // The time of a process that ends without its parent is lost, but the total must not shrink.
    const nowSpent = Math.max(spent, spentMs() ?? spent);
    total += Math.max(nowSpent - spent, SHARE * (nowElapsed - elapsed));
    [spent, elapsed] = [nowSpent, nowElapsed];
    return total;
  };
  return Object.assign(read, { mostPerMs: cpus().length || undefined });
}

/** Returns the processor time of this process and all below it. Undefined where the system does not tell. */
export function processorMs(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return TICK * ticksBelow(String(process.pid));
  } catch {
    return undefined;
  }
}

/** Returns the ticks of a process, of its ended children, and of those that run. */
function ticksBelow(pid: string): number {
  // The name of a program, in parentheses, may contain spaces and parentheses.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfChild(child), own);
}

/** Returns the ticks of a child. One that has just ended has none: its parent has them. */
function ticksOfChild(pid: string): number {
  try {
    return ticksBelow(pid);
  } catch {
    return 0;
  }
}

/** Returns the children of the first thread, which starts processes. */
const childrenOf = (pid: string): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
