import type { Fingerprint } from '../device.ts';
import type { SizedRates, Tuning } from './tuning.ts';

/** What was measured of one adapter, for all of its kind. */
interface Table {
  readonly what: string;
  fits(adapter: Pick<Fingerprint, 'kind' | 'vendor' | 'name'>): boolean;
  readonly rates: readonly SizedRates[];
}

/** Adapters that no table fits take the block shape of `register` that wastes least. */
const tables: readonly Table[] = [];

/** The tuning that comes with this package for an adapter; undefined where none does. */
export function builtInTuning(adapter: Pick<Fingerprint, 'kind' | 'vendor' | 'name'>): Tuning | undefined {
  const table = tables.find(({ fits }) => fits(adapter));
  return table && { because: `the table for ${table.what}`, rates: table.rates };
}
