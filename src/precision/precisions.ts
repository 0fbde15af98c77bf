import { type OpenRegistry, OURS, openRegistry } from '../base/registry.ts';
import { codings } from './coding/codings.ts';
import { scaledPrecision } from './coding/scaled-precision.ts';
import { complexDouble, complexSingle } from './complex.ts';
import { definePrecision } from './define-precision.ts';
import { doublePrecision } from './double.ts';
import { bf16, type Format, f16, f32, tf32 } from './format.ts';
import { halfPrecision } from './half.ts';
import { pairPrecision } from './pairs.ts';
import type { Precision } from './precision.ts';
import { singlePrecision } from './single.ts';

/** As the matrix units of GPUs compute. */
const mixed = (multiplied: Format): Precision =>
  definePrecision({
    name: `${multiplied.name}-f32`,
    what: `binary32 entries, rounded to ${multiplied.name} before they are multiplied, summed in binary32`,
    source: OURS,
    stored: f32,
    multiplied,
  });

/** The precisions of this package. A config may bring more. */
export const precisions: OpenRegistry<Precision> = openRegistry('precision', [
  singlePrecision,
  halfPrecision,
  mixed(f16),
  mixed(bf16),
  mixed(tf32),
  doublePrecision,
  pairPrecision,
  ...codings.items.map(scaledPrecision),
  complexSingle,
  complexDouble,
]);

/** Whether the entries of a precision are complex; one that is not known has none. */
export const isComplex = (name: string): boolean =>
  precisions.items.some((one) => one.name === name && one.complex === true);

/** The names of ours. */
export const precisionNames: readonly string[] = precisions.items.map(({ name }) => name);
