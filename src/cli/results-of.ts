import { RESULTS_SCHEMA, type Results } from '../gate/results.ts';
import type { Machine } from '../gpu/device.ts';
import { packageVersion } from './version.ts';

/** The parts of a results file that come from running. */
type Outcome = Omit<
  Results,
  'schema' | 'createdAt' | 'version' | 'command' | 'seed' | 'adapter' | 'arithmetic'
>;

/** A results file: what was found, stamped with what it was found on, when and by which command. */
export function resultsOf(open: Machine, seed: number, outcome: Outcome): Results {
  const { fingerprint, arithmetic, chosenBecause } = open;
  return {
    schema: RESULTS_SCHEMA,
    createdAt: new Date().toISOString(),
    version: packageVersion(),
    command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '),
    seed,
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
