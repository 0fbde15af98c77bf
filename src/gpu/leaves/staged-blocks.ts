import type { StagedBlock } from './staged.ts';

/** A block shape of `staged` and the name it goes by. */
export type NamedBlock = StagedBlock & { readonly name: string };

/**
 * The block shapes of `staged`. Large blocks read least from memory and need large products to fill a GPU; more
 * entries an invocation read less from workgroup memory and leave fewer invocations at a time.
 */
export const stagedBlocks: readonly NamedBlock[] = [
  named({ rows: 8, cols: 8, across: 16, down: 16, depth: 16, x: 'columns', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 16, down: 16, depth: 16, x: 'columns', buffers: 2 }),
  named({ rows: 8, cols: 8, across: 16, down: 16, depth: 16, x: 'rows', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 16, down: 16, depth: 32, x: 'blocks', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 16, down: 16, depth: 8, x: 'columns', buffers: 2 }),
  named({ rows: 8, cols: 16, across: 8, down: 16, depth: 8, x: 'columns', buffers: 2 }),
  named({ rows: 8, cols: 16, across: 8, down: 16, depth: 16, x: 'blocks', buffers: 1 }),
  named({ rows: 16, cols: 8, across: 16, down: 8, depth: 8, x: 'columns', buffers: 2 }),
  named({ rows: 16, cols: 8, across: 16, down: 8, depth: 16, x: 'blocks', buffers: 1 }),
  named({ rows: 16, cols: 8, across: 16, down: 16, depth: 8, x: 'columns', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 8, down: 16, depth: 16, x: 'columns', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 8, down: 16, depth: 16, x: 'blocks', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 16, down: 8, depth: 16, x: 'columns', buffers: 1 }),
  named({ rows: 8, cols: 8, across: 8, down: 8, depth: 16, x: 'columns', buffers: 2 }),
  named({ rows: 8, cols: 8, across: 8, down: 8, depth: 16, x: 'columns', buffers: 1 }),
  named({ rows: 4, cols: 4, across: 16, down: 16, depth: 16, x: 'columns', buffers: 2 }),
  named({ rows: 4, cols: 4, across: 8, down: 8, depth: 16, x: 'columns', buffers: 2 }),
];

/** `staged-128x128x16-8x8`, `…-rows` where x is not transposed, `…-blocks` where it is turned in registers, `…-single` where there is one buffer. */
function named(block: StagedBlock): NamedBlock {
  const { rows, cols, across, down, depth, x, buffers } = block;
  const rest = [...(x === 'columns' ? [] : [x]), ...(buffers === 1 ? ['single'] : [])];
  const size = `${rows * down}x${cols * across}x${depth}`;
  return { ...block, name: ['staged', size, `${rows}x${cols}`, ...rest].join('-') };
}
