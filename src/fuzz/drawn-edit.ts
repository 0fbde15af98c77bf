import fc from 'fast-check';
import { editedFamily } from '../inputs/edits/edited-family.ts';
import { parseEdits } from '../inputs/edits/edits.ts';
import type { InputFamily, InputShape } from '../inputs/input.ts';
import type { Shape } from '../matrix/dense.ts';

/** An edit before the shape is known that its argument depends on. */
export interface DrawnEdit {
  readonly kind: keyof typeof texts;
  /** Two numbers from 0 to {@link MOST} that its argument is made from. */
  readonly x: number;
  readonly y: number;
}

const MOST = 255;
const SPREADS = [1, 2, 4, 8, 12, 16, 24, 32, 48];

/** The text of an edit for a shape, simplest kinds first. */
const texts = {
  ones: () => 'ones',
  powers: () => 'powers',
  'zero-rows': ({ m }: Shape, x: number, y: number) => zeroing('zero-rows', m, x, y),
  'zero-columns': ({ n }: Shape, x: number, y: number) => zeroing('zero-columns', n, x, y),
  'zero-inner': ({ k }: Shape, x: number, y: number) => zeroing('zero-inner', k, x, y),
  spread: (_: Shape, x: number) => `spread:${SPREADS[x % SPREADS.length]}`,
  cancel: (_: Shape, x: number) => `cancel:${1 + (x % 24)}`,
  special: (_: Shape, x: number) => `special:${1 + (x % 4)}`,
};

/** Some of the lines, never all: a product of zeros shows nothing. */
function zeroing(edit: string, size: number, x: number, y: number): string | undefined {
  if (size < 2) return undefined;
  const from = Math.floor((size * x) / (MOST + 1));
  const most = from === 0 ? size - 1 : size - from;
  const to = from + Math.floor((most * y) / (MOST + 1));
  return `${edit}:${from === to ? from : `${from}-${to}`}`;
}

/** At most two edits; more often none than not. They shrink to none. */
export const drawnEdits: fc.Arbitrary<readonly DrawnEdit[]> = fc
  .record({
    count: fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 1, 2),
    drawn: fc.array(
      fc.record({
        kind: fc.constantFrom(...(Object.keys(texts) as (keyof typeof texts)[])),
        x: fc.nat(MOST),
        y: fc.nat(MOST),
      }),
      { minLength: 2, maxLength: 2 },
    ),
  })
  .map(({ count, drawn }) => drawn.slice(0, count));

/**
 * Those of the drawn edits that the family and the shape allow, as a case writes them. Terms are made to cancel only
 * where errors are random: elsewhere nothing could judge the result, its bound would exceed it.
 */
export function editsFor(
  drawn: readonly DrawnEdit[],
  family: InputFamily,
  shape: InputShape,
): string | undefined {
  const chosen: string[] = [];
  for (const { kind, x, y } of drawn) {
    const before = chosen.length === 0 ? family : editedFamily(family, parseEdits(chosen.join()));
    if (kind === 'cancel' && before.statistics !== 'random') continue;
    const text = texts[kind](shape, x, y);
    if (text === undefined) continue;
    const edits = parseEdits([...chosen, text].join());
    if (editedFamily(family, edits).accepts(shape).ok) chosen.push(text);
  }
  return chosen.length === 0 ? undefined : chosen.join();
}
