/** What a device reported beside a product, as an error; undefined where it reported nothing. */
export function thrownOf([first, ...more]: readonly string[]): Error | undefined {
  if (first === undefined) return undefined;
  const count = more.length > 0 ? ` ${more.length + 1} errors, first` : '';
  return new Error(`its device reports${count}: ${first}`);
}
