import { median } from 'd3-array';
import { describe, expect, test } from 'vitest';
import { benchPage, paretoFields, paretoFigure, paretoFront } from '../../pages/bench.ts';

import { SCRIPT, SCRIPT_HASH } from '../../report/html/script.ts';
import { formatPercent, formatProbability, formatShort } from '../../report/numbers.ts';
import { sayCell } from '../../report/table.ts';
import { countBitsLost, effectiveRate, flops, labelOf, type Measurement } from './measurement.ts';
import {
  BENCH_SCHEMA,
  type BenchReport,
  baselineOf,
  breakEven,
  compareEntrants,
  drawConclusions,
} from './report.ts';
import { tablesOf } from './tables.ts';
import { defaultTiming } from './trial.ts';

function measured(
  kernel: string,
  n: number,
  seconds: readonly number[],
  more: Partial<Measurement> = {},
): Measurement {
  const [algorithm] = kernel.split(':');
  return {
    ...{ kernel, algorithm, levels: algorithm === 'classical' ? 0 : 1, m: n, k: n, n, seconds, bits: 20 },
    ...{ fringe: 'pad', tail: 'mask', precision: 'f32', input: 'uniform', clock: 'timestamps', repeats: 1 },
    ...{
      label: kernel,
      absolute: true,
      median: median(seconds) ?? Number.NaN,
      interval: [seconds[0], seconds[2]],
      checked: 1,
    },
    ...more,
  };
}
const around = (x: number) => [0.99 * x, x, 1.02 * x, 1.01 * x];

const all = [
  measured('classical:tiled', 512, around(2)),
  measured('classical:register', 512, around(1)),
  measured('strassen:register', 512, around(1.2), { bits: 18.5 }),
  measured('classical:tiled', 1024, around(16)),
  measured('classical:register', 1024, around(8)),
  measured('strassen:register', 1024, around(7), { bits: 18 }),
];
const report: BenchReport = {
  ...{ schema: BENCH_SCHEMA, title: 'A <run>', command: 'bench', version: '1', createdAt: 'now' },
  ...{ timestamps: true, timing: defaultTiming, notes: [], measurements: all, missed: [] },
  adapter: { name: 'GPU', kind: 'hardware' } as BenchReport['adapter'],
  ...drawConclusions({ measurements: all, missed: [] }),
};

test('rates: 2mnk over the time, and 2N³ − N² for a square one', () => {
  expect(effectiveRate({ m: 2, k: 3, n: 5 }, 0.5)).toBe(120);
  expect(flops(10, 2)).toBe(950);
});

test('labels tell apart what differs', () => {
  expect(labelOf({ kernel: 'strassen:register', levels: 2, tail: 'pad', precision: 'f64' })).toBe(
    'strassen:register, 2 levels, pad, f64',
  );
  expect(labelOf({ kernel: 'numpy:f64', precision: 'f64' })).toBe('numpy:f64');
});

describe('break-even', () => {
  const at = (...ratios: number[]) => breakEven(ratios.map((ratio, i) => ({ size: 2 ** (9 + i), ratio })));

  test('is the smallest size from which on it is faster throughout', () => {
    expect(at(0.5, 0.9, 1.1, 1.2)).toMatchObject({ kind: 'from', size: 2048 });
    expect(at(1.3, 0.9, 1.1, 1.2)).toMatchObject({ size: 2048 });
    expect(at(1.1, 1.2)).toEqual({ kind: 'from', size: 512, crossing: 512 });
    expect(at(0.5, 1.5, 0.9)).toEqual({ kind: 'never' });
    expect(at(1)).toEqual({ kind: 'never' });
    expect(at()).toEqual({ kind: 'no-sizes' });
  });

  test('is interpolated over the logarithm of the size, in any order of the points', () => {
    expect(at(0.8, 1.2)).toMatchObject({ crossing: expect.closeTo(512 * Math.SQRT2, 6) });
    const points = [
      { size: 4096, ratio: 1.1 },
      { size: 1024, ratio: 0.5 },
    ];
    expect(breakEven(points)).toEqual(breakEven(points.toReversed()));
  });

  test('does not count a size at which chance may have made it faster', () => {
    const points = [
      { size: 512, ratio: 0.8 },
      { size: 1024, ratio: 1.1, faster: false },
      { size: 2048, ratio: 1.2, faster: true },
    ];
    expect(breakEven(points)).toEqual({ kind: 'from', size: 2048, crossing: 2048 });
    expect(breakEven(points.slice(0, 2))).toEqual({ kind: 'never' });
  });

  test('of what was measured is told by pairs', () => {
    expect(report.breakEvens).toContainEqual({
      label: 'strassen:register',
      against: 'classical:register',
      breakEven: { kind: 'from', size: 1024, crossing: expect.any(Number) },
    });
  });
});

test('the Pareto front keeps what nothing beats in both', () => {
  const points = [
    { id: 'slow, exact', speed: 1, bits: 24 },
    { id: 'fast', speed: 3, bits: 10 },
    { id: 'beaten', speed: 0.9, bits: 23 },
    { id: 'as fast, worse', speed: 3, bits: 9 },
    { id: 'twin', speed: 1, bits: 24 },
  ];
  expect(paretoFront(points).map(({ id }) => id)).toEqual(['slow, exact', 'twin', 'fast']);
});

