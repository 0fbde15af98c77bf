import type { Algorithm, BlockGrid } from './algorithm.ts';
import { parseBlockName } from './block-names.ts';
import { badAlgorithm } from './messages.ts';
import { parseSum } from './notation.ts';

/**
 * Reads a table from its products and sums: `(A11 + 2*A12) * B22`, and for each block of C, row by row, `M1 - M4`.
 * @throws ParanoiaError `bad-algorithm` for a text that is neither.
 */
export function parseAlgorithmTable(
  name: string,
  base: BlockGrid,
  products: readonly string[],
  blocks: readonly string[],
): Pick<Algorithm, 'base' | 'u' | 'v' | 'w'> {
  const unreadable = (text: string) => badAlgorithm({ name, why: `its table cannot be read at "${text}"` });
  const row = (text: string, matrix: 'A' | 'B', cols: number, length: number) => {
    const factors = new Array<number>(length).fill(0);
    for (const term of parseSum(text) ?? []) {
      const block = parseBlockName(term.name);
      if (block?.matrix !== matrix || block.col >= cols) throw unreadable(text);
      factors[block.row * cols + block.col] = term.factor;
    }
    if (factors.length !== length || factors.every((factor) => factor === 0)) throw unreadable(text);
    return factors;
  };
  const { m, k, n } = base;
  const bare = (text: string) => text.replace(/^\(|\)$/g, '');
  const factors = products.map((text) => {
    const [x, y, ...rest] = text.split(/ \* (?=\(|[^()]*$)/);
    if (y === undefined || rest.length > 0) throw unreadable(text);
    return { u: row(bare(x), 'A', k, m * k), v: row(bare(y), 'B', n, k * n) };
  });
  const w = products.map(() => new Array<number>(m * n).fill(0));
  if (blocks.length !== m * n) throw unreadable(blocks.join('; '));
  for (const [block, text] of blocks.entries()) {
    const terms = parseSum(text);
    if (terms === undefined) throw unreadable(text);
    for (const term of terms) {
      const r = Number(/^M(\d+)$/.exec(term.name)?.[1]) - 1;
      if (w[r] === undefined) throw unreadable(text);
      w[r][block] = term.factor;
    }
  }
  return { base, u: factors.map(({ u }) => u), v: factors.map(({ v }) => v), w };
}
