import type { Algorithm, Grid, Rows } from './algorithm.ts';
import { parseBlockName } from './block-names.ts';
import { brentViolations } from './brent.ts';
import { isDyadic } from './dyadic.ts';
import { badAlgorithm } from './messages.ts';
import { parseSum, valuesOf } from './notation.ts';
import { MOST_BLOCKS } from './schedule.ts';
import { readBy, scheduleFaults } from './verify-schedule.ts';

/** Kernel names, patterns and messages use these for something else. */
const RESERVED = ['all', 'any', 'none', 'fixed-point', 'mixed-up', 'strassen-like'];

/**
 * Checks an algorithm: that its table multiplies matrices (Brent's equations, over the rationals), that its factors are
 * dyadic, and that its schedule computes what its table says.
 * @returns the algorithm itself.
 * @throws ParanoiaError `bad-algorithm`, in one sentence.
 */
export function defineAlgorithm(algorithm: Algorithm): Algorithm {
  const why = faultOf(algorithm);
  if (why !== undefined) throw badAlgorithm({ name: String(algorithm?.name), why });
  return algorithm;
}

function faultOf(algorithm: Algorithm): string | undefined {
  const { name, base, u, v, w } = algorithm ?? {};
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name)) {
    return 'its name must be of small letters, digits and hyphens, and begin with a letter';
  }
  if (RESERVED.includes(name)) return 'its name is reserved';
  const sizes = [base?.m, base?.k, base?.n];
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= 16)) {
    return 'its base needs m, k and n, whole numbers from 1 to 16';
  }
  const wrong = tableFault(base, { u, v, w });
  if (wrong !== undefined) return wrong;
  const [first, ...more] = brentViolations(algorithm);
  if (first !== undefined) {
    const rest = more.length === 0 ? '' : `, and ${more.length} more of Brent's equations fail`;
    return `its table gives ${first.a}·${first.b} in ${first.c} the factor ${first.found} in place of ${first.expected}${rest}`;
  }
  return algorithm.schedule === undefined ? undefined : scheduleFault(algorithm);
}

function tableFault({ m, k, n }: Grid, table: Record<'u' | 'v' | 'w', Rows>): string | undefined {
  const columns = { u: m * k, v: k * n, w: m * n };
  const products = table.u?.length ?? 0;
  for (const part of ['u', 'v', 'w'] as const) {
    const rows = table[part];
    if (!Array.isArray(rows) || rows.length === 0 || rows.length !== products) {
      return 'u, v and w need a row for each product';
    }
    for (const [r, row] of rows.entries()) {
      if (!Array.isArray(row) || row.length !== columns[part]) {
        return `row ${r + 1} of ${part} needs ${columns[part]} factors, one a block`;
      }
      const bad = row.find((factor) => typeof factor !== 'number' || !isDyadic(factor));
      if (bad !== undefined) {
        return `the factor ${bad} in row ${r + 1} of ${part} is no dyadic number p·2^q with |p| below 2048 and 2^-14 to 2^14 in size`;
      }
      if (row.every((factor) => factor === 0)) return `row ${r + 1} of ${part} is empty`;
    }
  }
  return undefined;
}

function scheduleFault(algorithm: Algorithm): string | undefined {
  const values = valuesOf(algorithm);
  const [fault] = scheduleFaults(algorithm, values);
  if (fault !== undefined) return `its schedule is not right: ${fault.replace(/\.$/, '')}`;
  const products = values.all.filter(({ kind }) => kind === 'product').length;
  if (products !== algorithm.u.length) {
    return `its schedule has ${products} products, and its table ${algorithm.u.length}`;
  }
  for (const value of values.all) {
    const factor =
      value.kind === 'sum' ? value.terms.find((term) => !isDyadic(term.factor))?.factor : undefined;
    if (factor !== undefined) return `the factor ${factor} of its schedule is no dyadic number`;
  }
  const wide = values.groups.findIndex((group) => {
    const blocks = group.flatMap((at) => [at, ...readBy(values.all[at])]);
    return new Set(blocks.map((at) => `${values.all[at].written} ${values.all[at].role}`)).size > MOST_BLOCKS;
  });
  if (wide >= 0)
    return `group ${wide + 1} of its schedule has more than ${MOST_BLOCKS} blocks, which is all that a launch may bind`;
  return undefined;
}

/**
 * A table from its products and sums: `(A11 + 2*A12) * B22`, and for each block of C, row by row, `M1 - M4`.
 * @throws ParanoiaError `bad-algorithm` for what is neither.
 */
export function tableOf(
  name: string,
  base: Grid,
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
