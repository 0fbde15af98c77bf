import { expect, it } from 'vitest';
import type { Figure, Series } from '../figure.ts';
import { htmlFigures } from './figure.ts';

const figure = (...series: Series[]): Figure => ({
  title: 'A <figure>',
  x: { label: 'x', scale: 'linear' },
  y: { label: 'y', scale: 'linear' },
  series,
});
const drawn = (...series: Series[]) => htmlFigures([[figure(...series)]]).text;
const mark = (x: number, y: number) => ({ x, y, says: `at ${x}` });

it('draws marks where their values are, says them, and lists hues and kinds once in the legend', () => {
  const text = drawn(
    {
      draw: 'line',
      stroke: 'dashed',
      hue: 'strassen',
      name: 'bound',
      points: [
        [0, 0],
        [10, 10],
      ],
    },
    { draw: 'points', shape: 'own', hue: 'strassen', marks: [mark(0, 0), { ...mark(10, 10), tag: '2' }] },
  );
  expect(text).toContain('A &lt;figure&gt;');
  expect([...text.matchAll(/data-hides="([^"]+)"/g)].map(([, key]) => key)).toEqual(['a1', 'dashed']);
  const [, left, right] = /<path class="dashed" d="M([\d.]+),244L([\d.]+),8"/.exec(text)?.map(Number) ?? [];
  expect(right).toBeGreaterThan(left);
  expect(text).toContain(`<use href="#s1" x="${left}" y="244"><title>at 0</title></use>`);
  expect(text).toMatch(/<text class="tag"[^>]*>2</);
});

it('interrupts lines at NaN, and draws none through a single point', () => {
  const broken = drawn({
    draw: 'line',
    stroke: 'cut',
    weight: 2,
    points: [
      [0, 0],
      [1, 1],
      [Number.NaN, Number.NaN],
      [2, 0],
      [3, 1],
    ],
  });
  expect(/class="cut" stroke-width="2" d="([^"]+)"/.exec(broken)?.[1].match(/M/g)).toHaveLength(2);
  expect(drawn({ draw: 'line', stroke: 'thin', points: [[1, 1]] })).not.toContain('class="thin"');
});

it('draws bars from 0 upwards and leaves out those without height', () => {
  const text = drawn({ draw: 'bars', width: 1, marks: [mark(0, 2), mark(1, 0), mark(2, 1)] });
  expect(text.match(/<path d="M[\d.]+ 244V[\d.]+"><title>/g)).toHaveLength(2);
});

it('sets marks of series aside that share their places, and lists their numbers side by side', () => {
  const series = (hue: string, y: number): Series => ({
    ...{ draw: 'points', shape: 'own', hue },
    marks: [mark(1, y), mark(2, 3)],
  });
  const steps = {
    ...figure(series('one', 1), series('two', 2)),
    x: { label: 'levels', scale: 'steps' },
  } as const;
  const text = htmlFigures([[steps]]).text;
  const places = [...text.matchAll(/<use href="#s\d" x="([\d.]+)" y="[\d.]+"><title>at 2/g)];
  const [left, right] = places.map(([, x]) => Number(x));
  expect([places.length, right - left]).toEqual([2, 7]);
  expect(text).toContain('<th scope="col">levels<th scope="col">one<th scope="col">two');
  expect(text).toContain('<tr><td>1<td>1<td>2\n<tr><td>2<td>3<td>3\n');
});

it('says what is not drawn for want of colours', () => {
  const series = Array.from(
    { length: 9 },
    (_, i): Series => ({
      draw: 'points',
      shape: 'own',
      hue: `algorithm-${i}`,
      marks: [mark(i, i)],
    }),
  );
  const text = drawn(...series);
  expect(text).toContain('1 more is not drawn');
  expect(text.match(/<use href="#s\d" x="[^"]*" y="[^"]*"><title>/g)).toHaveLength(8);
});

it('colours heat maps by size, and says what white and cyan are where they occur', () => {
  const map = (values: readonly number[]) => drawn({ draw: 'cells', rows: 1, cols: 2, of: 'error', values });
  expect(map([1e-7, 1e-3])).toContain('1.00e-3');
  expect(map([1e-7, 1e-3])).not.toContain('white');
  expect(map([0, Number.NaN])).toContain('white: 0; cyan: not finite');
});
