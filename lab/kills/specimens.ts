import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { type CorpusKernelSource, listCorpusKernels } from '../graders/corpora.ts';
import { patchedMutants } from './patched-mutants.ts';

/** The corpora of wrong kernels, in the order of the tables. */
export const specimenCorpora = [
  'history',
  'mutants',
  'cheats',
  'whole',
  'recursions',
  'formats',
  'strangers',
] as const;
export type SpecimenCorpus = (typeof specimenCorpora)[number];

/** The source of a wrong kernel: that of the graders, or a file of its own with a precision beside it. */
export interface SpecimenSource extends CorpusKernelSource {
  readonly precision?: string | undefined;
}

/** A wrong kernel. */
export interface Specimen {
  readonly name: string;
  readonly corpus: SpecimenCorpus;
  /** The class of its fault: that of the graders, else its corpus. */
  readonly fault: string;
  /** True if earlier products may change its answers, so that every case gets a new instance. */
  readonly hasState: boolean;
  readonly source: SpecimenSource;
}

/** Seeds of the mutants. */
export interface MutantSeeds {
  readonly seeds: readonly number[];
  /** Mutants of each seed. */
  readonly each: number;
}

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const at = (path: string) => new URL(path, FIXTURES).href;

/** Lists the wrong kernels of some corpora. */
export async function listSpecimens(
  wanted: readonly SpecimenCorpus[],
  mutants: MutantSeeds,
): Promise<Specimen[]> {
  const made: Readonly<Record<SpecimenCorpus, () => Promise<Specimen[]>>> = {
    history: () => ofGraders('history', { seed: 0, mutants: 0 }),
    mutants: async () => {
      const all = mutants.seeds.map((seed) => ofGraders('mutants', { seed, mutants: mutants.each }));
      return (await Promise.all(all)).flat();
    },
    cheats: async () => [
      ...(await ofGraders('cheats', { seed: 0, mutants: 0 })),
      ...(await inFile('cheats', 'adversary/cheats-4.js', true)),
      ...(await inFile('cheats', 'adversary/cheats-5.js', true)),
    ],
    whole: async () => [
      ...(await inFile('whole', 'gemm-kernels/first.js')),
      ...(await inFile('whole', 'gemm-kernels/second.js')),
    ],
    recursions: () => inFile('recursions', 'fast-kernels/first.js'),
    formats: async () => formats(),
    strangers: async () => [
      ...strangers('history', javaScriptIn(at('strangers/history/'))),
      ...strangers('mutants', patchedMutants(at('strangers/mutants/'))),
    ],
  };
  return (await Promise.all(wanted.map((corpus) => made[corpus]()))).flat();
}

async function ofGraders(
  corpus: 'history' | 'mutants' | 'cheats',
  options: Parameters<typeof listCorpusKernels>[1],
): Promise<Specimen[]> {
  const all = await listCorpusKernels([corpus], options);
  return all.map(({ name, fault = corpus, source }) => ({
    ...{ name, corpus, fault, source },
    hasState: fault === 'repetition' || fault === 'cheats',
  }));
}

async function inFile(corpus: SpecimenCorpus, path: string, hasState = false): Promise<Specimen[]> {
  const all = kernelsIn(await import(at(path)));
  return [...all.keys()].map((name) => ({
    ...{ name: `${corpus}/${name}`, corpus, fault: corpus, hasState },
    source: { file: at(path), name },
  }));
}

/** The kernels of other formats. Those that need further flags of the gate are left out. */
function formats(): Specimen[] {
  const folder = 'formats/strangers/';
  const text = readFileSync(new URL(`${folder}faults/index.json`, FIXTURES), 'utf8');
  const all: { file: string; precision?: string; args?: unknown }[] = JSON.parse(text);
  return all.flatMap(({ file, precision, args }) =>
    args !== undefined
      ? []
      : {
          ...{ name: file, corpus: 'formats', fault: 'formats', hasState: false },
          source: { file: at(`${folder}${file}`), name: 'default', precision },
        },
  );
}

/** Kernels by people who had not read the checks. Each may have state. */
const strangers = (kind: string, files: readonly string[]): Specimen[] =>
  files.map((file) => ({
    ...{ name: `strangers/${basename(file, '.mjs')}`, corpus: 'strangers', fault: `strangers' ${kind}` },
    ...{ hasState: true, source: { file, name: 'default' } },
  }));

const javaScriptIn = (folder: string): string[] =>
  readdirSync(new URL(folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => new URL(name, folder).href);

/** The wrong kernels of a module by their names: those of its `faults`, else of all its lists; or its default export. */
function kernelsIn(module: Readonly<Record<string, unknown>>): Map<string, FunctionKernel> {
  const lists = 'faults' in module ? [module.faults] : Object.values(module);
  const found = lists.flat().flatMap((one) => {
    const kernel = isKernel(one) ? one : (one as { kernel?: unknown } | undefined)?.kernel;
    return isKernel(kernel) && !kernel.name.startsWith('honest') ? [kernel] : [];
  });
  return new Map(found.map((kernel) => [kernel.name, kernel]));
}

const isKernel = (one: unknown): one is FunctionKernel =>
  typeof one === 'object' && one !== null && 'multiply' in one && 'name' in one;

let loads = 0;

/**
 * Loads kernels, each file once.
 * @param isFresh true if their modules are loaded anew, so that the kernels have no state.
 */
export async function loadSpecimens(
  specimens: readonly Specimen[],
  isFresh = false,
): Promise<FunctionKernel[]> {
  const modules = new Map<string, Promise<Readonly<Record<string, unknown>>>>();
  const load = isFresh ? loads++ : undefined;
  const moduleOf = (file: string) => {
    const known = modules.get(file) ?? import(load === undefined ? file : `${file}?fresh=${load}`);
    modules.set(file, known);
    return known;
  };
  return Promise.all(
    specimens.map(async ({ corpus, source: { file, name, drawn, precision } }) => {
      if (drawn !== undefined) return (await import(file)).drawn(...drawn).kernel as FunctionKernel;
      const module = await moduleOf(file);
      if (name === 'default') return fromDefault(module.default, precision);
      const kernel = kernelsIn(module).get(name) as FunctionKernel;
      return corpus === 'whole' ? { ...kernel, accepts: 'everything' } : kernel;
    }),
  );
}

const fromDefault = (exported: unknown, precision: string | undefined): FunctionKernel =>
  typeof exported === 'function'
    ? { name: 'default', precision, multiply: exported as FunctionKernel['multiply'] }
    : { ...(exported as FunctionKernel), ...(precision === undefined ? {} : { precision }) };
