/** The entry that a table holds under a name that others chose; what every object inherits, as `toString`, is none. */
export const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
