import { afterAll } from 'vitest';
import { algorithmRegistry } from '../src/algorithms/algorithms.ts';

/** A setup file: files of one process share its registries, and none meets what another has brought. */
afterAll(() => {
  for (const registry of [algorithmRegistry]) registry.adopt([]);
});
