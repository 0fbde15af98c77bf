import { EXIT } from '../../base/errors.ts';
import { lookUp } from '../../base/look-up.ts';
import { unknownName } from '../../base/messages.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import type { RunRequest } from '../../config/run-options.ts';
import { columnsOf, type Table } from '../../report/table.ts';
import { printTables } from '../print-tables.ts';
import { kinds, type Listed } from './listed.ts';

/** @throws ParanoiaError `unknown-name` for the kind, and those of the config */
export async function runList(
  kind: string,
  { json, config, verbose }: RunRequest & { readonly json?: true | undefined },
): Promise<number> {
  const itemsOf = lookUp(kinds, kind);
  if (itemsOf === undefined) throw unknownName({ what: 'kind', given: kind, known: Object.keys(kinds) });
  const { catalogue, options, ofConfig } = await optionsOf({ config, verbose });
  const items = ofConfig(kind, () => itemsOf({ catalogue, studies: options.studies }));
  if (json === true) console.log(JSON.stringify(items, undefined, 2));
  else printTables(tableOf(kind, items));
  return EXIT.pass;
}

function tableOf(kind: string, items: readonly Listed[]): Table {
  const rows = items.map(({ name, what, source }) => [name, what, source]);
  const columns = [...columnsOf('code', 'name'), ...columnsOf('text', 'what', 'source')];
  return { title: `${items.length} ${kind}`, columns, rows };
}
