/** The position of a block in its matrix, counted from 0. */
export interface BlockPosition {
  readonly row: number;
  readonly col: number;
}

/** Formats a block as listings write it, row and column counted from 1: `A12`; `A3,11` where one has two digits. */
export function blockName(matrix: string, row: number, col: number): string {
  return `${matrix}${row + 1}${row > 8 || col > 8 ? ',' : ''}${col + 1}`;
}

/** Reads the name of a block. Undefined for the name of a temporary, such as `T1`. */
export function parseBlockName(
  name: string,
): (BlockPosition & { readonly matrix: 'A' | 'B' | 'C' }) | undefined {
  const found = /^([ABC])(?:(\d)(\d)|(\d+),(\d+))$/.exec(name);
  if (found === null) return undefined;
  const [row, col] = [Number(found[2] ?? found[4]) - 1, Number(found[3] ?? found[5]) - 1];
  return { matrix: found[1] as 'A' | 'B' | 'C', row, col };
}
