import type { Precision } from './precision.ts';
import { precisions } from './precisions.ts';

/** Some of each make of the precisions of coded operands whose results are narrower than sums; all of these end alike. */
const NARROWED = ['e4m3-row-f32-bf16', 'nvfp4-f32-f16', 'int8-row-zeros-f32-bf16', 'nbits4-f16-f32-f16'];

/** One precision of each kind: a loop over them need not repeat the same final rounding. */
export const kindsOfPrecisions: readonly Precision[] = precisions.items.filter(
  ({ name, coded, d, accumulated }) =>
    coded === undefined || d.precision === accumulated.precision || NARROWED.includes(name),
);

export const kindNames: readonly string[] = kindsOfPrecisions.map(({ name }) => name);
