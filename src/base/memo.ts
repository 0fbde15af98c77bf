/** Caches the latest results of a function by key: cases that share an input are judged one after the other. */
export class Memo<T> {
  private readonly entries = new Map<string, T>();
  private readonly limit: number;

  /** @param limit number of kept results. The least recently used one is evicted first. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Returns the cached value, or calls `make` and caches its result. Eviction comes first, so that the limit is never exceeded. */
  get(key: string, make: () => T): T {
    const [oldest] = this.entries.keys();
    if (!this.entries.has(key) && this.entries.size >= this.limit) this.entries.delete(oldest);
    const value = this.entries.has(key) ? (this.entries.get(key) as T) : make();
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }
}
