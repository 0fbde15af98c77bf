import { algorithmRegistry, isOfComplex } from '../algorithms/algorithms.ts';
import type { CollectionTable } from './collected.ts';
import { makeCollectionTable } from './from-rows.ts';

/** The built-in algorithms, as tables of the collection. Strassen's has a file as well. */
export const ours: readonly CollectionTable[] = algorithmRegistry.items
  .filter((one) => !isOfComplex(one))
  .map((algorithm) =>
    makeCollectionTable(
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
