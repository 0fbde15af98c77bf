import { type Algorithm, blockName } from './algorithm.ts';
import { factorText } from './coefficient.ts';

/** Most blocks that one launch reads and writes: the number of storage buffers that every WebGPU device can bind. */
export const MOST_BLOCKS = 8;

interface NamedTerm {
  readonly factor: number;
  readonly name: string;
}

/**
 * Returns a schedule for any table. Each product's operands are summed into TA and TB (or read in place where they are single blocks),
 * multiplied into TM and added to the outputs: three temporaries for each level. No launch has more than {@link MOST_BLOCKS} blocks.
 */
export function scheduleFromTable({ base, u, v, w }: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>): string[][] {
  const groups: string[][] = [];
  const written = new Set<string>();
  for (const [r, row] of u.entries()) {
    const x = operand('TA', terms('A', row, base.k));
    const y = operand('TB', terms('B', v[r], base.n));
    const updates = terms('C', w[r], base.n).map(({ factor, name }) => {
      const line = written.has(name)
        ? `${name} = ${name}${formatNextTerm(factor, 'TM')}`
        : `${name} = ${formatFirstTerm(factor, 'TM')}`;
      written.add(name);
      return line;
    });
    // Updates beside the operands, and TM where later launches need it.
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
    const start = at === 0 ? formatFirstTerm(part[0].factor, part[0].name) : temporary;
    return [
      `${temporary} = ${start}${rest.map(({ factor, name }) => formatNextTerm(factor, name)).join('')}`,
    ];
  });
  return { name: temporary, groups };
}

function inParts<T>(list: readonly T[], most: number): T[][] {
  const count = Math.ceil(list.length / most);
  return Array.from({ length: count }, (_, at) => list.slice(at * most, (at + 1) * most));
}

/** Formats a term after other terms: `- 2*T1`. */
export const formatNextTerm = (factor: number, name: string): string =>
  ` ${factor < 0 ? '-' : '+'} ${times(Math.abs(factor), name)}`;

/** Formats the first term: `-2*T1`. */
export const formatFirstTerm = (factor: number, name: string): string =>
  `${factor < 0 ? '-' : ''}${times(Math.abs(factor), name)}`;

const times = (size: number, name: string): string => (size === 1 ? name : `${factorText(size)}*${name}`);
