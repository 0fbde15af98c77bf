import type fc from 'fast-check';
import { it } from 'vitest';
import { type Arbitraries, checkLaw, type LawOptions, type Property, readRunFactor } from './check-law.ts';

/** Declares a law as a test. */
export interface Law {
  <T extends [unknown, ...unknown[]]>(
    title: string,
    arbitraries: Arbitraries<T>,
    property: Property<NoInfer<T>>,
  ): void;
  <T extends [unknown, ...unknown[]]>(
    title: string,
    arbitraries: Arbitraries<T>,
    options: LawOptions<NoInfer<T>>,
    property: Property<NoInfer<T>>,
  ): void;
}

type Declaring = typeof it | typeof it.skip | typeof it.only;
type AnyProperty = Property<readonly unknown[]>;

const declared = (test: Declaring): Law => {
  return (
    title: string,
    arbitraries: readonly fc.Arbitrary<unknown>[],
    ...rest: [AnyProperty] | [LawOptions, AnyProperty]
  ) => {
    const [options, property] = rest.length === 1 ? [{}, rest[0]] : rest;
    const { timeout } = options;
    const limit = timeout === undefined ? {} : { timeout: timeout * Math.max(1, readRunFactor()) };
    test(title, limit, async ({ expect }) => {
      const broken = await checkLaw(arbitraries, property, options, expect.getState());
      if (broken !== undefined) throw broken;
    });
  };
};

/**
 * Declares a law as a Vitest test: `property` must hold for all values that the arbitraries draw.
 *
 * ```ts
 * law('a row of zeros gives a row of zeros', [operands({ max: 32 })], ({ a, b }) => …);
 * ```
 *
 * A failure is shrunk, and prints the command that replays it. PARANOIA_SEED and PARANOIA_PATH apply to every law that
 * runs, so the command names the test. PARANOIA_RUNS multiplies the runs.
 */
export const law: Law & { readonly only: Law; readonly skip: Law } = Object.assign(declared(it), {
  only: declared(it.only),
  skip: declared(it.skip),
});
