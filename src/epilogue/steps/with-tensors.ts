import { OURS } from '../../base/registry.ts';
import { addend, factor, tensorParameter } from '../parameters.ts';
import type { EpilogueStep, StepFunction } from '../step.ts';

const sum: StepFunction = {
  at: (x, by, reals) => reals.add(x, by('values')),
  shape: 'arithmetic',
  rounds: true,
};

export const bias: EpilogueStep = {
  name: 'bias',
  what: 'adds a number, a row of n or a column of m entries',
  source: OURS,
  parameters: { values: { ...tensorParameter('numbers to add', 'any'), draw: addend } },
  main: 'values',
  isAddend: true,
  of: () => sum,
};

export const residual: EpilogueStep = {
  name: 'residual',
  what: 'adds a matrix of the shape of D',
  source: OURS,
  parameters: { values: { ...tensorParameter('matrix to add', 'all'), draw: addend } },
  main: 'values',
  isAddend: true,
  of: () => sum,
};

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
