import { group, max, sum } from 'd3-array';
import type { ItemCoverage } from './coverage.ts';
import { medianOfLargest } from './median-of-largest.ts';
import type { HonestOutcome, UndecidedCount } from './run.ts';
import type { SigmaBin, SigmaTally } from './tally.ts';

/** Joins the outcomes of runs with different cases. @param outcomes at least one */
export function joinOutcomes(outcomes: readonly HonestOutcome[]): HonestOutcome {
  const all = <K extends keyof HonestOutcome>(key: K) => outcomes.map((outcome) => outcome[key]);
  return {
    ...{ planned: sum(all('planned')), run: sum(all('run')), pass: sum(all('pass')) },
    ...{ alarms: all('alarms').flat(), unmade: all('unmade').flat() },
    ...{
      inconclusive: joinReasons(all('inconclusive').flat()),
      undecided: joinReasons(all('undecided').flat()),
    },
    coverage: joinCoverage(all('coverage')),
    checks: [...group(all('checks').flat(), ({ name }) => name)].map(([name, own]) => ({
      name,
      pass: sum(own, ({ pass }) => pass),
      fail: sum(own, ({ fail }) => fail),
      undecided: sum(own, ({ undecided }) => undecided),
    })),
    ...{ sigmas: joinSigmas(all('sigmas').flat()), kinds: joinSigmas(all('kinds').flat()) },
    histogram: joinBins(all('histogram').flat()),
    alarm: {
      bounded: sum(all('alarm'), ({ bounded }) => bounded),
      uniform: sum(all('alarm'), ({ uniform }) => uniform),
      varying: sum(all('alarm'), ({ varying }) => varying),
    },
    seconds: max(all('seconds')) as number,
    interrupted: all('interrupted').includes(true),
  };
}

/** Joins reasons, those with the most cases first. */
const joinReasons = (rows: readonly UndecidedCount[]): UndecidedCount[] =>
  [...group(rows, ({ of, reason }) => `${of} ${reason}`).values()]
    .map((own) => ({ ...own[0], cases: sum(own, ({ cases }) => cases) }))
    .sort((x, y) => y.cases - x.cases);

function joinCoverage(runs: readonly (readonly ItemCoverage[])[]): ItemCoverage[] {
  return runs[0].map(({ of, unmet }, at) => {
    const met = [
      ...group(
        runs.flatMap((run) => run[at].met),
        ({ name }) => name,
      ),
    ].map(([name, own]) => ({
      name,
      cases: sum(own, ({ cases }) => cases),
      pass: sum(own, ({ pass }) => pass),
      undecided: sum(own, ({ undecided }) => undecided),
    }));
    return { of, met, unmet: unmet.filter((name) => !met.some((one) => one.name === name)) };
  });
}

const joinSigmas = (rows: readonly SigmaTally[]): SigmaTally[] =>
  [...group(rows, ({ of }) => of)].sort().map(([of, own]) => {
    const entries = sum(own, (one) => one.entries);
    const squares = sum(own, (one) => one.typical ** 2 * one.entries);
    return {
      ...{
        of,
        entries,
        cases: sum(own, ({ cases }) => cases),
        worst: max(own, ({ worst }) => worst) as number,
      },
      modeled: medianOfLargest(entries),
      typical: Math.sqrt(squares / entries),
    };
  });

const joinBins = (bins: readonly SigmaBin[]): SigmaBin[] =>
  [...group(bins, ({ from }) => from)].map(([from, own]) => ({
    from,
    entries: sum(own, ({ entries }) => entries),
    modeled: sum(own, ({ modeled }) => modeled),
    worst: sum(own, ({ worst }) => worst),
    worstModeled: sum(own, ({ worstModeled }) => worstModeled),
  }));
