import { registryOf } from '../../base/registry.ts';
import { type Format, f32 } from '../../precision/format.ts';
import { formats } from '../../precision/formats/formats.ts';
import { wordParameter } from '../parameters.ts';
import type { EpilogueStep } from '../step.ts';
import { geluFunction, geluTanhFunction, type SmoothFunction, siluFunction, smoothStep } from './smooth.ts';

/** The formats to which entries may be rounded between steps. */
const storedFormats = registryOf<Pick<Format, 'round'> & { readonly name: string; readonly what: string }>(
  'format',
  [{ ...f32, what: 'binary32' }, ...['f16', 'bf16', 'e4m3', 'e5m2'].map((name) => formats.find(name))],
);

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

const gateOrders = ['gate-first', 'gate-last'] as const;

const gate = (name: string, what: string, by: SmoothFunction): EpilogueStep => {
  const about = {
    name,
    what: `${what} of half the columns, times the other half`,
    source: 'Shazeer, GLU variants improve transformer, 2020',
  };
  const { parameters, of: activation, ...step } = smoothStep(about, by);
  return {
    ...step,
    parameters: {
      order: wordParameter('half that gates', gateOrders, 'gate-first'),
      stored: wordParameter(
        'format of the activated half',
        ['unrounded', ...storedFormats.names],
        'unrounded',
      ),
      ...parameters,
    },
    of({ stored, ...settings }) {
      const run = activation(settings);
      return stored === 'unrounded' ? run : { ...run, stored: storedFormats.find(stored as string).round };
    },
    main: 'order',
    isGate: true,
  };
};

export const swiglu = gate('swiglu', 'silu', siluFunction);
export const geglu = gate('geglu', 'gelu', geluFunction);
export const gegluTanh = gate('geglu-tanh', 'gelu-tanh', geluTanhFunction);
