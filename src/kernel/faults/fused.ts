import type { Program } from '../../gpu/dispatches.ts';
import { dispatched, edited, type Fault } from './fault.ts';

type Dispatches = Program['dispatches'];

/** Faults of fused products: in their sums of blocks, their updates, their edges and their batches. */
export const fusedFaults: readonly Fault[] = [
  {
    name: 'fused-term-lost',
    class: 'schedule',
    what: 'the last block of every sum in A is left out',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /entries|everything|quadrants?|parts?/,
    tampering: edited([/(fn readX[\s\S]*?number < \d+u)/, '$1 - 1u']),
  },
  {
    name: 'fused-factor-sign',
    class: 'schedule',
    what: 'blocks are added to a sum in B where they should be subtracted',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /entries|everything|quadrants?|parts?/,
    tampering: edited([/(fn termY[\s\S]*?)entry = -entry;/, '$1']),
  },
  {
    name: 'fused-update-sign',
    class: 'schedule',
    what: 'products are added to blocks of C that they should be subtracted from',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /C22|C11|entries/,
    tampering: edited(['own = -P;', '']),
  },
  {
    name: 'fused-update-lost',
    class: 'schedule',
    what: 'every product updates one block of C fewer than it should',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /never written|quadrants?|parts?/,
    tampering: edited([/(fn finish\([\s\S]*?number < \d+u)/, '$1 - 1u']),
  },
  {
    name: 'fused-lost-batch',
    class: 'schedule',
    what: 'the last batch of every inner product is never computed',
    kernel: 'strassen:fused-hybrid',
    levels: [2],
    pointsAt: /entries/,
    tampering: dispatched((all) => all.filter(({ label }) => !label.includes('batch 4:'))),
  },
  // Reading beyond an edge in one factor shows nothing: whatever is read cancels as every block does that is no term of an
  // entry, or is multiplied by the zeros of the other factor.
  {
    name: 'fused-rows-unchecked',
    class: 'edges',
    what: 'rows of a tile beyond the edge of a block of C are written, too',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /row|entries|outside/,
    tampering: edited(['if (i >= term.y || j >= term.z)', 'if (j >= term.z)']),
  },
  {
    name: 'fused-columns-unchecked',
    class: 'edges',
    what: 'columns of a tile beyond the edge of a block of C are written, too',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /column|entries|outside/,
    tampering: edited(['if (i >= term.y || j >= term.z)', 'if (i >= term.y)']),
  },
  {
    name: 'fused-stale-tile',
    class: 'synchronisation',
    what: 'no barrier between storing the sums of a tile and multiplying them',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /entries|row|column|everything/,
    tampering: edited([/workgroupBarrier\(\);\n( {2}\}\n {2}var sums)/, '$1']),
  },
  {
    name: 'fused-batch-too-early',
    class: 'synchronisation',
    what: 'the second batch runs before the first, which stores what it should have added to',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /C22|C11|entries|never written/,
    tampering: dispatched(([first, second, ...rest]: Dispatches) =>
      second === undefined ? [first] : [second, first, ...rest],
    ),
  },
  {
    name: 'fused-exchange-ignored',
    class: 'synchronisation',
    what: 'an addition to C is not tried again where another came between',
    kernel: 'strassen:fused-atomic',
    levels: [1],
    pointsAt: /entries/,
    tampering: edited([
      'if (after.exchanged) { break; }',
      'if (after.exchanged || held != after.old_value) { break; }',
    ]),
    unseen:
      'where workgroups of a dispatch take turns, nothing comes between the read and the write of an addition',
  },
  {
    name: 'fused-clear-forgotten',
    class: 'synchronisation',
    what: 'C is not set to zero before products are added to it',
    kernel: 'strassen:fused-atomic',
    levels: [1],
    pointsAt: /never written|entries/,
    tampering: dispatched((all) => all.slice(1)),
  },
  {
    name: 'fused-first-instance',
    class: 'batch',
    what: 'every product of a batch is the first one',
    kernel: 'strassen:fused',
    levels: [1],
    pointsAt: /never written|quadrants?|parts?|entries/,
    tampering: edited(['termOf(group.z, e)', 'termOf(0u, e)']),
  },
];
