/** Returns the own entry of a table under an arbitrary name. Inherited entries such as `toString` do not count. */
export const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
