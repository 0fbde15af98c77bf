import { isOfComplex } from '../algorithms/algorithms.ts';
import { unknownName } from '../base/messages.ts';
import { nearest } from '../base/nearest.ts';
import { leafFamilies } from '../gpu/wgsl/leaves/leaves.ts';
import { badKernel } from '../precision/messages.ts';
import { listAllKernelNames, listKernelNames } from './builtin-plan.ts';
import { builtinCaseItems, type CaseItems } from './case-items.ts';
import { unitKernels } from './subgroup-matrix/unit-kernels.ts';
import type { UserKernel } from './user-kernel.ts';

/** The kernels that can be named: built-in ones, and those of a config or a client; with registries of the names in their cases. */
export interface KernelCatalog extends CaseItems {
  /** Kernels beside the built-in ones. */
  readonly others: readonly UserKernel[];
  /** Kernel names, and patterns that stand for several. */
  readonly names: readonly string[];
  /**
   * Returns the kernels of a pattern: a full name, an algorithm or a library (`strassen`, `tfjs`), or a leaf (`:tiled`).
   * @throws ParanoiaError `unknown-name`
   */
  expand(pattern: string): readonly string[];
  /** Returns the user's kernel of a name; undefined for built-in ones. */
  external(name: string): UserKernel | undefined;
}

/**
 * Builds a catalog of kernels.
 * @param others kernels beside the built-in ones, checked already.
 * @param items registries of the names in cases.
 * @defaultValue the built-in ones
 * @param ofLibraries kernels of other libraries, which come with the package.
 * @defaultValue none
 * @throws ParanoiaError `bad-kernel` for two kernels of one name.
 */
export function makeKernelCatalog(
  others: readonly UserKernel[],
  items: CaseItems = builtinCaseItems,
  ofLibraries: readonly UserKernel[] = [],
): KernelCatalog {
  const own = [...unitKernels, ...others, ...ofLibraries];
  const algorithms = items.algorithms.items;
  const libraries = [...new Set(own.flatMap(({ name }) => libraryOf(name, items)))];
  const families = listKernelNames(algorithms);
  const everyOne = listAllKernelNames(algorithms);
  const byName = new Map(own.map((kernel) => [kernel.name, kernel]));
  const twice = own.find((kernel) => byName.get(kernel.name) !== kernel);
  const taken = own.find(
    ({ name }) => everyOne.includes(name) || items.algorithms.get(name) !== undefined || name.startsWith(':'),
  );
  for (const [kernel, why] of [
    [twice, whyTwice(others.filter(({ name }) => name === twice?.name).length)],
    [taken, 'a built-in kernel, algorithm or leaf has this name'],
  ] as const) {
    if (kernel !== undefined) throw badKernel({ kernel: `"${kernel.name}"`, why });
  }
  const patterns = [
    ...algorithms.map(({ name }) => name),
    ...leafFamilies.map((leaf) => `:${leaf}`),
    ...libraries,
  ];
  const names = [...patterns, ...everyOne, ...byName.keys()];
  return {
    ...{ ...items, others: [...others, ...ofLibraries], names },
    external: (name) => byName.get(name),
    expand(pattern) {
      if (byName.has(pattern)) return [pattern];
      if (libraries.includes(pattern)) {
        return [...byName.keys()].filter((name) => libraryOf(name, items).includes(pattern));
      }
      if (everyOne.includes(pattern)) return [pattern];
      const some = pattern.startsWith(':')
        ? listAllKernelNames(algorithms.filter((one) => !isOfComplex(one))).filter((name) =>
            name.endsWith(pattern),
          )
        : families.filter((name) => name.startsWith(`${pattern}:`));
      if (some.length > 0) return some;
      const close = nearest(pattern, names);
      const known = [...patterns, ...families, ...byName.keys()];
      throw unknownName({
        what: 'kernel',
        given: pattern,
        known: close === undefined ? known : [...new Set([close, ...known])],
      });
    },
  };
}

/** Explains why two kernels cannot share a name; `own` of them are the config's. */
const whyTwice = (own: number) =>
  own > 1
    ? 'the config has two of this name. Rename one'
    : 'gemm-paranoia already has one of this name. Rename the one in the config';

/** Returns the library of a kernel name: `tfjs` of `tfjs:wasm`. */
function libraryOf(name: string, { algorithms }: CaseItems): string[] {
  const library = name.slice(0, Math.max(0, name.indexOf(':')));
  return library === '' || algorithms.get(library) !== undefined ? [] : [library];
}

export const builtinCatalog: KernelCatalog = makeKernelCatalog([]);
