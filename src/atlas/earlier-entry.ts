import { type KeyRenames, renameKeys } from '../base/rename-keys.ts';
import { ENTRY_SCHEMA } from './entry.ts';

/** The id of the schema before {@link ENTRY_SCHEMA}. Its entries differ in the names of keys alone. */
export const EARLIER_ENTRY_SCHEMA = 'gemm-paranoia/atlas/1';

/** The new names of the keys of an earlier entry. */
export const entryRenames: KeyRenames = {
  'kernels[].cases[]': { failing: 'failedChecks', mirror: 'equalsModel', checked: 'checkedShare' },
  'kernels[].counts': { mirrored: 'comparedWithModel', mirrorEqual: 'equalToModel' },
  'kernels[]': { shown: 'findings', disproved: 'contradictions' },
  arithmetic: { modelled: 'modeled' },
  run: { leftOut: 'skipped' },
  '': { said: 'description' },
};

/** Turns the parsed JSON of an earlier entry into that of {@link ENTRY_SCHEMA}, in place. Its hash stays that of the earlier text. */
export function upgradeEntry(value: { schema?: unknown }): void {
  renameKeys(value, entryRenames);
  value.schema = ENTRY_SCHEMA;
}
