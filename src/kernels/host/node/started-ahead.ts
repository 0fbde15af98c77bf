import type { Surroundings } from '../../surroundings.ts';
import type { Conversation } from './conversation.ts';

/** Processes that are started at most before they are needed. */
const MOST = 8;

/** Whose the process is to be: products of these surroundings, or those that come first. */
export type For = Surroundings | 'whoever';

const keyOf = (one: For): string => (one === 'whoever' ? one : `${one.time} ${one.processes}`);

/** Processes that were started before they are needed, while others compute: to start one takes as long as many products. */
export class StartedAhead {
  private readonly hosts = new Map<string, Conversation>();
  private readonly start: (surroundings?: Surroundings) => Conversation;

  constructor(start: (surroundings?: Surroundings) => Conversation) {
    this.start = start;
  }

  /** Starts one, unless there is one for them, or another still has to say that it is ready: these would keep each other waiting. */
  begin(surroundings: Surroundings, whose: For = surroundings): void {
    const key = keyOf(whose);
    if (this.hosts.has(key) || this.hosts.size >= MOST || this.isStarting()) return;
    this.hosts.set(key, this.start(surroundings));
  }

  /** The process for products of these surroundings; one that has ended meanwhile is theirs as well. */
  take(surroundings?: Surroundings): Conversation {
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
