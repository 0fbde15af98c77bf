import { wordParameter } from '../parameters.ts';
import type { EpilogueStep } from '../step.ts';
import { storedFormats } from './round.ts';
import { geluFunction, geluTanhFunction, type SmoothFunction, siluFunction, smoothStep } from './smooth.ts';

/** The orders of the halves of a gate. */
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
