/** The phases of a campaign, in words. */
const phases = {
  operands: 'making operands',
  exact: 'exact products',
  device: 'on the device, with preparation',
  analysis: 'bit-exact model, bounds and expected errors',
  measures: 'measuring errors',
  start: 'judging processes: start, until their first case',
  idle: 'judging processes: idle, without a case',
} as const;
export type Phase = keyof typeof phases;

export type SpentTime = Partial<Readonly<Record<Phase, number>>>;

/** A line of the report on time. */
export interface TimeSpent {
  readonly what: string;
  readonly seconds: number;
}

/**
 * A watch on the time of a campaign. Computation in this thread counts for its own phase alone, even while the device or another thread is
 * awaited; the rest of that wait counts for the awaited phase.
 */
export class Timing {
  /** The number of processes that judge at once; their times are summed. */
  processes = 1;
  private readonly begun = performance.now();
  private readonly spent = new Map<Phase, number>();
  private computed = 0;
  private depth = 0;

  /** Times a computation of this thread. A nested computation counts for the outer one. */
  compute<T>(phase: Phase, work: () => T): T {
    if (this.depth > 0) return work();
    const start = performance.now();
    this.depth++;
    try {
      return work();
    } finally {
      this.depth--;
      const seconds = (performance.now() - start) / 1000;
      this.computed += seconds;
      this.add(phase, seconds);
    }
  }

  /** Times a wait, less the computation of this thread in the meantime. */
  async wait<T>(phase: Phase, work: () => T | Promise<T>): Promise<T> {
    const [start, before] = [performance.now(), this.computed];
    try {
      return await work();
    } finally {
      this.add(phase, (performance.now() - start) / 1000 - (this.computed - before));
    }
  }

  /** Adds times of another process. */
  include(times: SpentTime): void {
    for (const [phase, seconds] of Object.entries(times)) this.add(phase as Phase, seconds);
  }

  /** Seconds since the run began. */
  elapsed(): number {
    return (performance.now() - this.begun) / 1000;
  }

  /** Returns the times so far, and forgets them. */
  take(): SpentTime {
    const times = Object.fromEntries(this.spent);
    this.spent.clear();
    return times;
  }

  /** Returns the lines of a run of `total` seconds in each process, the longest first; the last phase is the rest. */
  lines(total: number): TimeSpent[] {
    const lines = [...this.spent].map(([phase, seconds]) => ({ what: phases[phase] as string, seconds }));
    const rest = total * this.processes - lines.reduce((sum, { seconds }) => sum + seconds, 0);
    return [
      ...lines,
      { what: 'everything else: startup, probes, checks, progress', seconds: Math.max(0, rest) },
    ].sort((x, y) => y.seconds - x.seconds);
  }

  private add(phase: Phase, seconds: number): void {
    this.spent.set(phase, (this.spent.get(phase) ?? 0) + seconds);
  }
}
