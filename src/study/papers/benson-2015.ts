import type { ComputedCell } from '../computed-cells.ts';
import published from '../published/benson-2015.json' with { type: 'json' };
import type { Study } from '../study.ts';

/** Ranks and nonzeros of the algorithms that two papers compare. */
export const benson2015: Study = {
  name: 'benson-2015',
  what: 'Ranks and nonzeros of the algorithms of Benson and Ballard (2015, 2016)',
  source:
    'Benson, Ballard: A framework for practical parallel fast matrix multiplication (2015); Ballard, Benson, Druinsky, Lipshitz, Schwartz: Improving the numerical stability of fast matrix multiplication (2016)',
  errors: {
    notes: [
      'Published numbers come from the names of the coefficient files in arbenson/fast-matmul. Computed numbers are counted in the tables of this package.',
      'The table of prefactors and growth factors in the second paper could not be read, so its numbers are missing. Q is defined as in the authors’ program codegen/stability_quantities.py.',
    ],
    cells: () => [],
    computed: () => published.files.flatMap(cellsOf),
  },
};

function cellsOf({ file, table, rank, nonzeros }: (typeof published.files)[number]): ComputedCell[] {
  const cell = (column: 'rank' | 'nonzeros', value: number): ComputedCell => ({
    ...{ figure: 'Files', title: 'Ranks and nonzeros by file name', row: file, column },
    ...{ published: value, decimals: 0 },
    compute: ({ tableOf }) => ({ value: tableOf(table)[column] }),
  });
  return [...(rank === undefined ? [] : [cell('rank', rank)]), cell('nonzeros', nonzeros)];
}
