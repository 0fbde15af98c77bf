import type { Algorithm } from './algorithm.ts';
import { blockName } from './block-names.ts';
import { factorText } from './coefficient.ts';

/** Blocks that one launch may read and write: the storage buffers that every WebGPU device binds at once. */
export const MOST_BLOCKS = 8;

interface NamedTerm {
  readonly factor: number;
  readonly name: string;
}

/**
 * A schedule for any table: each product's operands are summed into TA and TB (or read in place where they are single
 * blocks), multiplied into TM and added to the outputs: three temporaries a level. No launch has more than
 * {@link MOST_BLOCKS} blocks.
 */
export function scheduleFromTable({ base, u, v, w }: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>): string[][] {
  const groups: string[][] = [];
  const written = new Set<string>();
  for (const [r, row] of u.entries()) {
    const x = operand('TA', terms('A', row, base.k));
    const y = operand('TB', terms('B', v[r], base.n));
    const updates = terms('C', w[r], base.n).map(({ factor, name }) => {
      const line = written.has(name)
        ? `${name} = ${name}${signed(factor, 'TM')}`
        : `${name} = ${first(factor, 'TM')}`;
      written.add(name);
      return line;
    });
    // Beside its operands, or TM where that must be stored for launches to come.
    const own = updates.length <= MOST_BLOCKS - 2 ? MOST_BLOCKS - 2 : MOST_BLOCKS - 3;
    groups.push(...x.groups, ...y.groups, [`TM = ${x.name} * ${y.name}`, ...updates.slice(0, own)]);
    groups.push(...inParts(updates.slice(own), MOST_BLOCKS - 1));
  }
  return groups;
}

function terms(matrix: string, coefficients: readonly number[], columns: number): NamedTerm[] {
  return coefficients.flatMap((factor, index) =>
    factor === 0 ? [] : [{ factor, name: blockName(matrix, Math.floor(index / columns), index % columns) }],
  );
}

function operand(temporary: string, sum: readonly NamedTerm[]): { name: string; groups: string[][] } {
  if (sum.length === 1 && sum[0].factor === 1) return { name: sum[0].name, groups: [] };
  const groups = inParts(sum, MOST_BLOCKS - 1).map((part, at) => {
    const rest = at === 0 ? part.slice(1) : part;
    const start = at === 0 ? first(part[0].factor, part[0].name) : temporary;
    return [`${temporary} = ${start}${rest.map(({ factor, name }) => signed(factor, name)).join('')}`];
  });
  return { name: temporary, groups };
}

function inParts<T>(list: readonly T[], most: number): T[][] {
  const count = Math.ceil(list.length / most);
  return Array.from({ length: count }, (_, at) => list.slice(at * most, (at + 1) * most));
}

/** `- 2*T1` after other terms. */
export const signed = (factor: number, name: string): string =>
  ` ${factor < 0 ? '-' : '+'} ${times(Math.abs(factor), name)}`;

/** `-2*T1` as the first term. */
export const first = (factor: number, name: string): string =>
  `${factor < 0 ? '-' : ''}${times(Math.abs(factor), name)}`;

const times = (size: number, name: string): string => (size === 1 ? name : `${factorText(size)}*${name}`);
