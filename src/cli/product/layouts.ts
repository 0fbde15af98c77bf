import { badNumber } from '../../base/messages.ts';
import { extentsOf, leastLine, storedLinesOf } from '../../matrix/gemm.ts';
import { text } from '../../options/kinds.ts';
import { readNumber } from '../../options/node/read.ts';
import type { OptionTable, ValuesOf } from '../../options/option.ts';
import type { FlatCase, Storage } from '../../problem/problem.ts';
import { ranges } from '../../problem/ranges.ts';

export const layoutOptions = {
  layoutA: text(
    '--layout-a <layout>',
    'Layout of A: n, t, nf, or tf,ld=70,offset=3,stride=4200 (f: column-major)',
    { usual: 'n' },
  ),
  layoutB: text('--layout-b <layout>', 'Layout of B'),
  layoutC: text('--layout-c <layout>', 'Layout of C, and of D if D overwrites C'),
  layoutD: text('--layout-d <layout>', 'Layout of D; without it, D overwrites C'),
} as const satisfies OptionTable;

const KEYS = ['ld', 'inc', 'offset', 'stride'];
const NEED = 'n, t, nf or tf, with optional ld, inc, offset and stride: t,ld=70,offset=3,stride=4200';
const LETTERS = /^(?<op>[nt])(?<column>f?)$/;

/**
 * Reads the layouts of `--layout-a` to `--layout-d`: leading dimensions, increments, offsets and strides; f for column-major. A stride of 0
 * is one matrix for all products of a batch.
 * @throws ParanoiaError `bad-number`
 */
export function layoutsOf(
  values: ValuesOf<typeof layoutOptions>,
  sizes: Pick<FlatCase, 'm' | 'k' | 'n'> & Partial<Pick<FlatCase, 'batch'>>,
): Partial<Pick<FlatCase, 'a' | 'b' | 'c' | 'd'>> {
  const extents = extentsOf(sizes);
  const said = (['a', 'b', 'c', 'd'] as const).flatMap((name) => {
    const given = values[`layout${name.toUpperCase() as 'A' | 'B' | 'C' | 'D'}`];
    if (given === undefined) return [];
    return [
      [name, layoutOf(`--layout-${name}`, given, name.toUpperCase(), extents[name], sizes.batch)] as const,
    ];
  });
  return Object.fromEntries(said);
}

function layoutOf(
  option: string,
  given: string,
  name: string,
  extent: { readonly rows: number; readonly cols: number },
  batch = 1,
): Storage {
  const [letters, ...rest] = given.split(',');
  const { op, column } = LETTERS.exec(letters.trim())?.groups ?? {};
  const parts = new Map(rest.map((part) => part.split('=').map((word) => word.trim()) as [string, string]));
  const unknown = [...parts.keys()].some((key) => !KEYS.includes(key));
  const isTwice = parts.size < rest.length;
  if (op === undefined || unknown || isTwice) throw badNumber({ what: option, given: given, need: NEED });
  const number = (key: string, usual: number, range = ranges.entries) =>
    parts.has(key) ? readNumber(`${key} of ${option}`, parts.get(key) ?? '', range) : usual;
  const order = column === 'f' ? 'column' : 'row';
  const { lines, entries } = storedLinesOf({ op: op as 'n' | 't', order }, extent);
  const inc = number('inc', 1, ranges.inc);
  const least = leastLine(entries, inc);
  const ld = number('ld', least);
  if (ld < least) {
    const why =
      inc === 1
        ? `the entries of a stored ${order === 'row' ? 'row' : 'column'} of ${name}`
        : `because entries of ${name} must not overlap with inc=${inc}`;
    throw badNumber({
      what: `ld of ${option}`,
      given: ld,
      need: `at least ${least}, ${why}`,
    });
  }
  const stride = number('stride', lines * ld);
  const own = { op: op as 'n' | 't', order, offset: number('offset', 0), ...(inc > 1 && { inc }) } as const;
  if (stride === 0 && lines > 0) return { ...own, pad: ld - least, gap: 'same' };
  if (stride >= lines * ld) return { ...own, pad: ld - least, gap: stride - lines * ld };
  if (stride === least && ld >= batch * least) return { ...own, pad: ld - batch * least, gap: 'interleaved' };
  const turns = `${least} if ld is at least ${batch * least} (interleaved)`;
  const need = `0, at least ${lines * ld}, or ${turns}, because matrices of a batch must not overlap`;
  throw badNumber({ what: `stride of ${option}`, given: stride, need });
}
