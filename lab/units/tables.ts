import type { UnitComparison } from './compare.ts';
import { type DrawKind, floatKinds, integerKinds } from './hash.ts';

const grouped = (n: number) => n.toLocaleString('en-US');
const sum = (of: readonly UnitComparison[], count: (x: UnitComparison) => number) =>
  of.reduce((total, x) => total + count(x), 0);

function groupsOf(
  of: readonly UnitComparison[],
  key: (x: UnitComparison) => string,
): Map<string, UnitComparison[]> {
  const groups = new Map<string, UnitComparison[]>();
  for (const x of of) groups.set(key(x), [...(groups.get(key(x)) ?? []), x]);
  return groups;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((name, at) => (at < 2 || name === 'order' ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** The table of instructions: how many results equal the model's, and how many differ, in all and for every kind of operands. */
export function unitTable(compared: readonly UnitComparison[]): string {
  const units = compared.filter(({ section }) => section.part === 'units');
  const kinds = [...new Set<DrawKind>([...floatKinds, ...integerKinds])];
  const ofKind = (of: readonly UnitComparison[], kind: DrawKind): string => {
    const some = of.filter(({ section }) => section.kind === kind);
    if (some.length === 0) return '';
    return `${grouped(sum(some, (x) => x.results - x.different))} / ${grouped(sum(some, (x) => x.different))}`;
  };
  const rows = [...groupsOf(units, ({ section }) => section.source)].map(([source, of]) => [
    `\`${source}\``,
    `\`${of[0].unit}\``,
    grouped(sum(of, (x) => x.results - x.different)),
    grouped(sum(of, (x) => x.different)),
    of[0].section.format === 'int8' ? '' : grouped(sum(of, (x) => x.asRounded)),
    ...kinds.map((kind) => ofKind(of, kind)),
  ]);
  return table(['instruction', 'model', 'equal', 'different', 'as a rounded sum', ...kinds], rows);
}

/** Ranges of k with equal slices; `all at once` if there is a single slice. */
function slicesText(of: readonly UnitComparison[]): string {
  const byText = groupsOf(of, ({ section, slice = 0 }) =>
    section.part === 'library' && slice < section.k ? `slices of ${slice}` : 'one after the other',
  );
  return [...byText]
    .map(([text, some]) => {
      const lengths = [...new Set(some.map(({ section }) => (section.part === 'library' ? section.k : 0)))];
      return `${text}: k = ${lengths.join(', ')}`;
    })
    .join('; ');
}

/** The table of library calls and sizes: the order of summation, and how many results agree with it. */
export function libraryTable(compared: readonly UnitComparison[]): string {
  const calls = compared.filter(({ section }) => section.part === 'library');
  const rows = [
    ...groupsOf(calls, ({ section }) =>
      section.part === 'library' ? `${section.format} ${section.source} ${section.rows}` : '',
    ).values(),
  ].map((of) => {
    const [{ section, unit }] = of;
    const size = section.part === 'library' ? section.rows : 0;
    return [
      `${section.format}, ${section.source}, ${size}×${size}`,
      `\`${unit}\``,
      grouped(sum(of, (x) => x.results - x.different)),
      grouped(sum(of, (x) => x.different)),
      grouped(sum(of, (x) => x.asRounded)),
      slicesText(of),
    ];
  });
  return table(['product', 'unit', 'equal', 'different', 'as a rounded sum', 'order'], rows);
}
