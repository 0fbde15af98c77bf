import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { findInput } from '../../src/inputs/inputs.ts';
import { compile } from '../../src/plan/compile.ts';
import { assumed } from '../../src/precision/arithmetic.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { analyze } from '../../src/readers/analysis.ts';

const SIZES = [8, 16, 32, 64, 128];
const METHODS = [
  { name: 'classical', levels: 0, hue: '#1f5fa8' },
  { name: 'strassen', levels: 1, hue: '#b3561d' },
  { name: 'strassen', levels: 2, hue: '#7a2a8c' },
] as const;
/** The quantities drawn of each product: the largest over its entries. */
const READINGS = { bound: '6 3', sigma: '2 3', error: '' } as const;
type Reading = keyof typeof READINGS;

/** Draws the growth of errors with size and levels, beside the expected errors and the bound: a figure and its numbers, in Markdown. */
export function errorsFigure(): string {
  const rows = METHODS.flatMap((method) => SIZES.map((n) => ({ method, n, ...measured(method, n) })));
  const title =
    'The largest error of a product of uniform numbers in binary32, beside six sigmas and the running bound';
  const cells = rows.map(({ method, n, error, sigma, bound }) =>
    [nameOf(method), n, ...[error, sigma, bound].map((x) => x.toExponential(1))].join(' | '),
  );
  return `<figure>
${draw(rows, title)}
<figcaption>${title}, by size n: solid, dotted and dashed. ${METHODS.map((one) => `<b style="color:${one.hue}">${nameOf(one)}</b>`).join(', ')}.</figcaption>
</figure>

| product | n | largest error | six sigmas | running bound |
| --- | --- | --- | --- | --- |
${cells.map((row) => `| ${row} |`).join('\n')}

The bit-exact model computed these numbers when this page was made, on entries uniform in [−1, 1], seed 1.
`;
}

type Method = (typeof METHODS)[number];

const nameOf = ({ name, levels }: Method): string =>
  levels === 0 ? name : `${name}, ${levels} level${levels === 1 ? '' : 's'}`;

function measured({ name, levels }: Method, n: number): Readonly<Record<Reading, number>> {
  const shape = { m: n, k: n, n };
  const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels }, fringe: 'pad' });
  const { a, b } = findInput('uniform').generate({ ...shape, seed: 1 });
  const { product } = exactProduct(a, b);
  const computation = { precision: precisions.find('f32'), arithmetic: assumed };
  const { bound, sigma, mirror } = analyze(plan, a, b, computation);
  const errors = Array.from(mirror.data, (found, at) => Math.abs(found - product.data[at]));
  return { error: Math.max(...errors), sigma: 6 * Math.max(...sigma.data), bound: Math.max(...bound.data) };
}

function draw(
  rows: readonly ({ method: Method; n: number } & Record<Reading, number>)[],
  title: string,
): string {
  const [width, height, left, bottom] = [640, 300, 60, 30];
  const all = rows.flatMap(({ error, bound }) => [error, bound]);
  const x = scaleLog([SIZES[0], SIZES[SIZES.length - 1]], [left, width - 10]);
  const y = scaleLog([Math.min(...all), Math.max(...all)], [height - bottom, 10]);
  const ticks = y
    .ticks(5)
    .filter((value) => Number.isInteger(Math.log10(value)) || Math.abs(Math.log10(value) % 1) < 1e-9);
  const marks = [
    ...SIZES.map((n) => `<text x="${tenth(x(n))}" y="${height - 8}" text-anchor="middle">${n}</text>`),
    ...ticks.map(
      (value) =>
        `<path d="M${left} ${tenth(y(value))}H${width - 10}" stroke="currentColor" opacity=".2"/><text x="${left - 6}" y="${tenth(y(value) + 4)}" text-anchor="end">${value.toExponential(0)}</text>`,
    ),
  ];
  const curves = METHODS.flatMap((method) =>
    (Object.keys(READINGS) as Reading[]).map((reading) => {
      const own = rows.filter((row) => row.method === method);
      const d = line<(typeof own)[number]>(
        (row) => tenth(x(row.n)),
        (row) => tenth(y(row[reading])),
      )(own);
      return `<path d="${d}" fill="none" stroke="${method.hue}" stroke-width="2" stroke-dasharray="${READINGS[reading]}"/>`;
    }),
  );
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" style="font:12px sans-serif;stroke:none;fill:currentColor">${marks.join('')}${curves.join('')}</svg>`;
}

const tenth = (value: number): number => Math.round(10 * value) / 10;
