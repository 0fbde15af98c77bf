import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import { place } from './own-items.ts';

/** The algorithms of a config, whose equations and schedules are checked. */
export const ofAlgorithms = place('algorithms', algorithmRegistry, defineAlgorithm);
