import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { findInput } from '../../src/inputs/inputs.ts';
import { compile } from '../../src/plan/compile.ts';
import { assumed } from '../../src/precision/arithmetic.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { analyze } from '../../src/readers/analysis.ts';
import { logPlot } from './log-plot.ts';

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
  const { bound, sigma, model } = analyze(plan, a, b, computation);
  const errors = Array.from(model.data, (found, at) => Math.abs(found - product.data[at]));
  return { error: Math.max(...errors), sigma: 6 * Math.max(...sigma.data), bound: Math.max(...bound.data) };
}

function draw(
  rows: readonly ({ method: Method; n: number } & Record<Reading, number>)[],
  title: string,
): string {
  const curves = METHODS.flatMap((method) =>
    (Object.keys(READINGS) as Reading[]).map((reading) => ({
      ...{ hue: method.hue, dashes: READINGS[reading] },
      points: rows.filter((row) => row.method === method).map((row) => [row.n, row[reading]] as const),
    })),
  );
  return logPlot(curves, title, 300);
}
