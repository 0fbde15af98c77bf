import type { StagedBlock } from './staged-block.ts';

/** A block shape of `staged` and the name it goes by. */
export type NamedBlock = StagedBlock & { readonly name: string };

/** What most block shapes have in common. */
const usual = { depth: 16, abreast: 8, buffers: 1 } as const;

/**
 * The block shapes of `staged`. Large blocks read least from memory and need large products to fill a GPU; more
 * entries an invocation read less from workgroup memory and leave fewer invocations at a time.
 */
export const stagedBlocks: readonly NamedBlock[] = [
  named({ rows: 8, cols: 16, across: 8, down: 16, x: 'blocks' }),
  named({ rows: 8, cols: 16, across: 8, down: 16, x: 'blocks', abreast: 4 }),
  named({ rows: 8, cols: 16, across: 8, down: 16, x: 'columns' }),
  named({ rows: 8, cols: 16, across: 16, down: 16, x: 'columns' }),
  named({ rows: 8, cols: 16, across: 16, down: 8, x: 'columns' }),
  named({ rows: 8, cols: 8, across: 32, down: 16, x: 'columns' }),
  named({ rows: 8, cols: 16, across: 8, down: 8, x: 'blocks' }),
  named({ rows: 16, cols: 8, across: 16, down: 8, x: 'blocks' }),
  named({ rows: 16, cols: 8, across: 16, down: 16, x: 'blocks' }),
  named({ rows: 8, cols: 8, across: 16, down: 16, x: 'columns' }),
  named({ rows: 8, cols: 8, across: 16, down: 16, x: 'rows' }),
  named({ rows: 8, cols: 8, across: 8, down: 16, x: 'blocks' }),
  named({ rows: 8, cols: 8, across: 16, down: 8, x: 'columns' }),
  named({ rows: 8, cols: 8, across: 8, down: 8, x: 'columns' }),
  named({ rows: 8, cols: 8, across: 8, down: 8, x: 'columns', buffers: 2 }),
  named({ rows: 4, cols: 4, across: 16, down: 16, x: 'columns', buffers: 2 }),
  named({ rows: 4, cols: 4, across: 8, down: 8, x: 'columns', buffers: 2 }),
];

/** `staged-128x128-8x16-blocks`: the entries of a workgroup and of an invocation, x, and what is not usual. */
function named(given: Omit<StagedBlock, keyof typeof usual> & Partial<StagedBlock>): NamedBlock {
  const block: StagedBlock = { ...usual, ...given };
  const { rows, cols, across, down, x, buffers, abreast } = block;
  const size = `${rows * down}x${cols * across}`;
  const rest = [...(buffers === 2 ? ['double'] : []), ...(abreast === 4 ? ['narrow'] : [])];
  return { ...block, name: ['staged', size, `${rows}x${cols}`, x, ...rest].join('-') };
}
