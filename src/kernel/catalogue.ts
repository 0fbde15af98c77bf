import { algorithms } from '../algorithms/algorithms.ts';
import { leafFamilies } from '../gpu/leaves/leaves.ts';
import { nearest, problem } from '../problems.ts';
import { allBuiltinNames, builtinNames, expandKernels } from './builtin.ts';
import { unitKernels } from './unit-kernels.ts';
import type { UserKernel } from './user-kernel.ts';

/** Every kernel that can be named: the built-in ones, and those that a config or a client brings. */
export interface Catalogue {
  /** Names, and patterns that stand for several. */
  readonly names: readonly string[];
  /**
   * The kernels a pattern means: a full name, an algorithm or a library (`strassen`, `tfjs`), or a leaf (`:tiled`).
   * @throws Problem `unknown-name`
   */
  expand(pattern: string): readonly string[];
  /** The user's kernel of a name; undefined for built-in ones. */
  foreign(name: string): UserKernel | undefined;
}

/**
 * @param others kernels beside the built-in ones, checked already.
 * @throws Problem `bad-kernel` for two kernels of one name.
 */
export function catalogueOf(others: readonly UserKernel[]): Catalogue {
  const own = [...unitKernels, ...others];
  const byName = new Map(own.map((kernel) => [kernel.name, kernel]));
  const twice = own.find((kernel) => byName.get(kernel.name) !== kernel);
  const taken = own.find(({ name }) => allBuiltinNames.includes(name) || isPattern(name));
  for (const [kernel, why] of [
    [twice, 'another kernel has the same name'],
    [taken, 'a built-in kernel, algorithm or leaf has this name'],
  ] as const) {
    if (kernel !== undefined) throw problem('bad-kernel', { kernel: `"${kernel.name}"`, why });
  }
  const libraries = [...new Set(own.flatMap(({ name }) => libraryOf(name)))];
  const patterns = [
    ...algorithms.map(({ name }) => name),
    ...leafFamilies.map((leaf) => `:${leaf}`),
    ...libraries,
  ];
  const names = [...patterns, ...allBuiltinNames, ...byName.keys()];
  return {
    names,
    foreign: (name) => byName.get(name),
    expand(pattern) {
      if (byName.has(pattern)) return [pattern];
      if (libraries.includes(pattern)) {
        return [...byName.keys()].filter((name) => libraryOf(name).includes(pattern));
      }
      if (names.includes(pattern)) return expandKernels(pattern);
      const close = nearest(pattern, names);
      const known = [...patterns, ...builtinNames, ...byName.keys()];
      throw problem('unknown-name', {
        what: 'kernel',
        given: pattern,
        known: close === undefined ? known : [...new Set([close, ...known])],
      });
    },
  };
}

const isPattern = (name: string) =>
  algorithms.some((algorithm) => algorithm.name === name) || name.startsWith(':');

/** `tfjs` of `tfjs:wasm`. */
function libraryOf(name: string): string[] {
  const at = name.indexOf(':');
  return at < 1 || algorithms.some((algorithm) => name.startsWith(`${algorithm.name}:`))
    ? []
    : [name.slice(0, at)];
}

/** The built-in kernels alone. */
export const builtinCatalogue: Catalogue = catalogueOf([]);
