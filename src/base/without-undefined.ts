type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without its undefined entries, which would hide those that they are spread over. */
export const withoutUndefined = <T extends object>(entries: T): Defined<T> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Defined<T>;
