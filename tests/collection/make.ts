import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { group } from 'd3-array';
import { compose } from '../../src/algorithms/compose.ts';
import { type Table, turned } from '../../src/algorithms/symmetries.ts';
import { writeWhole } from '../../src/base/node/write-file.ts';
import { asAlgorithm, isDyadicTable, rowsOf } from '../../src/collection/as-algorithm.ts';
import { type Collected, classicalRank, type Origin } from '../../src/collection/collected.ts';
import { figuresOf, type TableFigures } from '../../src/collection/figures.ts';
import { collectedFrom } from '../../src/collection/from-rows.ts';
import { orbitText } from '../../src/collection/invariants.ts';
import { readTable, TABLES, tableNames } from '../../src/collection/node/read-tables.ts';
import { ours } from '../../src/collection/ours.ts';
import { type Aim, search } from '../../src/collection/search.ts';
import { split } from '../../src/collection/split.ts';
import { formatTable } from '../../src/collection/table-text.ts';
import { compositions, splits } from './recipes.ts';

// Writes the tables that are made of the published ones: splits, compositions, and what a search by flips and other bases finds.
// The same tables and seeds give the same files: npm run collection, or npm run collection 3x3x3 for a form alone.

/** Tables that a search starts from, of each form: those of the smallest growth. */
const STARTS = 2;
/** Forms of more block products by definition are left alone where no publication has them. */
const MOST_SPLIT = 64;
const SEEDS = [1];
const STEPS = 100_000;

const AIMS: readonly { aim: Aim; called: string; of: (figures: TableFigures) => number }[] = [
  { aim: 'growth', called: 'least growth', of: ({ growth }) => growth },
  { aim: 'norms', called: 'least norms', of: ({ norms }) => norms },
  { aim: 'additions', called: 'fewest nonzeros', of: ({ nonzeros }) => nonzeros },
];

/** Forms to search; all where none is named. */
const only = process.argv.slice(2);
const isAsked = (form: string): boolean => only.length === 0 || only.includes(form);
const formOf = ({ base: { m, k, n } }: Pick<Table, 'base'>): string =>
  [m, k, n].sort((x, y) => x - y).join('x');

const made: readonly Origin[] = ['split', 'composed'];
const found: readonly Origin[] = ['flips', 'other basis'];
for (const table of tableNames().map((name) => readTable(name)))
  if (made.includes(table.origin) || (found.includes(table.origin) && isAsked(formOf(table))))
    rmSync(join(TABLES, `${table.name}.txt`));

const known = new Set<string>();
const put = (table: Collected): void => {
  known.add(orbitText(tableOf(table)));
  writeWhole(join(TABLES, `${table.name}.txt`), formatTable(table));
  const { growth, norms, nonzeros } = figuresOf(table);
  console.log(`${table.name}: growth ${growth}, norms ${norms.toFixed(3)}, nonzeros ${nonzeros}`);
};

function tableOf(table: Collected): Table {
  return { base: table.base, ...rowsOf(table) };
}
const published = [...tableNames().map((name) => readTable(name)), ...ours].filter(
  ({ origin }) => !found.includes(origin),
);
for (const table of published) known.add(orbitText(tableOf(table)));

for (const { first, second, along } of splits) {
  const parts = [first, second].map((name) => readTable(name));
  const table = split(tableOf(parts[0]), tableOf(parts[1]), along);
  put(
    collectedFrom(
      about('split', table.base, [first, second], ` cut along ${along}`, parts[0].licence),
      table,
    ),
  );
}
for (const { outer, inner } of compositions) {
  const parts = [outer, inner].map((name) => readTable(name));
  const table = compose(asAlgorithm(parts[0]), asAlgorithm(parts[1]));
  put(collectedFrom(about('composed', table.base, [outer, inner], '', parts[0].licence), table));
}

function about(
  origin: Origin,
  { m, k, n }: Table['base'],
  of: readonly string[],
  how: string,
  licence: string,
) {
  const form = `${m}x${k}x${n}`;
  const title = `${origin === 'split' ? 'Split' : 'Composed'} ⟨${m},${k},${n}⟩`;
  const source = origin === 'split' ? `${of.join(' beside ')},${how}` : of.join(' of blocks by ');
  return { name: `${origin}-${form}`, title, origin, source, licence };
}

/** The tables of a form in any orientation, those of fewest products. */
const forms = group(
  [...tableNames().map((name) => readTable(name)), ...ours].filter(
    (table) => !['classical', 'composed', ...found].includes(table.origin) && isDyadicTable(table),
  ),
  formOf,
);

for (const [form, all] of forms) {
  if (!isAsked(form)) continue;
  if (all.every(({ origin }) => origin === 'split') && classicalRank(all[0]) > MOST_SPLIT) continue;
  const rank = Math.min(...all.map(({ products }) => products.length));
  const least = all.filter(({ products }) => products.length === rank);
  const starts = [...least].sort((x, y) => figuresOf(x).growth - figuresOf(y).growth).slice(0, STARTS);
  for (const { aim, called, of } of AIMS) {
    const best = bestOf(starts, aim, of);
    const before = Math.min(
      ...least.flatMap((table) => orientationsOf(tableOf(table))).map((table) => of(figures(table))),
    );
    if (best === undefined || best.value >= before - 1e-9 || known.has(orbitText(best.table))) {
      console.log(`${form}, ${called}: none new below ${before}`);
      continue;
    }
    const { m, k, n } = best.table.base;
    put(
      collectedFrom(
        {
          name: `found-${m}x${k}x${n}-${aim}`,
          title: `Found ⟨${m},${k},${n}⟩, ${called}`,
          origin: best.by,
          source: `gemm-paranoia: simulated annealing ${best.how} from ${best.from.name} for the ${called}`,
          licence: best.from.licence,
        },
        best.table,
      ),
    );
  }
}

function figures(table: Table): TableFigures {
  return figuresOf(collectedFrom({ name: '', title: '', origin: 'flips', source: '', licence: '' }, table));
}

function orientationsOf(table: Table): Table[] {
  return [table, turned(table), turned(turned(table))];
}

interface Found {
  readonly table: Table;
  readonly value: number;
  readonly from: Collected;
  readonly by: Origin;
  readonly how: string;
}

/** The best that any walk finds; by other bases alone where that is as good as with flips. */
function bestOf(
  starts: readonly Collected[],
  aim: Aim,
  of: (figures: TableFigures) => number,
): Found | undefined {
  let best: Found | undefined;
  for (const from of starts) {
    const own = tableOf(from);
    const values = [own.u, own.v, own.w].flat(2);
    const isWhole = values.every(Number.isInteger);
    const most = Math.max(...values.map(Math.abs));
    // Only growth tells orientations apart.
    for (const start of aim === 'growth' ? orientationsOf(own) : [own]) {
      for (const halves of aim === 'additions' ? [!isWhole] : isWhole ? [false, true] : [true]) {
        for (const flips of [0, 0.7]) {
          for (const seed of SEEDS) {
            const table = search(start, {
              aim,
              steps: STEPS,
              seed,
              flips,
              most: halves ? Math.max(2, most) : most,
              halves,
            });
            const value = of(figures(table));
            if (best !== undefined && value >= best.value - 1e-9) continue;
            const how = flips === 0 ? 'over other bases' : 'over flips and other bases';
            best = { table, value, from, by: flips === 0 ? 'other basis' : 'flips', how };
          }
        }
      }
    }
  }
  return best;
}
