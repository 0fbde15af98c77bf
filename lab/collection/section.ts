import { diagonals } from '../../src/matrix/diagonal.ts';
import type { Figure } from '../../src/report/figure.ts';
import { columnsOf, countCell, type Table, type TableCell, type TextCell } from '../../src/report/table.ts';
import { type Cost, costs, frontOf, type Loss, listFrontPoints, losses } from './front.ts';
import type { MeanInterval } from './measure.ts';
import type { CollectionReport, TableReport } from './report.ts';

const fixed = (value: number | undefined, places: number): string =>
  value === undefined ? '–' : value.toFixed(places).replace(/^-(0\.?0*)$/, '$1');

/** Names of the tables on the fronts of exponents and of additions, at one level and per doubling. */
export function frontNames(tables: readonly TableReport[]): ReadonlySet<string> {
  const pairs = (Object.keys(costs) as Cost[]).flatMap((cost) =>
    (Object.keys(losses) as Loss[]).map((loss) => [cost, loss] as const),
  );
  return new Set(
    pairs.flatMap(([cost, loss]) =>
      frontOf(listFrontPoints(tables, cost, loss)).map((one) => one.table.name),
    ),
  );
}

/** A number with its interval below it. */
const withInterval = (value: number | undefined, interval: readonly number[] | undefined): TextCell => ({
  value: fixed(value, 2),
  as: 'text',
  under: interval === undefined ? undefined : interval.map((end) => fixed(end, 2)).join(' to '),
});

/** The table of costs, a line for each table. */
export function costsTable({ tables }: CollectionReport): Table {
  const onFront = frontNames(tables);
  return {
    title: 'Cost of each table',
    columns: [
      ...columnsOf('text', 'table', 'origin', 'grade'),
      ...columnsOf('number', 'R', 'ω₀', 'bits lost', 'per doubling', 'E', 'exponent of E', 'Q', 'Σ norms'),
      ...columnsOf('number', 'nonzeros', 'additions', 'shared', 'orbit'),
    ],
    rows: tables.map((table) => costRow(table, onFront.has(table.name))),
    note: [
      'Bits lost: log2 of the mean error at one level relative to the classical product of the same operands, uniform on [−1, 1], at the largest size, with its 95 % interval. Per doubling: the same at the most levels, per doubling of n. R counts block products; ω₀ = 3 log R / log mkn.',
      'E is the growth factor of a level and Q its prefactor. Both depend on the matrix that plays the role of C, so orientations of one table differ. Σ norms is Σ‖u‖₂‖v‖₂‖w‖₂. Additions are block additions per level. Shared: common sums, found by greedy elimination of pairs, are computed once.',
      'Tables of one orbit differ only in the roles of A, B and C, the order of blocks and signs. ◆ marks tables on a Pareto front of the figures.',
    ].join('\n'),
  };
}

function costRow(
  { title, form, origin, grade, figures, lost, orbit }: TableReport,
  front: boolean,
): TableCell[] {
  return [
    { value: `${title}${front ? ' ◆' : ''}`, as: 'text', under: form },
    origin,
    grade ?? (figures.isDyadic ? 'not measured' : 'not dyadic'),
    countCell(figures.rank),
    fixed(figures.exponent, 4),
    withInterval(lost?.first, lost?.interval),
    fixed(lost?.perDoubling, 2),
    fixed(figures.growth, Number.isInteger(figures.growth) ? 0 : 3),
    fixed(figures.errorExponent, 2),
    countCell(figures.prefactor),
    fixed(figures.norms, 3),
    countCell(figures.nonzeros),
    countCell(figures.additions),
    countCell(figures.sharedAdditions),
    countCell(orbit),
  ];
}

/** The table of sources. */
export const sourcesTable = ({ tables }: CollectionReport): Table => ({
  title: 'Sources',
  columns: [...columnsOf('code', 'name'), ...columnsOf('text', 'table', 'source', 'licence')],
  rows: tables.map(({ name, title, source, licence }) => [name, title, source, licence]),
});

/** The table of bits lost per level, a column for each family, at the largest size of each. */
export function inputsTable(
  { tables, options: { inputs } }: CollectionReport,
  of: 'lostInMean' | 'lostAtMost',
): Table {
  const what = of === 'lostInMean' ? 'mean error' : 'largest error';
  return {
    title: `Bits lost in the ${what}, by input`,
    columns: [...columnsOf('text', 'table'), ...columnsOf('number', ...inputs)],
    rows: tables.flatMap(({ title, errors }) =>
      errors === undefined ? [] : [[title, ...inputs.map((input) => byLevels(errors, input, of))]],
    ),
    note: 'At one, two and three levels (where measured), each at its largest size. Below: half the width of the 95 % interval.',
  };
}

function byLevels(
  errors: NonNullable<TableReport['errors']>,
  input: string,
  of: 'lostInMean' | 'lostAtMost',
): TextCell {
  const own = errors.filter((one) => one.input === input);
  const levels = [...new Set(own.map((one) => one.levels))];
  const found = levels.map((level) => own.filter((one) => one.levels === level).at(-1)?.[of] as MeanInterval);
  return {
    value: found.map(({ mean }) => fixed(mean, 2)).join(' · '),
    as: 'text',
    under: found.map(({ low, high }) => `±${fixed((high - low) / 2, 2)}`).join(' · '),
  };
}

