import { EXIT } from '../../base/errors.ts';
import { unknownName } from '../../base/messages.ts';
import { lookUp } from '../../base/objects.ts';
import type { Item, Registry } from '../../base/registry.ts';
import type { RunRequest } from '../../config/command-options.ts';
import { findConfig } from '../../config/node/find-config.ts';
import { columnsOf, type Table } from '../../report/table.ts';
import type { Study } from '../../study/study.ts';
import { printTables } from '../print-tables.ts';
import { type ListedItem, type ListedParameter, listed, type RegisteredItems, YOURS } from './listed-item.ts';

/** Lists registered items. @throws ParanoiaError `unknown-name` for the kind, and those of the config */
export async function runList(
  kind: string,
  { json, config, verbose }: RunRequest & { readonly json?: true | undefined },
): Promise<number> {
  const load = lookUp(kinds, kind);
  if (load === undefined) throw unknownName({ what: 'kind', given: kind, known: Object.keys(kinds) });
  const itemsOf = await load();
  const items =
    config === undefined && findConfig(process.cwd()) === undefined
      ? itemsOf()
      : await withConfig(kind, itemsOf, { config, verbose });
  if (json === true) console.log(JSON.stringify(items, undefined, 2));
  else printTables(...tablesOf(kind, items));
  return EXIT.pass;
}

/** Returns the items of a kind, those of the config among them. */
async function withConfig(
  kind: string,
  itemsOf: ItemsOf,
  request: RunRequest,
): Promise<readonly ListedItem[]> {
  const { optionsOf } = await import('../../config/node/options-of.ts');
  const { catalog, options, ofConfig } = await optionsOf(request);
  return ofConfig(kind, () => itemsOf({ catalog, studies: options.studies }));
}

/** Returns the table of items; where these have parameters, these too in place of sources, to fit a screen. */
function tablesOf(kind: string, items: readonly ListedItem[]): Table[] {
  const title = `${items.length} ${kind}`;
  if (!items.some(({ parameters }) => parameters !== undefined)) {
    const columns = [...columnsOf('code', 'name'), ...columnsOf('text', 'description', 'source')];
    return [{ title, columns, rows: items.map(({ name, what, source }) => [name, what, source]) }];
  }
  const written = ({ name, usual }: ListedParameter) => (usual === undefined ? name : `${name}=${usual}`);
  const all = items.flatMap(({ parameters = [] }) => parameters);
  const distinct = new Map(all.map((one) => [`${one.name} ${one.what} ${one.need}`, one]));
  return [
    {
      title,
      columns: columnsOf('text', 'name', 'parameters', 'description'),
      rows: items.map(({ name, parameters = [], what }) => [name, parameters.map(written).join(' '), what]),
    },
    {
      title: 'Parameters',
      columns: columnsOf('text', 'parameter', 'value', 'description'),
      rows: [...distinct.values()].map((one) => [one.name, one.need, one.what]),
    },
  ];
}

/** Lists the items of a kind in order; the built-in ones alone if there is no config. */
type ItemsOf = (registered?: RegisteredItems) => readonly ListedItem[];

const all =
  (
    kind: 'algorithms' | 'inputs' | 'precisions' | 'checks' | 'reporters',
    builtin: Pick<Registry<Item>, 'items'>,
  ): ItemsOf =>
  (registered) =>
    (registered?.catalog[kind] ?? builtin).items.map(listed(YOURS));

/** Kinds of registered items; the modules of each load when it is listed. */
export const kinds: Readonly<Record<string, () => Promise<ItemsOf>>> = {
  algorithms: async () =>
    all('algorithms', (await import('../../algorithms/algorithms.ts')).algorithmRegistry),
  kernels: async () => (await import('./kernels.ts')).listKernels,
  inputs: async () => all('inputs', (await import('../../inputs/inputs.ts')).inputRegistry),
  precisions: async () => all('precisions', (await import('../../precision/precisions.ts')).precisions),
  checks: async () => all('checks', (await import('../../evidence/checks/checks.ts')).checks),
  styles: async () => {
    const { styles } = await import('../../plan/plan.ts');
    return () => Object.entries(styles).map(([name, { title, source }]) => ({ name, what: title, source }));
  },
  reporters: async () => all('reporters', (await import('../../pages/node/reporters.ts')).reporters),
  studies: async () => {
    const { studies } = await import('../../study/studies.ts');
    const { defineStudy } = await import('../../study/study.ts');
    return ({ studies: own = [] } = {} as RegisteredItems) =>
      studies.with(own.map((study) => defineStudy(study as Study))).items.map(listed(YOURS));
  },
  clients: async () => (await import('./kernels.ts')).listClients,
  faults: async () => {
    const { faults, rungs } = await import('../../kernels/faults/faults.ts');
    return () => [...faults, ...rungs].map(listed());
  },
  epilogues: async () => {
    const { epilogueSteps } = await import('../../epilogue/epilogues.ts');
    return () =>
      epilogueSteps.items.map(({ parameters, ...step }) => ({
        ...listed()(step),
        parameters: Object.entries(parameters).map(([name, { what, need, usual }]) => ({
          ...{ name, what, need },
          ...(usual === undefined ? {} : { usual }),
        })),
      }));
  },
  structures: async () => {
    const { structures } = await import('../../matrix/structure.ts');
    return () => structures.items.map(listed());
  },
};
