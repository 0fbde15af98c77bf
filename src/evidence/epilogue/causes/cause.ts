import { OURS } from '../../../base/registry.ts';
import { type ChainStep, type Epilogue, type GivenStep, givenSteps } from '../../../epilogue/chain.ts';
import { withSteps } from '../product-with-epilogue.ts';
import type { WeighedEpilogue } from '../weigh-epilogue.ts';

/** The computation of a mistake. */
export interface Alteration {
  /** Description of the mistake, as a clause: "gelu was skipped". */
  readonly says: string;
  /** Its steps; undefined where they do not fit the product. */
  readonly epilogue: Epilogue | undefined;
  /** Returns what the mistake adds to the sum of an entry. @defaultValue 0 */
  readonly added?: (i: number, j: number) => number;
}

/** A mistake in an epilogue that leaves a recognizable D. */
export interface EpilogueCause {
  /** The name that groups failures. */
  readonly name: string;
  readonly what: string;
  readonly source: string;
  /** Yields what the mistake would have computed, the likeliest first. */
  readonly alter: (weighed: WeighedEpilogue) => Iterable<Alteration>;
}

export type Step = Exclude<GivenStep, string>;

export const stepsOf = (epilogue: Epilogue): Step[] => givenSteps(epilogue) as Step[];

/** A step, and the steps that a mistake computed in its place: as given, or one with another function. */
export interface Replacement {
  readonly says: string;
  readonly by: readonly Step[] | ChainStep;
}

export const stepCause = (
  name: string,
  what: string,
  replace: (step: Step, chain: ChainStep, weighed: WeighedEpilogue) => Iterable<Replacement>,
): EpilogueCause => ({
  ...{ name, what, source: OURS },
  *alter(weighed) {
    const { epilogue } = weighed;
    const steps = stepsOf(epilogue);
    for (const [at, chain] of epilogue.steps.entries())
      for (const { says, by } of replace(steps[at], chain, weighed))
        yield {
          says,
          epilogue:
            'run' in by
              ? { ...epilogue, steps: epilogue.steps.with(at, by as ChainStep) }
              : withSteps(epilogue, steps.toSpliced(at, 1, ...(by as readonly Step[]))),
        };
  },
});
