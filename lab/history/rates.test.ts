import { expect, test } from 'vitest';
import { type HistoricBug, killRate, ratesByHalf } from './rates.ts';

test("rates have Wilson's interval", () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Stat. Med. 17 (1998), table I, method 3.
  const rounded = (caught: number, of: number) => {
    const { low, high } = killRate(caught, of);
    return [low.toFixed(4), high.toFixed(4)];
  };
  expect(rounded(81, 263)).toEqual(['0.2553', '0.3662']);
  expect(rounded(15, 148)).toEqual(['0.0624', '0.1605']);
  expect(rounded(0, 20)).toEqual(['0.0000', '0.1611']);
  expect(rounded(1, 29)).toEqual(['0.0061', '0.1718']);
  expect(killRate(0, 0)).toEqual({ caught: 0, of: 0, low: 0, high: 1 });
});

test('rates are those of each half, and of both where there are both', () => {
  const said = (caught: boolean) => ({ caught, seconds: 1 });
  const outcome = (half: HistoricBug['half'], caught: boolean) => {
    const bug = { half } as HistoricBug;
    return { bug, gate: said(caught), fuzz: said(false), inspect: said(false) };
  };
  const [first, unseen] = [outcome('first', true), outcome('unseen', false)];
  const counts = (...given: Parameters<typeof ratesByHalf>) =>
    ratesByHalf(...given).map(({ part, rates: { gate } }) => [part, gate.caught, gate.of]);
  expect(counts([first, unseen, first])).toEqual([
    ['first', 2, 2],
    ['unseen', 0, 1],
    ['both', 2, 3],
  ]);
  expect(counts([unseen])).toEqual([['unseen', 0, 1]]);
  expect(counts([])).toEqual([]);
});
