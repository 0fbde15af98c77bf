/** Remembers the latest results of a function by key: cases that share an input are judged one after the other. */
export class Memo<T> {
  private readonly entries = new Map<string, T>();
  private readonly limit: number;

  /** @param limit how many results are kept; the one longest unused goes first. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** What was kept, else what `make` gives, which is kept then; room is made before, so that no more is ever held. */
  get(key: string, make: () => T): T {
    const [oldest] = this.entries.keys();
    if (!this.entries.has(key) && this.entries.size >= this.limit) this.entries.delete(oldest);
    const value = this.entries.has(key) ? (this.entries.get(key) as T) : make();
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }
}
