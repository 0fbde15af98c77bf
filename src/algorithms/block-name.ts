/** The name of a block of a grid, its row and column counted from 1: `A12`; `A3_11` where one has two digits. */
export function blockName(matrix: string, index: number, columns: number): string {
  const [row, col] = [Math.floor(index / columns) + 1, (index % columns) + 1];
  return `${matrix}${row}${row > 9 || col > 9 ? '_' : ''}${col}`;
}
