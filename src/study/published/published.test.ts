import { describe, expect, test } from 'vitest';
import border from './border-2013.json' with { type: 'json' };
import davis from './davis-2025.json' with { type: 'json' };
import dobravec from './dobravec-2017.json' with { type: 'json' };
import huang from './huang-2020.json' with { type: 'json' };
import strassen from './strassen-2011.json' with { type: 'json' };

describe('strassen-2011', () => {
  const [{ values: sgemm }, { values: gpu8 }] = strassen.fig24_seconds_C1060.rows;
  const levels = strassen.fig36_seconds_byLevel_n16384_C1060;

  test('levels follow from n and τ₂: Figures 30 and 31 say what Figures 32 and 34 say at 16384', () => {
    const { fig30_maxError_f32: fig30, fig32_maxError_byLevel_n16384_f32: fig32 } = strassen;
    const at16384 = (name: string, tau2: number) =>
      fig30.rows.find((row) => row.algorithm === name && row.tau2 === tau2)?.values[3];
    for (const name of ['strassen', 'winograd'] as const) {
      expect([at16384(name, 4096), at16384(name, 2048)]).toEqual(fig32[name].slice(3));
    }
  });

  test('Figure 37 is Figure 36 over sgemm and GPU8, to the last digit but three cells by 0.1', () => {
    let off = 0;
    for (const name of ['Strassen', 'tStrassen', 'Winograd', 'tWinograd'] as const) {
      strassen.fig37_speedup_percent_n16384[name].forEach((pair, at) => {
        [sgemm[3], gpu8[3]].forEach((base, of) => {
          const found = 100 * (1 - levels[name][at + 1] / base);
          expect(Math.abs(found - pair[of])).toBeLessThan(0.1);
          if (found.toFixed(1) !== pair[of].toFixed(1)) off++;
        });
      });
    }
    expect(off).toBeLessThanOrEqual(3);
  });

  test('the best of Figure 24 at 16384 are the best levels of Figure 36; times grow about eightfold', () => {
    const best = (name: string) =>
      strassen.fig24_seconds_C1060.rows.find((row) => row.algorithm === name)?.values[3];
    expect(best('Strassen') ?? best('strassen')).toBe(Math.min(...levels.Strassen));
    expect(best('tWinograd')).toBe(Math.min(...levels.tWinograd));
    for (const { values } of strassen.fig24_seconds_C1060.rows) {
      for (let at = 1; at < 4; at++) {
        expect(values[at] / values[at - 1]).toBeGreaterThan(6.5);
        expect(values[at] / values[at - 1]).toBeLessThan(8.1);
      }
    }
  });

  test('the speedups of Figure 40 follow from its times', () => {
    const { seconds, speedup_percent } = strassen.fig40_f64_C2050_tau2_4096;
    for (const name of ['dStrassen', 'dWinograd'] as const) {
      seconds[name].forEach((time, at) => {
        expect(100 * (1 - time / seconds.dgemm[at])).toBeCloseTo(speedup_percent[name][at], 0.95);
      });
    }
  });
});

describe('davis-2025', () => {
  const names = ['CuBLAS', 'CUDA', 'BLAS', 'OpenMP', 'C++ Threads'] as const;
  const { sizes, ...cells } = davis.fig8_megaflops;

  test('a mean lies between the best and the worst', () => {
    for (const name of names) {
      for (const [mean, best, worst] of cells[name]) {
        expect(best).toBeGreaterThanOrEqual(mean);
        expect(worst).toBeLessThanOrEqual(mean);
      }
    }
  });

  test('at 10000 they stand in the order of the claim, and cuBLAS passes CUDA between 8000 and 9000', () => {
    const last = names.map((name) => cells[name][9][0]);
    expect([...last].sort((a, b) => b - a)).toEqual(last);
    const ahead = sizes.filter((_, at) => cells.CuBLAS[at][0] > cells.CUDA[at][0]);
    expect(ahead).toEqual([9000, 10000]);
  });

  test('deviations are a small share of the means; every pair is tested once', () => {
    for (const name of names) {
      expect(davis.table3_deviation_megaflops_n10000[name] / cells[name][9][0]).toBeLessThan(0.01);
    }
    const pairs = davis.table4_games_howell_n10000.map(({ one, other }) => [one, other].sort().join());
    expect(new Set(pairs).size).toBe(10);
    expect(davis.table4_games_howell_n10000.every(({ p }) => p < 0.01)).toBe(true);
  });
});

describe('dobravec-2017', () => {
  const { sizes, MulH, MulDG, MulDS } = dobravec.table1_milliseconds;

  test('times grow with the size, host before global before shared', () => {
    for (let at = 1; at < sizes.length; at++) {
      for (const column of [MulH, MulDG, MulDS]) expect(column[at]).toBeGreaterThan(column[at - 1]);
      expect(MulH[at]).toBeGreaterThan(MulDG[at]);
      expect(MulDG[at]).toBeGreaterThan(MulDS[at]);
    }
  });

  test('the claims of a twofold, a more than sevenfold and a fourfold speedup hold in its tables', () => {
    expect(MulDG[9] / MulDS[9]).toBeCloseTo(2.2, 1);
    expect(MulH[9] / MulDS[9]).toBeGreaterThan(7.5);
    const { MulDS: byThreads, MulH: host, threads } = dobravec.table2_milliseconds_n512;
    expect(threads).toEqual([1, 4, 16, 64, 256]);
    expect(host / byThreads[4]).toBeGreaterThan(4);
    expect(byThreads).toEqual([...byThreads].sort((a, b) => b - a));
  });
});

describe('huang-2020', () => {
  test('threads are mS/mR times nS/nR, warps 32 threads', () => {
    for (const one of huang.fig3_strategies) {
      expect(one.tx * one.ty).toBe((one.mS / one.mR) * (one.nS / one.nR));
      expect(one['mW/mR'] * one['nW/nR']).toBe(32);
    }
  });

  test('instances and operands add up to those of Strassen’s tables', () => {
    const { gemm, oneLevel, twoLevel } = huang.fig6_counts;
    const total = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0);
    expect([gemm, oneLevel, twoLevel].map(({ count }) => total(count))).toEqual([1, 7, 49]);
    for (const name of ['WA', 'WB', 'WC'] as const) {
      // Strassen's coefficient tables have 12 entries that are not zero, and 12² with two levels.
      const entries = [oneLevel, twoLevel].map((of) => total(of[name].map((w, at) => w * of.count[at])));
      expect(entries).toEqual([12, 144]);
    }
  });
});

test('border-2013 has one improvement for each inner size', () => {
  expect(border.improvement_percent_of_padding).toHaveLength(border.inner.length);
});
