/** What a campaign spends its time on, in words. */
export const phases = {
  operands: 'making operands',
  exact: 'exact products',
  device: 'on the device, and preparing for it',
  analysis: 'mirror, bounds and expected errors',
  measures: 'measuring errors',
} as const;
export type Phase = keyof typeof phases;

/** A line of where the time went. */
export interface TimeSpent {
  readonly what: string;
  readonly seconds: number;
}

/**
 * A watch on where the time of a campaign goes. What is computed in this thread counts for its own phase alone, also
 * where it is done while the device or another thread is waited for; what is left of that waiting is theirs.
 */
export class Timing {
  private readonly spent = new Map<Phase, number>();
  private computed = 0;
  private depth = 0;

  /** Times what this thread computes. Within another computation it counts for that. */
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

  /** Times what is waited for, less what this thread computes in the meantime. */
  async wait<T>(phase: Phase, work: () => T | Promise<T>): Promise<T> {
    const [start, before] = [performance.now(), this.computed];
    try {
      return await work();
    } finally {
      this.add(phase, (performance.now() - start) / 1000 - (this.computed - before));
    }
  }

  /** The lines of a run of so many seconds, the longest first; the rest is what no phase covers. */
  lines(total: number): TimeSpent[] {
    const lines = [...this.spent].map(([phase, seconds]) => ({ what: phases[phase] as string, seconds }));
    const rest = total - lines.reduce((sum, { seconds }) => sum + seconds, 0);
    return [
      ...lines,
      { what: 'all else: opening, probing, checks, progress', seconds: Math.max(0, rest) },
    ].sort((x, y) => y.seconds - x.seconds);
  }

  private add(phase: Phase, seconds: number): void {
    this.spent.set(phase, (this.spent.get(phase) ?? 0) + seconds);
  }
}
