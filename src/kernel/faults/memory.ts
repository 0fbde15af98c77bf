import { ALIGNMENT } from '../../plan/layout.ts';
import { editShaders, type Fault } from './fault.ts';

const ALL_LEVELS = [0, 1, 2, 3];

/** Faults in what is written where. */
export const memoryFaults: readonly Fault[] = [
  {
    name: 'guard-off-by-one',
    what: 'the bounds check lets column n through, which is the first column of the next row',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: /column/,
    tampering: { program: (made) => editShaders(made, '|| j >= params.n)', '|| j > params.n)') },
  },
  {
    name: 'unwritten-last-row',
    what: 'the last row of every block is left out',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: /never written.*row/,
    tampering: { program: (made) => editShaders(made, 'i >= params.endRow', 'i + 1u >= params.endRow') },
  },
  {
    name: 'shifted-binding',
    what: 'the result is bound one alignment unit too far',
    kernel: 'classical:register',
    levels: [0],
    pointsAt: /outside C/,
    tampering: {
      program: (made) => ({
        ...made,
        dispatches: made.dispatches.map((dispatch) => ({
          ...dispatch,
          blocks: dispatch.blocks.map((block) =>
            block.buffer === 'C' ? { ...block, offset: block.offset + ALIGNMENT } : block,
          ),
        })),
      }),
    },
  },
  {
    name: 'operand-overwritten',
    what: 'the kernel clears the first column of A while it works',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /operands were overwritten/,
    tampering: {
      program: (made) =>
        editShaders(
          made,
          'finish(i * params.n + j, sum);',
          'finish(i * params.n + j, sum); x[i * params.k] = 0.0;',
        ),
    },
  },
];
