/** Lines of WGSL for each of so many. */
export const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\n');
