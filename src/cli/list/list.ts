import { EXIT } from '../../base/errors.ts';
import { lookUp } from '../../base/look-up.ts';
import { unknownName } from '../../base/messages.ts';
import { type Item, OURS } from '../../base/registry.ts';
import type { RunRequest } from '../../config/command-options.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import type { NodeItems } from '../../config/node/read-node-items.ts';
import { epilogueSteps } from '../../epilogue/epilogues.ts';
import { leaves } from '../../gpu/wgsl/leaves/leaves.ts';
import { listAllKernelNames } from '../../kernels/builtin-plan.ts';
import { clientKernels, libraries } from '../../kernels/clients/node/clients.ts';
import { faults, rungs } from '../../kernels/faults/faults.ts';
import { findStyled } from '../../kernels/styled-leaves.ts';
import { unitKernels } from '../../kernels/subgroup-matrix/unit-kernels.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { ways } from '../../kernels/ways.ts';
import { structures } from '../../matrix/structure.ts';
import { styles } from '../../plan/plan.ts';
import { columnsOf, type Table } from '../../report/table.ts';
import type { RunCatalog } from '../../run/run-catalog.ts';
import { defineStudy } from '../../study/define-study.ts';
import { studies } from '../../study/studies.ts';
import type { Study } from '../../study/study.ts';
import { printTables } from '../print-tables.ts';
/** Lists registered items. @throws ParanoiaError `unknown-name` for the kind, and those of the config */
export async function runList(
  kind: string,
  { json, config, verbose }: RunRequest & { readonly json?: true | undefined },
): Promise<number> {
  const itemsOf = lookUp(kinds, kind);
  if (itemsOf === undefined) throw unknownName({ what: 'kind', given: kind, known: Object.keys(kinds) });
  const { catalogue, options, ofConfig } = await optionsOf({ config, verbose });
  const items = ofConfig(kind, () => itemsOf({ catalogue, studies: options.studies }));
  if (json === true) console.log(JSON.stringify(items, undefined, 2));
  else printTables(...tablesOf(kind, items));
  return EXIT.pass;
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

/** A parameter of a listed item. */
export interface ListedParameter {
  readonly name: string;
  readonly what: string;
  /** Its valid values. */
  readonly need: string;
  /** Its value if it is left out. */
  readonly usual?: number | string | undefined;
}

/** An item as `list` prints it; without a source it is the config's. */
export interface ListedItem extends Required<Item> {
  readonly parameters?: readonly ListedParameter[];
}

/** Registered items: the built-in ones and those of the config. */
export interface RegisteredItems {
  readonly catalogue: RunCatalog<NodeItems>;
  /** Studies of the config. */
  readonly studies?: readonly Item[] | undefined;
}

const YOURS = 'the config';

const listed =
  (otherwise: string) =>
  ({ name, what, source = otherwise }: Item): ListedItem => ({ name, what, source });

const all =
  (kind: 'algorithms' | 'inputs' | 'precisions' | 'checks' | 'reporters') =>
  ({ catalogue }: RegisteredItems): ListedItem[] =>
    catalogue[kind].items.map(listed(YOURS));

/** Kinds of registered items, with the items of each in order. */
export const kinds: Readonly<Record<string, (registered: RegisteredItems) => readonly ListedItem[]>> = {
  algorithms: all('algorithms'),
  kernels: kernelsOf,
  inputs: all('inputs'),
  precisions: all('precisions'),
  checks: all('checks'),
  styles: () => Object.entries(styles).map(([name, { title, source }]) => ({ name, what: title, source })),
  reporters: all('reporters'),
  studies: ({ studies: own = [] }) =>
    studies.with(own.map((study) => defineStudy(study as Study))).items.map(listed(YOURS)),
  clients: () => clientKernels.map(clientOf),
  faults: () => [...faults, ...rungs].map(listed(OURS)),
  epilogues: () =>
    epilogueSteps.items.map(({ parameters, ...step }) => ({
      ...listed(OURS)(step),
      parameters: Object.entries(parameters).map(([name, { what, need, usual }]) => ({
        ...{ name, what, need },
        ...(usual === undefined ? {} : { usual }),
      })),
    })),
  structures: () => structures.items.map(listed(OURS)),
};

/** Families of kernels that choose their tile by the shape. */
const FAMILIES: Readonly<Record<string, string>> = {
  naive: 'one entry per invocation',
  tiled: 'tiles in workgroup memory, sized for the shape',
  register: 'blocks in registers, tuned for the device or sized for the shape',
};

function kernelsOf({ catalogue }: RegisteredItems): ListedItem[] {
  const made = catalogue.algorithms.items.flatMap((algorithm) =>
    listAllKernelNames([algorithm]).map((name) => {
      const how = leafOf(name.slice(algorithm.name.length + 1));
      return { name, what: `${algorithm.title}: ${how}`, source: algorithm.source };
    }),
  );
  const isOurs = (name: string) => unitKernels.some((kernel) => kernel.name === name);
  const isClient = (name: string) => clientKernels.some((kernel) => kernel.name === name);
  const others = catalogue.names.flatMap((name) => (isClient(name) ? [] : (catalogue.external(name) ?? [])));
  return [...made, ...others.map((kernel) => otherOf(kernel, isOurs(kernel.name) ? OURS : YOURS))];
}

function leafOf(leaf: string): string {
  const styled = findStyled(leaf);
  if (styled === undefined)
    return lookUp(FAMILIES, leaf) ?? leaves.find(({ name }) => name === leaf)?.what ?? '';
  const { title } = styles[styled.style];
  const { blocking, run } = styled;
  const how = run === undefined ? [] : [`products summed in runs of ${run} terms`];
  return [title, ...(blocking === undefined ? [] : [`${blocking} tiles`]), ...how].join(', ');
}

/** Names of the ways of multiplying. */
const WAYS: Readonly<Record<(typeof ways)[number], string>> = {
  multiply: 'a function in this process',
  wgsl: 'a WGSL shader',
  encode: 'commands encoded for the device',
  program: 'a program',
};

function otherOf(kernel: UserKernel, source: string): ListedItem {
  const way = ways.find((one) => one in kernel) as (typeof ways)[number];
  return { name: kernel.name, what: `${WAYS[way]}, in ${kernel.precision ?? 'f32'}`, source };
}

function clientOf({ name, precision = 'f32' }: UserKernel): ListedItem {
  const { what, source } = lookUp(libraries, name.split(':')[0]) as (typeof libraries)[string];
  return { name, what: `${what}, in ${precision}`, source };
}
