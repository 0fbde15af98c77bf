import type { PartCounts } from '../exact/parts.ts';

/** Evidence for a product that is not compared entry by entry. */
export interface JudgmentBasis extends PartCounts {
  /** Number of signed sums, of blocks of rows and of columns. */
  readonly projections: number;
}

/** Describes the evidence for a product, as the end of a sentence; empty where every entry was compared. */
export function judgedText(judgedBy: JudgmentBasis | undefined): string {
  if (judgedBy === undefined) return '';
  const { projections, rows, cols, tiles, entries } = judgedBy;
  return `; judged by ${projections} projections of all entries and exactly in ${rows} rows, ${cols} columns, ${tiles} tiles and ${entries} entries`;
}