const WAYS = ['classical', 'none', ...Object.keys(diagonals)] as const;

/** The table of bits of the worst entry, with and without scaling by powers of two. */
export function scalingTable({ tables, scaling: { size, levels, replicates } }: CollectionReport): Table {
  return {
    title: 'Scaling by powers of two',
    columns: [...columnsOf('text', 'table', 'scaled'), ...columnsOf('number', ...WAYS, 'share of bound')],
    rows: tables.flatMap(({ title, scaling = [] }) =>
      scaling.map(({ scaled, bits, used }) => [
        title,
        scaled,
        ...WAYS.map((way) => fixed(bits[way as keyof typeof bits], 1)),
        `${(100 * used).toFixed(1)} %`,
      ]),
    ),
    note: `Significant bits of the worst entry relative to |A||B|: n near ${size}, ${levels} levels, mean of ${replicates} pairs. Entries are uniform on [−1, 1]; half of the named rows or columns is multiplied by 2^20. classical: the product without recursion. none: the table without scaling. Share of bound: the largest share of the running bound that any of these products used.`,
  };
}

/** The table of alternative bases: additions, and bits lost level by level. */
export function basesTable({ tables }: CollectionReport): Table {
  const levels = (found: readonly MeanInterval[]): TextCell => ({
    value: found.map(({ mean }) => fixed(mean, 2)).join(' · '),
    as: 'text',
    under: found.map(({ low, high }) => `±${fixed((high - low) / 2, 2)}`).join(' · '),
  });
  return {
    title: 'Alternative bases',
    columns: [
      ...columnsOf('text', 'table'),
      ...columnsOf('number', 'additions', 'recursion', 'bases', 'bits lost', 'bits lost in its basis'),
    ],
    rows: tables.flatMap(({ title, bases }) =>
      bases === undefined
        ? []
        : [
            [
              title,
              ...[bases.additions.plain, bases.additions.core, bases.additions.bases].map((additions) =>
                countCell(additions),
              ),
              levels(bases.plain),
              levels(bases.sparse),
            ],
          ],
    ),
    note: 'Block additions per level, none shared: of the table, of the sparse recursion in the basis of its own sums (Karstadt and Schwartz 2017), and of the three changes of basis, done once for all levels. Bits lost in the mean error relative to the classical product, at one, two, … levels. Below: half the width of the 95 % interval. Tables with more than 6000 bases are skipped.',
  };
}

/** The table of errors by size. */
export function sizesTable({ tables, options: { sizes } }: CollectionReport): Table {
  return {
    title: 'Errors by size',
    columns: [
      ...columnsOf('text', 'table'),
      ...columnsOf('number', ...sizes.flatMap((n) => [`largest, n near ${n}`, `mean, n near ${n}`])),
    ],
    rows: tables.flatMap(({ title, errors }) =>
      errors === undefined
        ? []
        : [
            [
              title,
              ...sizes.flatMap((size) => (['max', 'mean'] as const).map((of) => sizeCell(errors, size, of))),
            ],
          ],
    ),
    note: 'Entries uniform on [−1, 1], at one, two and three levels, in units of u·max|A|·max|B|. Geometric means over the pairs of operands. A dash means a shape equal to that of a smaller size, or a product too large.',
  };
}

function sizeCell(errors: NonNullable<TableReport['errors']>, size: number, of: 'max' | 'mean'): TableCell {
  const own = errors.filter((one) => one.input === 'uniform' && one.size === size);
  return own.length === 0 ? '–' : own.map((one) => fixed(one[of], of === 'max' ? 0 : 1)).join(' · ');
}

/** The figure of tables by cost and loss, with their Pareto front. */
export function frontFigure({ tables }: CollectionReport, cost: Cost, loss: Loss): Figure {
  const all = listFrontPoints(tables, cost, loss);
  const front = frontOf(all);
  const origins = [...new Set(all.map(({ table }) => table.origin))];
  const mark = ({ table, cost: x, loss: y }: (typeof all)[number]) => ({
    ...{ x, y },
    says: `${table.title} ${table.form}: ${fixed(x, 3)}, ${fixed(y, 2)} bits`,
  });
  return {
    title: `${costs[cost].label.replace(/^./, (first) => first.toUpperCase())}, against ${losses[loss].label}`,
    x: { label: costs[cost].label, scale: 'linear' },
    y: { label: losses[loss].label, scale: 'linear' },
    series: [
      {
        draw: 'line',
        stroke: 'dashed',
        name: 'Pareto front',
        points: front.map(({ cost: x, loss: y }) => [x, y]),
      },
      ...origins.map((origin) => ({
        ...({ draw: 'points', shape: 'own', hue: origin } as const),
        marks: all.filter(({ table }) => table.origin === origin).map(mark),
      })),
    ],
    note: `On the front: ${front.map(({ table }) => `${table.title} ${table.form}`).join('; ')}.`,
  };
}
