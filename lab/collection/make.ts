import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { group } from 'd3-array';
import { type BilinearTable, compose, rotateTable } from '../../src/algorithms/bilinear-table.ts';
import { EXIT } from '../../src/base/errors.ts';
import { writeWhole } from '../../src/base/node/write-file.ts';
import { asAlgorithm, isDyadicTable, toCoefficientRows } from '../../src/collection/as-algorithm.ts';
import { type CollectionTable, classicalRank, type Origin } from '../../src/collection/collected.ts';
import { makeCollectionTable, ours } from '../../src/collection/figures.ts';
import { readTable, TABLES } from '../../src/collection/node/read-tables.ts';
import { figuresOf, type TableFigures } from './figures.ts';
import { orbitText } from './invariants.ts';
import { compositions, splits } from './recipes.ts';
import { type Aim, search } from './search.ts';
import { split } from './split.ts';
import { formatTable, tableNames } from './tables.ts';

/** The number of tables of a form from which a search starts: those of the smallest growth. */
const STARTS = 2;
/** Forms with more block products by definition are skipped, unless they are published. */
const MOST_SPLIT = 64;
const SEEDS = [1];
const STEPS = 100_000;

const AIMS: readonly { aim: Aim; called: string; of: (figures: TableFigures) => number }[] = [
  { aim: 'growth', called: 'least growth', of: ({ growth }) => growth },
  { aim: 'norms', called: 'least norms', of: ({ norms }) => norms },
  { aim: 'additions', called: 'fewest nonzeros', of: ({ nonzeros }) => nonzeros },
];

const made: readonly Origin[] = ['split', 'composed'];
const found: readonly Origin[] = ['flips', 'other basis'];

const formOf = ({ base: { m, k, n } }: Pick<BilinearTable, 'base'>): string =>
  [m, k, n].sort((x, y) => x - y).join('x');

const tableOf = (table: CollectionTable): BilinearTable => ({
  base: table.base,
  ...toCoefficientRows(table),
});
const stored = (): CollectionTable[] => tableNames().map((name) => readTable(name));

/**
 * Writes the tables that are derived from published ones: splits, compositions, and results of a search by flips and changes of
 * basis. The same tables and seeds give the same files.
 * @param only forms to search, such as `3x3x3`; empty for all
 * @returns the exit code
 */
export function makeTables(only: readonly string[]): number {
  const isAsked = (form: string): boolean => only.length === 0 || only.includes(form);
  for (const table of stored())
    if (made.includes(table.origin) || (found.includes(table.origin) && isAsked(formOf(table))))
      rmSync(join(TABLES, `${table.name}.txt`));
  const published = [...stored(), ...ours].filter(({ origin }) => !found.includes(origin));
  const known = new Set(published.map((table) => orbitText(tableOf(table))));
  const put = (table: CollectionTable): void => {
    known.add(orbitText(tableOf(table)));
    writeWhole(join(TABLES, `${table.name}.txt`), formatTable(table));
    const { growth, norms, nonzeros } = figuresOf(table);
    console.log(`${table.name}: growth ${growth}, norms ${norms.toFixed(3)}, nonzeros ${nonzeros}`);
  };
  for (const { first, second, along } of splits) {
    const parts = [first, second].map((name) => readTable(name));
    const table = split(tableOf(parts[0]), tableOf(parts[1]), along);
    const origin = about('split', table.base, [first, second], ` cut along ${along}`, parts[0].licence);
    put(makeCollectionTable(origin, table));
  }
  for (const { outer, inner } of compositions) {
    const parts = [outer, inner].map((name) => readTable(name));
    const table = compose(asAlgorithm(parts[0]), asAlgorithm(parts[1]));
    put(makeCollectionTable(about('composed', table.base, [outer, inner], '', parts[0].licence), table));
  }
  for (const [form, all] of tablesByForm()) if (isAsked(form)) searchForm(form, all, { known, put });
  return EXIT.pass;
}

/** The tables of a form in any orientation. */
const tablesByForm = () =>
  group(
    [...stored(), ...ours].filter(
      (table) => !['classical', 'composed', ...found].includes(table.origin) && isDyadicTable(table),
    ),
    formOf,
  );

/** Searches from the tables of a form with the fewest products. */
function searchForm(
  form: string,
  all: readonly CollectionTable[],
  { known, put }: { readonly known: ReadonlySet<string>; put(table: CollectionTable): void },
): void {
  if (all.every(({ origin }) => origin === 'split') && classicalRank(all[0]) > MOST_SPLIT) return;
  const rank = Math.min(...all.map(({ products }) => products.length));
  const least = all.filter(({ products }) => products.length === rank);
  const starts = [...least].sort((x, y) => figuresOf(x).growth - figuresOf(y).growth).slice(0, STARTS);
  for (const { aim, called, of } of AIMS) {
    const best = bestOf(starts, aim, of);
    const before = Math.min(
      ...least.flatMap((table) => orientationsOf(tableOf(table))).map((table) => of(figures(table))),
    );
    if (best === undefined || best.value >= before - 1e-9 || known.has(orbitText(best.table))) {
      console.log(`${form}, ${called}: no improvement on ${before}`);
      continue;
    }
    const { m, k, n } = best.table.base;
    put(
      makeCollectionTable(
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

function about(
  origin: Origin,
  { m, k, n }: BilinearTable['base'],
  of: readonly string[],
  how: string,
  licence: string,
) {
  const form = `${m}x${k}x${n}`;
  const title = `${origin === 'split' ? 'Split' : 'Composed'} ⟨${m},${k},${n}⟩`;
  const source = origin === 'split' ? `${of.join(' beside ')},${how}` : of.join(' of blocks by ');
  return { name: `${origin}-${form}`, title, origin, source, licence };
}

function figures(table: BilinearTable): TableFigures {
  return figuresOf(
    makeCollectionTable({ name: '', title: '', origin: 'flips', source: '', licence: '' }, table),
  );
}

function orientationsOf(table: BilinearTable): BilinearTable[] {
  return [table, rotateTable(table), rotateTable(rotateTable(table))];
}

interface Found {
  readonly table: BilinearTable;
  readonly value: number;
  readonly from: CollectionTable;
  readonly by: Origin;
  readonly how: string;
}

/** The best result of any walk; one by changes of basis alone if flips give no better one. */
function bestOf(
  starts: readonly CollectionTable[],
  aim: Aim,
  of: (figures: TableFigures) => number,
): Found | undefined {
  let best: Found | undefined;
  for (const from of starts) {
    const own = tableOf(from);
    const values = [own.u, own.v, own.w].flat(2);
    const isWhole = values.every(Number.isInteger);
    const most = Math.max(...values.map(Math.abs));
    // Orientations differ only in growth.
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