test('a fast product is compared with the classical one of its leaf kernel, of its own precision', () => {
  expect(baselineOf(all[2], all)).toBe(all[1]);
  expect(baselineOf(all[1], all)).toBe(all[0]);
  const double = measured('classical:register', 512, around(70), { precision: 'f64' });
  const fast = measured('winograd:register', 512, around(60), { precision: 'f64' });
  expect(baselineOf(fast, [...all, fast, double])).toBe(double);
});

test('speeds are tested product by product', () => {
  const [first, second] = compareEntrants(all);
  expect(first.product).toBe('512×512×512, uniform');
  expect(first.anova).toMatchObject({ tested: true, between: 2 });
  expect(first.pairs).toHaveLength(3);
  expect(first.pairs[0]).toMatchObject({ one: 'classical:tiled', other: 'classical:register', ratio: 0.5 });
  expect(second.pairs.every(({ p }) => p < 0.01)).toBe(true);
  const constant = compareEntrants([measured('a', 8, [1, 1, 1]), measured('b', 8, [1, 2, 3])]);
  expect(constant[0]).toMatchObject({ anova: { tested: false }, pairs: [] });
});

test('absolute times are quoted from a GPU alone', () => {
  const cellsOf = (measurements: readonly Measurement[]) => {
    const [times] = tablesOf({ ...report, measurements });
    const headings = times.columns.map(({ heading }) => heading);
    return { headings, text: times.rows.flat().map(sayCell).join(' ') };
  };
  const onGpu = cellsOf(all);
  expect(onGpu.headings).toContain('median ms');
  expect(onGpu.text).toContain('1005');
  const [gpu, ...others] = all;
  const mixed = tablesOf({
    ...report,
    measurements: [gpu, ...others.map((one) => ({ ...one, absolute: false }))],
  })[0];
  const medians = mixed.rows.map(
    (row) => row[mixed.columns.findIndex(({ heading }) => heading === 'median ms')],
  );
  expect(medians).toEqual(['2010', ...Array(5).fill('–')]);
  const inSoftware = cellsOf(all.map((one) => ({ ...one, absolute: false })));
  expect(inSoftware.headings).not.toContain('median ms');
  expect(inSoftware.text).not.toContain('1005');
  expect(inSoftware.text).toContain('1.5');
});

test('the page shows every product as a figure and every table, and escapes what it is given', () => {
  const page = benchPage({ ...report, missed: [{ label: 'x', m: 1, k: 1, n: 1, why: '<none>' }] });
  expect(page).toContain('A &lt;run&gt;');
  expect(page).toContain('&lt;none&gt;');
  expect(page.match(/<figure/g)).toHaveLength(2);
  for (const { title } of tablesOf(report)) expect(page).toContain(title);
  const [field] = paretoFields(all);
  expect(field.title).toMatch(/^1024×1024×1024/);
  expect(field.points.map(({ onFront }) => onFront)).toEqual([false, true, true]);
  const [rule, front, ...marks] = paretoFigure(field).series;
  expect(rule).toEqual({ draw: 'rule', y: 1 });
  expect(front).toMatchObject({
    draw: 'line',
    name: 'front',
    points: [
      [0, 1],
      [2, expect.closeTo(8 / 7, 1)],
    ],
  });
  expect(marks.map((one) => one.draw === 'points' && [one.hue, one.marks.length])).toEqual([
    ['classical', 2],
    ['strassen', 1],
  ]);
  expect(page).toContain('1.14 times as fast, 2 bits lost, on the front');
});

test('keys of its legend hide what they stand for', () => {
  const page = benchPage(report);
  const keys = [...page.matchAll(/data-hides="(\w+)"/g)].map(([, key]) => key);
  expect(keys).toEqual(['a0', 'a1', 'thin']);
  for (const key of keys) {
    expect(page).toMatch(new RegExp(`<figure.*<(g|path) class="${key}"`, 's'));
    expect(page).toContain(`.no-${key} .panel .${key}`);
  }
  expect(page).toContain(`<script>${SCRIPT}</script>`);
  expect(page).toContain(SCRIPT_HASH);
});

test('numbers in tables', () => {
  expect([1234.5, 12.34, 0.5, 1e-5, 0, Number.NaN].map((x) => formatShort(x as number))).toEqual([
    '1235',
    '12.3',
    '0.5',
    '1.00e-5',
    '0',
    'NaN',
  ]);
  expect([formatProbability(0), formatProbability(0.05)]).toEqual(['< 1e-12', '0.05']);
  expect([formatPercent(-0.0001), formatPercent(0.3333)]).toEqual(['0.0 %', '33.3 %']);
  expect(countBitsLost({ bits: 20 }, { bits: 20.01 })).toBe('0.0');
});

test('bits of sampled rows are said to be that', () => {
  const noteOf = (measurements: Measurement[]) => tablesOf({ ...report, measurements })[0].note;
  expect(noteOf(all)).not.toContain('random rows');
  const sampled = all.map((one) => (one.n === 1024 ? { ...one, checked: 0.0123 } : one));
  expect(noteOf(sampled)).toContain('large products are compared in random rows: 1.23 % at 1024');
});
