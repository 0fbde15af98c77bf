import { type KeyRenames, renameKeys } from '../base/objects.ts';

/** Schema version of results. Files with another major version are refused. */
export const RESULTS_SCHEMA = 'gemm-paranoia/results/3';

/** Schema version before {@link RESULTS_SCHEMA}. Its files differ in the names of keys alone. */
export const EARLIER_RESULTS_SCHEMA = 'gemm-paranoia/results/2';

const measures = { normalisedMax: 'normalizedMax', normalisedMean: 'normalizedMean' };

/** The new names of the keys of an inspection. */
export const inspectionRenames = { measured: 'measures' };

/** The new names of the keys of earlier results. */
export const resultsRenames: KeyRenames = {
  'cases[].exact': measures,
  'cases[].ideal': measures,
  'cases[].quantisation.coding': measures,
  'cases[].quantisation.endToEnd': measures,
  'cases[]': {
    quantisation: 'quantization',
    mirrorEqual: 'equalsModel',
    checked: 'checkedShare',
    waived: 'waiver',
    took: 'judgingSeconds',
  },
  arithmetic: { modelled: 'modeled' },
  summary: { mirrored: 'comparedWithModel', mirrorEqual: 'equalToModel' },
  'groups[]': { shrunk: 'smallerExample' },
  'inspections[]': inspectionRenames,
  'fuzz.findings[]': { drawn: 'drawnCase' },
  '': { leftOut: 'skipped', merged: 'mergedRuns' },
};

/** Turns the parsed JSON of earlier results into that of {@link RESULTS_SCHEMA}, in place. */
export function upgradeResults(value: { schema?: unknown }): void {
  renameKeys(value, resultsRenames);
  value.schema = RESULTS_SCHEMA;
}
