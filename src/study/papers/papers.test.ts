import { describe, expect, test } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import { findInput } from '../../inputs/inputs.ts';
import { sayCell, type Table } from '../../report/table.ts';
import { type Entrant, labelOf, type Measurement } from '../bench/measurement.ts';
import type { ModelMachine } from '../bench/model/model.ts';
import type { BenchRound } from '../bench/sweep.ts';
import davisPublished from '../published/davis-2025.json' with { type: 'json' };
import dobravecPublished from '../published/dobravec-2017.json' with { type: 'json' };
import strassenPublished from '../published/strassen-2011.json' with { type: 'json' };
import { studies } from '../studies.ts';
import { type SpeedOptions, type SpeedStudy, type Study, scaledSizes } from '../study.ts';

import { border2013 } from './border-2013.ts';
import { davis2025 } from './davis-2025.ts';
import { dobravec2017 } from './dobravec-2017.ts';
import { huang2020 } from './huang-2020.ts';
import { strassen2011 } from './strassen-2011.ts';

const options: SpeedOptions = { maxSize: 32_768, shrink: 1, beside: [], leaf: 'register' };

/** Makes the outcome of a run in which each entrant takes a given time. */
function pretended(
  study: SpeedStudy,
  given: SpeedOptions,
  secondsOf: (one: Entrant, round: BenchRound) => number,
) {
  const measurements = study.rounds(given).flatMap((round) =>
    round.entrants.map((entrant): Measurement => {
      const { kernel, levels = 0, fringe = 'pad', tail = 'mask', precision = 'f32' } = entrant;
      const seconds = secondsOf(entrant, round);
      const [algorithm, leaf] = kernel.split(':');
      return {
        ...{
          kernel,
          levels,
          fringe,
          tail,
          precision,
          ...round.shape,
          input: round.input,
          label: labelOf(entrant),
        },
        ...{
          algorithm: algorithm === 'strassen' || algorithm === 'winograd' ? algorithm : 'classical',
          leaf,
        },
        ...{
          clock: 'timestamps',
          absolute: true,
          repeats: 1,
          median: seconds,
          bits: 20 - levels,
          checked: 1,
        },
        ...{ seconds: [0.99 * seconds, seconds, 1.01 * seconds], interval: [seconds, seconds] },
      };
    }),
  );
  return { measurements, missed: [] };
}

const speedsOf = ({ name, speeds }: Study): SpeedStudy => {
  if (speeds === undefined) throw new Error(`${name} has no speeds`);
  return speeds;
};

const textsOf = ({ rows }: Table) => rows.map((row) => row.map(sayCell));
const column = (table: Table, heading: string) => {
  const at = table.columns.findIndex((one) => one.heading === heading);
  return textsOf(table).map((row) => row[at]);
};
const numberOf = (text: string) => Number(text.replace(' %', ''));

/** The studies that time kernels. */
const timed = studies.items.filter(({ speeds }) => speeds !== undefined);

describe('every study', () => {
  test.each(
    inShort(
      timed.map((study) => [study.name, speedsOf(study)] as const),
      2,
    ),
  )('%s: rounds and tables', (_, study) => {
    for (const given of [options, { ...options, maxSize: 64 }, { ...options, shrink: 16, maxSize: 512 }]) {
      const rounds = study.rounds(given);
      expect(rounds.length).toBeGreaterThan(0);
      for (const { shape, input, entrants } of rounds) {
        expect(findInput(input).name).toBe(input);
        for (const size of Object.values(shape)) expect(size).toBeLessThanOrEqual(given.maxSize + 1);
        expect(new Set(entrants.map(labelOf)).size).toBe(entrants.length);
      }
      const machine: ModelMachine = { name: 'GPU', tauFlop: 6e13, tauGmop: 4e12, tauSmop: 3e13, sms: 132 };
      const outcome = pretended(
        study,
        given,
        ({ levels = 0 }, { shape }) => shape.n ** 3 * 1e-13 * 0.9 ** levels,
      );
      for (const table of study.tables(outcome, given, machine)) {
        const { columns, title } = table;
        const rows = textsOf(table);
        for (const row of rows) expect(row, title).toHaveLength(columns.length);
        expect(
          rows.flat().filter((cell) => /NaN|undefined/.test(cell)),
          title,
        ).toEqual([]);
      }
    }
  });

  test('is found by its name, and no other', () => {
    for (const study of studies.items) expect(studies.find(study.name)).toBe(study);
    expect(() => studies.find('strassen-2012')).toThrow(/Did you mean "strassen-2011"/);
  });
});

