type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes the undefined entries of an object, which would hide others when spread over them. */
export const withoutUndefined = <T extends object>(entries: T): Defined<T> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Defined<T>;
