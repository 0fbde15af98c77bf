import { BASE, CELL, type HeatMap, NEGATIVE, type ProductMaps } from '../../../evidence/heat-map.ts';
import { type HeatMapPicture, heatPicture } from '../../../report/html/figures/cells.ts';
import { html, type Markup } from '../../../report/html/markup.ts';
import { captionedTable } from '../../../report/html/table.ts';
import { formatExponent } from '../../../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../../../report/table.ts';

const PARTS: readonly {
  key: keyof ProductMaps;
  title: string;
  before?: string;
  ramp: HeatMapPicture['ramp'];
}[] = [
  { key: 'a', title: 'A', ramp: 'values' },
  { key: 'b', title: 'B', before: '×', ramp: 'values' },
  { key: 'c', title: 'C, as found', before: '→', ramp: 'values' },
  { key: 'error', title: 'error of C', before: '≠', ramp: 'errors' },
];

/** Renders A times B, C, and its error, as pictures. */
export function picturesOf(maps: ProductMaps): Markup {
  const shown = PARTS.flatMap((part) => {
    const map = maps[part.key];
    return map === undefined ? [] : [{ ...part, map }];
  });
  const pictures = shown.map(({ title, before, ramp, map }) => {
    const sign =
      before === undefined ? undefined : html`<span class="sign" aria-hidden="true">${before}</span>`;
    return html`<div class="operand">${sign}${heatPicture(heatOf(map, title, ramp))}</div>`;
  });
  return html`<div class="heats">${pictures}</div><details class="numbers"><summary>Heat maps in numbers</summary>${captionedTable(
    tableOf(shown),
  )}</details>`;
}

function heatOf(
  { of, rows, cols, between, cells }: HeatMap,
  title: string,
  ramp: HeatMapPicture['ramp'],
): HeatMapPicture {
  const size = of.join('×');
  const range =
    between === undefined ? 'no finite nonzero entry' : between.map((x) => formatExponent(x)).join(' to ');
  const wrong = [...cells].filter((cell) => cell !== CELL.zero && cell !== CELL.unknown).length;
  const infinite = [...cells].filter((cell) => cell === CELL.notFinite).length;
  const negative = [...cells].filter((cell) => Number.parseInt(cell, BASE) > NEGATIVE).length;
  const says = `${title}, ${size}: ${wrong} of ${cells.length} cells are not 0, ${negative} negative, ${infinite} not finite; sizes ${range}`;
  const pixels = [...cells].map((cell) => Number.parseInt(cell, BASE));
  return { title: `${title} ${size}`, says, range, rows, cols, pixels, ramp };
}

function tableOf(parts: readonly { readonly title: string; readonly map: HeatMap }[]): Table {
  const rows = parts.map(({ title, map: { of, rows: down, cols, between, cells } }) => {
    const count = (wanted: string) => String([...cells].filter((cell) => cell === wanted).length);
    return [
      title,
      of.join('×'),
      `${down}×${cols}`,
      digitsCell(between?.[0]),
      digitsCell(between?.[1]),
      ...[CELL.zero, CELL.notFinite, CELL.unknown].map(count),
      String([...cells].filter((cell) => Number.parseInt(cell, BASE) > NEGATIVE).length),
    ];
  });
  const numbers = [
    'size',
    'cells',
    'smallest',
    'largest',
    'cells of 0',
    'not finite',
    'not compared',
    'negative',
  ];
  return {
    title: 'Each cell shows its entry of largest magnitude',
    columns: [...columnsOf('text', 'matrix'), ...columnsOf('number', ...numbers)],
    rows,
  };
}
