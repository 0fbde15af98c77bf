/** Caches values for lines (rows or columns) up to a capacity; when full, it is cleared. */
export class LineCache<T> {
  readonly #make: (line: number) => T;
  readonly #capacity: number;
  readonly #made = new Map<number, T>();

  constructor(capacity: number, make: (line: number) => T) {
    this.#capacity = capacity;
    this.#make = make;
  }

  /** Returns the value of `make` for `line`. */
  get(line: number): T {
    let value = this.#made.get(line);
    if (value === undefined) {
      if (this.#made.size >= this.#capacity) this.#made.clear();
      value = this.#make(line);
      this.#made.set(line, value);
    }
    return value;
  }
}
