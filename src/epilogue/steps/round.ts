import { registryOf } from '../../base/registry.ts';
import { type Format, f32 } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import { wordParameter } from '../parameters.ts';
import type { EpilogueStep } from '../step.ts';

/** The formats to which entries may be rounded between steps. */
export const storedFormats = registryOf<
  Pick<Format, 'round'> & { readonly name: string; readonly what: string }
>('format', [
  { ...f32, what: 'binary32' },
  ...['f16', 'bf16', 'e4m3', 'e5m2'].map((name) => formats.find(name)),
]);

/** Rounds entries to a format between other steps, as unfused kernels do. */
export const round: EpilogueStep = {
  name: 'round',
  what: 'rounds to a format, as kernels that store between steps',
  source: 'IEEE 754-2019, §4.3.1',
  parameters: { to: wordParameter('format', storedFormats.names) },
  main: 'to',
  of({ to }) {
    const format = storedFormats.find(to as string);
    return { at: (x, _, reals) => reals.rounded(x, format.round), shape: 'monotonic', rounds: false };
  },
};
