import type { PartCounts } from '../exact/parts.ts';

/** How a product is judged that is not compared entry by entry. */
export interface JudgedBy extends PartCounts {
  /** Signed sums of each block of a row, and of each block of a column. */
  readonly projections: number;
}

/** How a product was judged, as the end of a sentence; empty where every entry was compared. */
export function judgedText(judgedBy: JudgedBy | undefined): string {
  if (judgedBy === undefined) return '';
  const { projections, rows, cols, tiles, entries } = judgedBy;
  return `; judged by ${projections} projections of all entries, and exactly in ${rows} rows, ${cols} columns, ${tiles} tiles and ${entries} entries`;
}
