import type { LearnedOrder } from './case-facets.ts';

/** Reads the table of shares of faults: a line of rates, then a line of shares for each facet. */
export function readShares(text: string): Pick<LearnedOrder, 'rates' | 'facets'> {
  const [[, rates], ...facets] = text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, ...numbers] = line.split(' ');
      return [name, numbers.map(Number)] as const;
    });
  return { rates, facets: new Map(facets) };
}

/** Writes a table that {@link readShares} reads. */
export const writeShares = ({ rates, facets }: Pick<LearnedOrder, 'rates' | 'facets'>): string =>
  [['rate', rates] as const, ...facets].map(([name, numbers]) => [name, ...numbers].join(' ')).join('\n');
