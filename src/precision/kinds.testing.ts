import type { Precision } from './precision.ts';
import { precisions } from './precisions.ts';

/** Of those of coded operands whose results are narrower than sums, which all end alike, some of each make. */
const NARROWED = ['e4m3-row-f32-bf16', 'nvfp4-f32-f16', 'int8-row-zeros-f32-bf16', 'nbits4-f16-f32-f16'];

/** One of each kind of precision: what loops over them need not meet the same last rounding again and again. */
export const kindsOfPrecisions: readonly Precision[] = precisions.items.filter(
  ({ name, coded, d, accumulated }) =>
    coded === undefined || d.precision === accumulated.precision || NARROWED.includes(name),
);

export const kindNames: readonly string[] = kindsOfPrecisions.map(({ name }) => name);
