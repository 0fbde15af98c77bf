import type { Step } from '../../plan/plan.ts';
import { type Fault, faultsIn } from './fault.ts';

const batchOf = (step: Step) => (step.kind === 'multiply' ? step.primitive?.batch : undefined);

/** Faults of fused products: in their sums of blocks, their updates, their edges and their batches. */
export const fusedFaults: readonly Fault[] = [
  ...faultsIn('schedule', 'strassen:fused', [1], {
    'fused-term-lost': {
      what: 'the last block of every sum in A is left out',
      pointsAt: /entries|everything|quadrants?|parts?/,
      edits: [[/(fn readX[\s\S]*?number < \d+u)/, '$1 - 1u']],
    },
    'fused-factor-sign': {
      what: 'blocks are added to a sum in B instead of subtracted',
      pointsAt: /entries|everything|quadrants?|parts?/,
      edits: [[/(fn termY[\s\S]*?)entry = -entry;/, '$1']],
    },
    'fused-update-sign': {
      what: 'products are added to blocks of C instead of subtracted',
      pointsAt: /C22|C11|entries/,
      edits: [['own = -P;', '']],
    },
    'fused-update-lost': {
      what: 'every product updates one block of C fewer than it should',
      pointsAt: /never written|quadrants?|parts?/,
      edits: [[/(fn finish\([\s\S]*?number < \d+u)/, '$1 - 1u']],
    },
  }),
  ...faultsIn('schedule', 'strassen:fused-hybrid', [2], {
    'fused-lost-batch': {
      what: 'the last batch of every inner product is never computed',
      steps: (all) => all.filter((one) => batchOf(one) !== 3),
    },
  }),
  ...faultsIn('edges', 'strassen:fused', [1], {
    'fused-rows-unchecked': {
      what: 'rows of a tile beyond the edge of a block of C are written, too',
      pointsAt: /row|entries|outside/,
      edits: [['if (i >= term.y || j >= term.z)', 'if (j >= term.z)']],
    },
    'fused-columns-unchecked': {
      what: 'columns of a tile beyond the edge of a block of C are written, too',
      pointsAt: /column|entries|outside/,
      edits: [['if (i >= term.y || j >= term.z)', 'if (i >= term.y)']],
    },
  }),
  ...faultsIn('synchronisation', 'strassen:fused', [1], {
    'fused-stale-tile': {
      what: 'no barrier between storing the sums of a tile and multiplying them',
      pointsAt: /entries|row|column|everything/,
      edits: [[/workgroupBarrier\(\);\n( {2}\}\n {2}var sums)/, '$1']],
    },
    'fused-batch-too-early': {
      what: 'the second batch runs before the first, which then overwrites its sums',
      pointsAt: /C22|C11|entries|never written/,
      steps: (all) => [
        ...all.filter((one) => batchOf(one) === 1),
        ...all.filter((one) => batchOf(one) !== 1),
      ],
    },
  }),
  ...faultsIn('synchronisation', 'strassen:fused-atomic', [1], {
    'fused-exchange-ignored': {
      what: 'an addition to C is not repeated when another one interferes',
      edits: [
        ['if (after.exchanged) { break; }', 'if (after.exchanged || held != after.old_value) { break; }'],
      ],
      unseen: 'if workgroups of a dispatch run in turn, no addition interferes with another',
    },
    'fused-clear-forgotten': {
      what: 'C is not set to zero before products are added to it',
      pointsAt: /never written|entries/,
      steps: (all) => all.slice(1),
    },
  }),
  ...faultsIn('batch', 'strassen:fused', [1], {
    'fused-first-instance': {
      what: 'every product of a batch is the first one',
      pointsAt: /never written|quadrants?|parts?|entries/,
      edits: [['termOf(group.z, e)', 'termOf(0u, e)']],
    },
  }),
];
