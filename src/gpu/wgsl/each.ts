/** Returns lines of WGSL, one for each index below `count`. */
export const repeatLines = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\n');
