import { readdirSync } from 'node:fs';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import type { HistoricBug } from '../history/rates.ts';
import { classOfHistory, classOfMutant, type HistoricFields, type Mutant } from './classes.ts';
import type { CorpusKernel, CorpusName } from './outcome.ts';

/** The module of a kernel, and the kernel in it: by its name, or drawn from three numbers. */
export interface CorpusKernelSource {
  readonly file: string;
  readonly name: string;
  readonly drawn?: readonly [seed: number, number: number, attempt: number];
}

/** A kernel of a corpus and its source. */
export type SourcedKernel = CorpusKernel & { readonly source: CorpusKernelSource };

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const HISTORY = new URL('history/', FIXTURES);
const ADVERSARY = new URL('adversary/', FIXTURES);

interface Listed {
  readonly what: string;
  readonly kernel: FunctionKernel;
}

/** The records in the lists that a module exports. */
const recordsIn = (module: Readonly<Record<string, unknown>>): Listed[] =>
  Object.values(module)
    .flat()
    .filter((one): one is Listed => typeof one === 'object' && one !== null && 'kernel' in one);

/** The kernels of some corpora; mutants are drawn from a seed. */
export async function listCorpusKernels(
  wanted: readonly CorpusName[],
  { seed, mutants }: { readonly seed: number; readonly mutants: number },
): Promise<SourcedKernel[]> {
  const made: Readonly<Record<CorpusName, () => Promise<SourcedKernel[]>>> = {
    history: historyOf,
    mutants: () => mutantsOf(mutants, seed),
    cheats: () => listed('cheats', ['cheats.js', 'cheats-2.js', 'cheats-3.js']),
    honest: () => listed('honest', ['honest.js', 'honest-2.js']),
  };
  const all: SourcedKernel[] = [];
  for (const corpus of wanted) all.push(...(await made[corpus]()));
  return all;
}

async function historyOf(): Promise<SourcedKernel[]> {
  const { bugs } = (await import(new URL('bugs.js', HISTORY).href)) as {
    readonly bugs: readonly (HistoricBug & HistoricFields)[];
  };
  const files = readdirSync(HISTORY).filter((file) => file.endsWith('.js') && file !== 'bugs.js');
  const fileOf = new Map<string, string>();
  for (const file of files) {
    const url = new URL(file, HISTORY).href;
    for (const { kernel } of recordsIn(await import(url))) fileOf.set(kernel.name, url);
  }
  return bugs.map((bug) => ({
    ...{ name: bug.id, corpus: 'history', what: bug.what, fault: classOfHistory(bug) },
    isUnseen: bug.half === 'unseen',
    source: { file: fileOf.get(bug.id) as string, name: bug.id },
  }));
}

interface Drawn extends Listed, Mutant {
  readonly seed: number;
  readonly number: number;
  readonly attempt: number;
}

async function mutantsOf(count: number, from: number): Promise<SourcedKernel[]> {
  const file = new URL('mutants.js', ADVERSARY).href;
  const { mutants } = (await import(file)) as { mutants(count: number, seed: number): readonly Drawn[] };
  return mutants(count, from).map(({ kernel: { name }, what, seed, number, attempt, ...mutant }) => ({
    ...{ name, corpus: 'mutants', what, fault: classOfMutant(mutant) },
    source: { file, name, drawn: [seed, number, attempt] },
  }));
}

async function listed(corpus: 'cheats' | 'honest', files: readonly string[]): Promise<SourcedKernel[]> {
  const all: SourcedKernel[] = [];
  for (const file of files) {
    const url = new URL(file, ADVERSARY).href;
    for (const { kernel, what } of recordsIn(await import(url))) {
      const { arithmetic, algorithm, recursion } = kernel.claims ?? {};
      all.push({
        ...{ name: kernel.name, corpus, what },
        ...(corpus === 'cheats'
          ? { fault: 'cheats' as const }
          : { isClaimed: [arithmetic, algorithm, recursion].some((claim) => claim !== undefined) }),
        source: { file: url, name: kernel.name },
      });
    }
  }
  return all;
}

let loads = 0;

/** A kernel from a newly loaded module, so that it has no state. */
export async function freshKernel({ file, name, drawn }: CorpusKernelSource): Promise<FunctionKernel> {
  if (drawn !== undefined) return (await import(file)).drawn(...drawn).kernel;
  const module = await import(`${file}?fresh=${loads++}`);
  return (recordsIn(module).find(({ kernel }) => kernel.name === name) as Listed).kernel;
}

/** A config that defines a kernel, as a user would write it. */
export function configOf({ file, name, drawn }: CorpusKernelSource): string {
  const kernel =
    drawn === undefined
      ? `Object.values(all).flat().find((one) => one?.kernel?.name === ${JSON.stringify(name)}).kernel`
      : `all.drawn(${drawn.join(', ')}).kernel`;
  return `import * as all from ${JSON.stringify(file)};\n\nexport default { kernels: [${kernel}] };\n`;
}
