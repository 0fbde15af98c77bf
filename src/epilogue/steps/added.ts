import { OURS } from '../../base/registry.ts';
import { addend } from '../number-draws.ts';
import { tensorParameter } from '../parameters.ts';
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
