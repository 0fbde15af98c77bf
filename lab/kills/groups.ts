import { isDeepStrictEqual } from 'node:util';
import { defaultCampaign } from '../../src/gate/campaign.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import { makeKernelCatalog } from '../../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { budgets } from '../../src/run/budget.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import type { Specimen } from './specimens.ts';

/** The halves of the corpora: by the first the order of cases is learned, by the second it is only measured. */
export const halves = ['learned', 'measured'] as const;
export type Half = (typeof halves)[number];

/** Wrong kernels that get the same cases: those of one half with the same precision, features and claims. */
export interface SpecimenGroup {
  readonly half: Half;
  /** The seed of the drawn cases, another one for each half. */
  readonly seed: number;
  /** The fields that decide the cases, of any of the kernels. */
  readonly spec: Omit<FunctionKernel, 'multiply'>;
  readonly specimens: readonly Specimen[];
}

/** The name of all kernels in the cases of a group. */
const NAME = 'specimen';

/** Functions of kernels that do not decide their cases. */
const FUNCTIONS = ['multiply', 'prepare', 'release', 'versions'];

/** Returns the fields of a kernel that decide its cases. */
function specOf(kernel: FunctionKernel): SpecimenGroup['spec'] {
  const { timeLimit: _, ...fields } = kernel;
  const decisive = Object.entries(fields).filter(
    ([key, value]) =>
      !FUNCTIONS.includes(key) &&
      (typeof value !== 'function' || key === 'multiplyGroup') &&
      value !== undefined,
  );
  const spec = decisive.map(([key, value]) => [key, key === 'multiplyGroup' ? true : value]);
  return { ...Object.fromEntries(spec.filter(([key]) => SPEC.includes(key as string))), name: NAME };
}
const SPEC = ['precision', 'accepts', 'claims', 'entries', 'scales', 'multiplyGroup'];

/** True if another process plans the same cases: a claim that is a function cannot be sent. */
const isSendable = (spec: SpecimenGroup['spec']): boolean =>
  isDeepStrictEqual(spec, JSON.parse(JSON.stringify(spec)));

/** Groups kernels by half, and by the fields that decide their cases. Those that cannot be sent to other processes are left out. */
export function groupSpecimens(
  all: readonly { readonly specimen: Specimen; readonly kernel: FunctionKernel }[],
  seed: number,
): SpecimenGroup[] {
  const halfOf = splitCorpora(all.map(({ specimen }) => specimen));
  const groups = new Map<string, SpecimenGroup & { readonly specimens: Specimen[] }>();
  for (const { specimen, kernel } of all) {
    const half = halfOf.get(specimen) as Half;
    const spec = specOf(kernel);
    if (!isSendable(spec)) continue;
    const key = JSON.stringify([half, spec]);
    const group = groups.get(key) ?? { half, seed: seed + halves.indexOf(half), spec, specimens: [] };
    groups.set(key, group);
    group.specimens.push(specimen);
  }
  return [...groups.values()];
}

/** Splits each class of faults of each corpus into halves, by a hash of the names. */
export function splitCorpora(all: readonly Specimen[]): Map<Specimen, Half> {
  const turns = new Map<string, number>();
  const inOrder = [...all].sort((x, y) => hashOf(x.name) - hashOf(y.name));
  return new Map(
    inOrder.map((specimen) => {
      const key = `${specimen.corpus} ${specimen.fault}`;
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      return [specimen, halves[turn % 2]];
    }),
  );
}

/** Hashes a text: FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) as number), 0x01000193);
  return state >>> 0;
}

/** The kernel of a group, as plans see it. */
export const plannedKernel = ({ spec }: Pick<SpecimenGroup, 'spec'>): FunctionKernel => ({
  ...spec,
  ...('multiplyGroup' in spec ? { multiplyGroup: (all) => all.map(({ d }) => d) } : {}),
  multiply: (_, __, ___, ____, d) => d,
});

/** Plans the cases of the default gate for the kernels of a group. */
export function planGroup(group: Pick<SpecimenGroup, 'seed' | 'spec'>): PlannedCase[] {
  const usual = budgets.find(({ name }) => name === 'usual') as (typeof budgets)[number];
  const draws = { ...usual, seed: group.seed };
  return planCampaign(
    { ...defaultCampaign, kernels: [NAME], draws },
    makeKernelCatalog([plannedKernel(group)]),
  );
}
