/** Returns an error of the messages that a device reported beside a product; undefined where there are none. */
export function makeReportedError([first, ...more]: readonly string[]): Error | undefined {
  if (first === undefined) return undefined;
  const count = more.length > 0 ? ` ${more.length + 1} errors, first` : '';
  return new Error(`its device reports${count}: ${first}`);
}
