import { VERSION } from '../base/version.ts';
import type { Machine } from '../gpu/device.ts';
import type { Results } from './results.ts';
import { RESULTS_SCHEMA } from './results-schema.ts';

/** The parts of results that come from running. */
export type UnstampedResults = Omit<
  Results,
  'schema' | 'createdAt' | 'version' | 'command' | 'seed' | 'adapter' | 'arithmetic'
>;

/** Stamps an outcome with its machine, its time and its command. */
export function stampResults(
  { fingerprint, arithmetic, chosenBecause }: Machine,
  made: Pick<Results, 'seed' | 'command'>,
  outcome: UnstampedResults,
): Results {
  return {
    schema: RESULTS_SCHEMA,
    createdAt: new Date().toISOString(),
    version: VERSION,
    ...made,
    adapter: {
      ...fingerprint,
      features: [...fingerprint.features],
      toggles: [...fingerprint.toggles],
      chosenBecause,
    },
    arithmetic: { ...arithmetic },
    ...outcome,
  };
}
