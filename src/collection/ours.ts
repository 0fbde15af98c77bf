import { algorithmRegistry, isOfComplex } from '../algorithms/algorithms.ts';
import type { Collected } from './collected.ts';
import { collectedFrom } from './from-rows.ts';

/** The built-in algorithms, as tables of the collection. Strassen's has a file as well. */
export const ours: readonly Collected[] = algorithmRegistry.items
  .filter((one) => !isOfComplex(one))
  .map((algorithm) =>
    collectedFrom(
      {
        name: algorithm.name,
        title: algorithm.title,
        origin: algorithm.name === 'classical' ? 'classical' : 'published',
        source: algorithm.source ?? '',
        licence: 'MIT',
      },
      algorithm,
    ),
  );
