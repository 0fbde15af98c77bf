/** Remembers the latest results of a function by key: cases that share an input are judged one after the other. */
export class Memo<T> {
  private readonly entries = new Map<string, T>();
  private readonly limit: number;

  /** @param limit how many results are kept; the one longest unused goes first. */
  constructor(limit: number) {
    this.limit = limit;
  }

  async get(key: string, make: () => T | Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    const value = known ?? (await make());
    this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.limit) this.entries.delete(oldest);
    return value;
  }
}
