/** Known values by key: a Map or a WeakMap. */
interface KnownValues<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Returns the value of a key, which is computed by the first call. */
export function computeOnce<K, V>(known: KnownValues<K, V>, key: K, compute: (key: K) => V): V {
  const value = known.get(key) ?? compute(key);
  known.set(key, value);
  return value;
}

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