describe('measured as was published, both columns are the same', () => {
  test('strassen-2011: Figures 24 and 36 to 40', () => {
    const { fig24_seconds_C1060: fig24, fig36_seconds_byLevel_n16384_C1060: fig36 } = strassenPublished;
    const { seconds: fig40 } = strassenPublished.fig40_f64_C2050_tau2_4096;
    const rowOf = (name: string) => fig24.rows.find(({ algorithm }) => algorithm === name)?.values ?? [];
    const given = { ...options, beside: ['torch:cuda-f32'] };
    const outcome = pretended(
      speedsOf(strassen2011),
      given,
      ({ kernel, levels = 0, precision }, { shape: { n } }) => {
        const [algorithm] = kernel.split(':');
        const at = fig24.sizes.findIndex((size) => size === n);
        if (precision === 'f64') {
          const doubles = { classical: fig40.dgemm, strassen: fig40.dStrassen, winograd: fig40.dWinograd };
          return doubles[algorithm as keyof typeof doubles][n === 1024 ? 0 : 1];
        }
        if (algorithm === 'torch') return rowOf('sgemm')[at];
        if (levels === 0) return rowOf('GPU8')[at];
        const name = algorithm === 'strassen' ? 'Strassen' : 'Winograd';
        if (n === 16384) return fig36[name][levels];
        return rowOf(levels === Math.log2(n / 2048) ? name : `t${name}`)[at];
      },
    );
    const [byTau, byLevels, doubles] = speedsOf(strassen2011).tables(outcome, given, undefined);
    const measured = column(byTau, 'measured');
    const published = column(byTau, 'published, over GPU8');
    expect(measured).toHaveLength(16);
    // At 16384 the rows of τ₂ = 2048 are measured here without textures.
    const same = measured.map((text, at) =>
      byTau.rows[at][0] === '16384' && byTau.rows[at][2] === '2048' ? '' : text,
    );
    expect(same).toEqual(published.map((text, at) => (same[at] === '' ? '' : text)));
    column(byLevels, 'over classical').forEach((text, at) => {
      expect(Math.abs(numberOf(text) - numberOf(column(byLevels, 'over GPU8, published')[at]))).toBeLessThan(
        0.15,
      );
    });
    column(byLevels, 'over torch:cuda-f32').forEach((text, at) => {
      expect(Math.abs(numberOf(text) - numberOf(column(byLevels, 'over sgemm, published')[at]))).toBeLessThan(
        0.15,
      );
    });
    column(doubles, 'measured').forEach((text, at) => {
      expect(Math.abs(numberOf(text) - numberOf(column(doubles, 'published, over dgemm')[at]))).toBeLessThan(
        0.15,
      );
    });
  });

  test('davis-2025: Figure 8', () => {
    const { CuBLAS, CUDA, BLAS, OpenMP, 'C++ Threads': threads, sizes } = davisPublished.fig8_megaflops;
    const given = { ...options, maxSize: 2000, beside: ['torch:cuda-f64', 'numpy:f64'] };
    const outcome = pretended(speedsOf(davis2025), given, ({ kernel }, { shape: { n } }) => {
      const of = kernel.startsWith('torch')
        ? CuBLAS
        : kernel.startsWith('numpy')
          ? BLAS
          : kernel === 'host:shares'
            ? OpenMP
            : kernel === 'host:threads'
              ? threads
              : CUDA;
      return (2 * n ** 3 - n ** 2) / of[sizes.findIndex((size) => size === n)][0];
    });
    const [table, pairs] = speedsOf(davis2025).tables(outcome, given, undefined);
    const published = column(table, 'published');
    expect(published.filter((text) => text !== '–')).toHaveLength(10);
    column(table, 'measured').forEach((text, at) => {
      if (published[at] !== '–') expect(text).toBe(published[at]);
    });
    expect(column(pairs, 'published p').filter((text) => text !== '–')).toHaveLength(10);
  });

  test('dobravec-2017: Tables 1 and 2', () => {
    const { sizes, MulH, MulDG, MulDS } = dobravecPublished.table1_milliseconds;
    const { threads, MulDS: byThreads, MulH: host } = dobravecPublished.table2_milliseconds_n512;
    const outcome = pretended(speedsOf(dobravec2017), options, ({ kernel }, { shape: { n }, input }) => {
      const at = sizes.findIndex((size) => size === n);
      if (input === 'uniform-0-1') {
        const side = Number(kernel.split('-')[1]);
        return kernel === 'host:double' ? host : byThreads[threads.findIndex((count) => count === side ** 2)];
      }
      return (kernel === 'host:double' ? MulH : kernel === 'classical:naive' ? MulDG : MulDS)[at];
    });
    for (const table of speedsOf(dobravec2017).tables(outcome, options, undefined)) {
      for (const row of textsOf(table)) {
        for (let at = 1; at + 1 < row.length && !/^20/.test(row[at]); at += 2) {
          if (row[at + 1] !== '–') expect(row[at]).toBe(row[at + 1]);
        }
      }
    }
  });
});

test('border-2013: no tile divides a size, and the average is that of padding over checks', () => {
  const outcome = pretended(speedsOf(border2013), options, ({ tail }, { shape: { k } }) =>
    tail === 'pad' ? 1 : k === 32 ? 1.1551 : 1.1024,
  );
  expect(outcome.measurements.every(({ n }) => n % 16 !== 0)).toBe(true);
  const [averages] = speedsOf(border2013).tables(outcome, options, undefined);
  expect(averages.rows).toEqual([
    ['32', '15.5 %', '15.51 %'],
    ['64', '10.2 %', '10.24 %'],
  ]);
});

test('huang-2020: break-even sizes of fused products, one level and two', () => {
  const outcome = pretended(speedsOf(huang2020), options, ({ levels = 0 }, { shape: { n } }) => {
    const from = [0, 1536, 7680][levels];
    return levels === 0 ? 1 : n >= from ? 0.9 : 1.1;
  });
  const table = speedsOf(huang2020).tables(outcome, options, undefined)[1];
  expect(column(table, 'faster from n =')).toEqual(table.rows.map((row) => row[3]));
  expect(table.rows).toHaveLength(6);
});

test('sizes are the paper’s, divided, up to the largest; or those given', () => {
  expect(scaledSizes([2048, 4096], { ...options, shrink: 16, maxSize: 200 })).toEqual([
    { n: 128, paper: 2048 },
  ]);
  expect(scaledSizes([2048], { ...options, maxSize: 100 })).toEqual([{ n: 100, paper: undefined }]);
  expect(scaledSizes([2048], { ...options, sizes: [2048, 300] })).toEqual([
    { n: 2048, paper: 2048 },
    { n: 300, paper: undefined },
  ]);
});
