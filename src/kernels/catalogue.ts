import { algorithmRegistry, isOfComplex } from '../algorithms/algorithms.ts';
import { unknownName } from '../base/messages.ts';
import { nearest } from '../base/nearest.ts';
import type { Registry } from '../base/registry.ts';
import { leafFamilies } from '../gpu/wgsl/leaves/leaves.ts';
import { badKernel } from '../precision/messages.ts';
import type { Precision } from '../precision/precision.ts';
import { precisions as builtinPrecisions } from '../precision/precisions.ts';
import { allNamesOf, namesOf } from './builtin-plan.ts';
import { unitKernels } from './subgroup-matrix/unit-kernels.ts';
import type { UserKernel } from './user-kernel.ts';

/** Every kernel that can be named: the built-in ones, and those that a config or a client brings. */
export interface Catalogue {
  /** Names, and patterns that stand for several. */
  readonly names: readonly string[];
  /**
   * The kernels a pattern means: a full name, an algorithm or a library (`strassen`, `tfjs`), or a leaf (`:tiled`).
   * @throws ParanoiaError `unknown-name`
   */
  expand(pattern: string): readonly string[];
  /** What cases may be computed in. */
  readonly precisions: Registry<Precision>;
  /** The user's kernel of a name; undefined for built-in ones. */
  external(name: string): UserKernel | undefined;
}

/**
 * @param others kernels beside the built-in ones, checked already.
 * @param precisions the built-in ones, or those with more of a user's.
 * @throws ParanoiaError `bad-kernel` for two kernels of one name.
 */
export function catalogueOf(
  others: readonly UserKernel[],
  precisions: Registry<Precision> = builtinPrecisions,
): Catalogue {
  const own = [...unitKernels, ...others];
  const algorithms = algorithmRegistry.items;
  const [everyOne, families] = [allNamesOf(algorithms), namesOf(algorithms)];
  const ofAny = allNamesOf(algorithms.filter((one) => !isOfComplex(one)));
  const byName = new Map(own.map((kernel) => [kernel.name, kernel]));
  const twice = own.find((kernel) => byName.get(kernel.name) !== kernel);
  const taken = own.find(({ name }) => everyOne.includes(name) || isPattern(name));
  for (const [kernel, why] of [
    [twice, 'another kernel has the same name'],
    [taken, 'a built-in kernel, algorithm or leaf has this name'],
  ] as const) {
    if (kernel !== undefined) throw badKernel({ kernel: `"${kernel.name}"`, why });
  }
  const libraries = [...new Set(own.flatMap(({ name }) => libraryOf(name)))];
  const patterns = [
    ...algorithms.map(({ name }) => name),
    ...leafFamilies.map((leaf) => `:${leaf}`),
    ...libraries,
  ];
  const names = [...patterns, ...everyOne, ...byName.keys()];
  return {
    names,
    precisions,
    external: (name) => byName.get(name),
    expand(pattern) {
      if (byName.has(pattern)) return [pattern];
      if (libraries.includes(pattern)) {
        return [...byName.keys()].filter((name) => libraryOf(name).includes(pattern));
      }
      if (everyOne.includes(pattern)) return [pattern];
      const some = pattern.startsWith(':')
        ? ofAny.filter((name) => name.endsWith(pattern))
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

const isPattern = (name: string) =>
  algorithmRegistry.items.some((algorithm) => algorithm.name === name) || name.startsWith(':');

/** `tfjs` of `tfjs:wasm`. */
function libraryOf(name: string): string[] {
  const at = name.indexOf(':');
  return at < 1 || algorithmRegistry.items.some((algorithm) => name.startsWith(`${algorithm.name}:`))
    ? []
    : [name.slice(0, at)];
}

/** The built-in kernels alone. */
export const builtinCatalogue: Catalogue = catalogueOf([]);
