/** Remembers the latest results of a function by key: cases that share an input are judged one after the other. */
export class Memo<T> {
  private readonly entries = new Map<string, T>();
  private readonly limit: number;

  /** @param limit how many results are kept; the one longest unused goes first. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** What was kept under a key, if it is still there. */
  find(key: string): T | undefined {
    return this.entries.get(key);
  }

  /** Keeps a value as the latest one. */
  keep(key: string, value: T): T {
    this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.limit) this.entries.delete(oldest);
    return value;
  }

  /** What was kept, else what `make` gives, which is kept then; a failure is not. */
  async get(key: string, make: () => T | Promise<T>): Promise<T> {
    return this.keep(key, this.find(key) ?? (await make()));
  }
}
