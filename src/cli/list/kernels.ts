import { lookUp } from '../../base/objects.ts';
import { OURS } from '../../base/registry.ts';
import { leaves } from '../../gpu/wgsl/leaves/leaves.ts';
import { findStyled, listAllKernelNames } from '../../kernels/builtin-plan.ts';
import { clientKernels, libraries } from '../../kernels/clients/node/clients.ts';
import { type KernelCatalog, makeKernelCatalog } from '../../kernels/kernel-catalog.ts';
import { unitKernels } from '../../kernels/subgroup-matrix/unit-kernels.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { ways } from '../../kernels/user-kernel.ts';
import { styles } from '../../plan/plan.ts';
import { type ListedItem, type RegisteredItems, YOURS } from './listed-item.ts';

/** Families of kernels that choose their tile by the shape. */
const FAMILIES: Readonly<Record<string, string>> = {
  naive: 'one entry per invocation',
  tiled: 'tiles in workgroup memory, sized for the shape',
  register: 'blocks in registers, tuned for the device or sized for the shape',
};

/** Lists the kernels that can be named, without those of other libraries: built-in ones alone if there is no config. */
export function listKernels({ catalog }: Partial<RegisteredItems> = {}): ListedItem[] {
  const known: KernelCatalog = catalog ?? makeKernelCatalog([]);
  const made = known.algorithms.items.flatMap((algorithm) =>
    listAllKernelNames([algorithm]).map((name) => {
      const how = leafOf(name.slice(algorithm.name.length + 1));
      return { name, what: `${algorithm.title}: ${how}`, source: algorithm.source };
    }),
  );
  const isOurs = (name: string) => unitKernels.some((kernel) => kernel.name === name);
  const isClient = (name: string) => clientKernels.some((kernel) => kernel.name === name);
  const others = known.names.flatMap((name) => (isClient(name) ? [] : (known.external(name) ?? [])));
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

export const listClients = (): ListedItem[] => clientKernels.map(clientOf);

function clientOf({ name, precision = 'f32' }: UserKernel): ListedItem {
  const { what, source } = lookUp(libraries, name.split(':')[0]) as (typeof libraries)[string];
  return { name, what: `${what}, in ${precision}`, source };
}
