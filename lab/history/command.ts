import { EXIT } from '../../src/base/errors.ts';
import { unknownName } from '../../src/base/messages.ts';
import { printTables } from '../../src/cli/print-tables.ts';
import { createStopper } from '../../src/cli/stopper.ts';
import { formatCount, formatDuration, formatPercent } from '../../src/report/numbers.ts';
import { columnsOf, type Table, type TableCell, tonedCell } from '../../src/report/table.ts';
import { askOfHistory, historicBugs } from './ask.ts';
import type { HistoryRequest } from './options.ts';
import {
  askedOfHistory,
  type CommandFinding,
  type HistoricBug,
  type HistoryOutcome,
  historyHalves,
  type KillRate,
  killRates,
  type PartRates,
  ratesByHalf,
} from './rates.ts';

/**
 * Runs gate, fuzz and inspect on the historic bugs, several bugs at once.
 * @returns the exit code: 1 if the gate misses a bug, 4 if a bug was not tried or not decided
 */
export async function runHistory(ids: readonly string[], request: HistoryRequest): Promise<number> {
  const { runs, adapter, seed, jobs = 1, json } = request;
  const bugs = chosenOf(ids, await historicBugs());
  const options = {
    runs,
    common: Object.entries({ adapter, seed }).flatMap(([name, given]) =>
      given === undefined ? [] : [`--${name}`, String(given)],
    ),
  };
  if (json !== true) console.log(`${formatCount(bugs.length, 'historical bug')}.\n`);
  const stop = createStopper(undefined);
  const outcomes: HistoryOutcome[] = [];
  try {
    const left = bugs.values();
    const work = async () => {
      for (const bug of left) {
        if (stop.asked()) return;
        const outcome = {
          bug,
          gate: await askOfHistory('gate', bug, options),
          fuzz: await askOfHistory('fuzz', bug, options),
          inspect: await askOfHistory('inspect', bug, options),
        };
        outcomes.push(outcome);
        if (json !== true) console.log(outcomeText(outcome));
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    outcomes.sort((x, y) => bugs.indexOf(x.bug) - bugs.indexOf(y.bug));
  } finally {
    stop.release();
  }
  if (json === true) console.log(JSON.stringify(historyJson(outcomes), undefined, 2));
  else printTables(...historyTables(outcomes));
  return exitCode(outcomes, bugs.length);
}

/**
 * The bugs named by their ids or by their half, each once.
 * @throws ParanoiaError `unknown-name`
 */
export function chosenOf(ids: readonly string[], bugs: readonly HistoricBug[]): readonly HistoricBug[] {
  if (ids.length === 0) return bugs;
  const known = [...historyHalves, ...bugs.map(({ id }) => id)];
  const chosen = ids.flatMap((given) => {
    const found = bugs.filter(({ id, half }) => id === given || half === given);
    if (found.length === 0) throw unknownName({ what: 'historical bug', given, known });
    return found;
  });
  return [...new Set(chosen)];
}

/** The exit code: 1 if the gate passes a bug, 4 if some outcomes are unknown. */
export function exitCode(outcomes: readonly HistoryOutcome[], of: number): number {
  if (outcomes.some(({ gate }) => gate.caught === false)) return EXIT.fail;
  const decided = outcomes.filter(({ gate }) => gate.caught !== undefined);
  return decided.length === of ? EXIT.pass : EXIT.inconclusive;
}

/** Formats the outcomes of one bug, in a few lines. */
export function outcomeText({ bug, ...said }: HistoryOutcome): string {
  const { id, project, what, trigger, where, issue, sure, scaled } = bug;
  const size = scaled === undefined ? '' : ` Scaled: ${scaled}.`;
  return [
    `${id} (${project}): ${what}`,
    `  fails if ${trigger}: ${where}.${size}`,
    `  known: ${sure}; ${issue}`,
    ...askedOfHistory.map((command) => `  ${command} ${saidText(said[command])}`),
    '',
  ].join('\n');
}

function saidText({ caught, check, at, cases, seconds }: CommandFinding): string {
  const time = ` in ${formatDuration(seconds)}`;
  if (caught === false)
    return `MISSED${cases === undefined ? '' : ` in all ${formatCount(cases, 'case')}`}${time}`;
  if (caught === undefined) return `undecided${time}: ${at}`;
  return `caught${check === undefined ? '' : ` by ${check}`}${time}: ${at}`;
}

/** The tables of each half, a row for each bug, then the table of rates. */
export function historyTables(outcomes: readonly HistoryOutcome[]): Table[] {
  const bugs = historyHalves.flatMap((half) => bugsTable(half, outcomes) ?? []);
  const rates = ratesByHalf(outcomes).map(ratesTable);
  const on = outcomes[0]?.gate.on;
  const note = `Wilson’s intervals.${on === undefined ? '' : ` On ${on.adapter}, seed ${on.seed}.`}`;
  return [...bugs, ...rates.slice(0, -1), ...rates.slice(-1).map((last) => ({ ...last, note }))];
}

/** The table of a half; undefined if it has no bugs. */
function bugsTable(half: HistoricBug['half'], outcomes: readonly HistoryOutcome[]): Table | undefined {
  const own = outcomes.filter(({ bug }) => bug.half === half);
  if (own.length === 0) return undefined;
  return {
    title: `The ${half} half`,
    columns: [...columnsOf('text', 'bug', 'known'), ...columnsOf('text', ...askedOfHistory)],
    rows: own.map(({ bug, ...said }) => [
      bug.id,
      bug.sure,
      ...askedOfHistory.map((command) => saidCell(said[command])),
    ]),
  };
}

const ratesTable = ({ part, rates }: PartRates): Table => ({
  title: `Bugs caught in ${part === 'both' ? 'both halves' : `the ${part} half`}`,
  columns: [...columnsOf('text', 'by'), ...columnsOf('number', 'caught', 'of', 'rate', '95 % interval')],
  rows: Object.entries(rates).map(([by, rate]) => [by, ...rateCells(rate)]),
});

function saidCell({ caught, check, seconds }: CommandFinding): TableCell {
  const time = formatDuration(seconds);
  if (caught === undefined) return tonedCell(`undecided, ${time}`, 'unsure');
  return caught ? tonedCell(`${check ?? 'caught'}, ${time}`, 'good') : tonedCell(`missed, ${time}`, 'bad');
}

const rateCells = ({ caught, of, low, high }: KillRate): TableCell[] => [
  `${caught}`,
  `${of}`,
  of === 0 ? '-' : formatPercent(caught / of),
  `${formatPercent(low)} to ${formatPercent(high)}`,
];

/** The outcomes without the kernels. */
export const historyJson = (outcomes: readonly HistoryOutcome[]) => ({
  bugs: outcomes.map(({ bug, ...said }) => {
    const { id, project, half, issue, what, trigger, where, sure, scaled, fixed } = bug;
    return { id, project, half, issue, what, trigger, where, sure, scaled, fixed, ...said };
  }),
  ...outcomes[0]?.gate.on,
  rates: killRates(outcomes),
  halves: Object.fromEntries(ratesByHalf(outcomes).map(({ part, rates }) => [part, rates])),
});
