import type { SimulatedClockAndPid } from '../../simulated-clock-and-pid.ts';
import type { Conversation } from './conversation.ts';

/** The most processes started in advance. */
const MOST = 8;

/** The products for which a process is started: those with these surroundings, or the first that come. */
export type StartTarget = SimulatedClockAndPid | 'whoever';

const keyOf = (one: StartTarget): string => (one === 'whoever' ? one : `${one.time} ${one.processes}`);

/** Processes started in advance, while others compute: a start takes as long as many products. */
export class HostReserve {
  private readonly hosts = new Map<string, Conversation>();
  private readonly start: (surroundings?: SimulatedClockAndPid) => Conversation;

  constructor(start: (surroundings?: SimulatedClockAndPid) => Conversation) {
    this.start = start;
  }

  /**
   * Starts a process, unless one exists for these products, or another has not greeted yet: concurrent starts would slow each other down.
   */
  begin(surroundings: SimulatedClockAndPid, whose: StartTarget = surroundings): void {
    const key = keyOf(whose);
    if (this.hosts.has(key) || this.hosts.size >= MOST || this.isStarting()) return;
    this.hosts.set(key, this.start(surroundings));
  }

  /** Takes the process for products of these surroundings, even if it has ended meanwhile. */
  take(surroundings?: SimulatedClockAndPid): Conversation {
    const keys = ['whoever', ...(surroundings === undefined ? [] : [keyOf(surroundings)])];
    for (const key of keys) {
      const found = this.hosts.get(key);
      this.hosts.delete(key);
      if (found !== undefined) return found;
    }
    return this.start(surroundings);
  }

  kill(): void {
    for (const host of this.hosts.values()) host.kill();
    this.hosts.clear();
  }

  private isStarting(): boolean {
    return [...this.hosts.values()].some((host) => host.alive() && !host.hasSpoken());
  }
}
