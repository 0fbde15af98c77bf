import { problem } from '../problems.ts';
import type { Algorithm } from './algorithm.ts';
import { classical } from './classical.ts';
import { strassen } from './strassen.ts';
import { winograd } from './winograd.ts';

/** Every algorithm the plans, kernels and gate know. A new one is a data file and a line here. */
export const algorithms: readonly Algorithm[] = [classical, strassen, winograd];

/** The algorithm of that name. @throws Problem `unknown-name` */
export function findAlgorithm(name: string): Algorithm {
  const found = algorithms.find((algorithm) => algorithm.name === name);
  if (found === undefined) {
    throw problem('unknown-name', {
      what: 'algorithm',
      given: name,
      known: algorithms.map((algorithm) => algorithm.name),
    });
  }
  return found;
}
