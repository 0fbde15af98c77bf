import { OURS } from '../../base/registry.ts';
import { factor } from '../number-draws.ts';
import { tensorParameter } from '../parameters.ts';
import type { EpilogueStep } from '../step.ts';

/** True if a number may scale entries: others lose them. */
const isScale = (x: number): boolean => Number.isFinite(x) && x !== 0;

const SCALE_NEED = ', finite and not 0';

export const scale: EpilogueStep = {
  name: 'scale',
  what: 'multiplies by a number, a row of n or a column of m',
  source: OURS,
  parameters: { values: { ...tensorParameter('factors', 'any', isScale, SCALE_NEED), draw: factor } },
  main: 'values',
  isFactor: true,
  of: () => ({
    at: (x, by, reals) => reals.multiply(x, by('values')),
    shape: 'arithmetic',
    rounds: true,
  }),
};
