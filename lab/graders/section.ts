import { formatCompact, formatCount, formatDuration } from '../../src/report/numbers.ts';
import { columnsOf, type Table, type TableCell, type TextCell, type Tone } from '../../src/report/table.ts';
import type { KillRate } from '../history/rates.ts';
import { checkImprovements } from './check-improvements.ts';
import { faultClasses } from './classes.ts';
import { graders } from './graders.ts';
import { type GradersReport, ours } from './report.ts';
import { costOf, type GraderTally, type ImprovementGain } from './tally.ts';

const whole = (share: number): string => `${Math.round(100 * share)} %`;

/** A kill rate as a heat cell: most, some or few faults are caught; a dash if none was tried. */
function rateCell({ caught, of, low, high }: KillRate): TableCell {
  if (of === 0) return '–';
  const rate = caught / of;
  const tone: Tone = rate >= 0.8 ? 'good' : rate >= 0.4 ? 'unsure' : 'bad';
  return {
    value: whole(rate),
    as: 'text',
    tone,
    under: `${caught} of ${of}, ${whole(low)} to ${whole(high)}`,
  };
}

/** A rate of false alarms; only zero is good. */
function alarmCell({ caught, of }: KillRate): TableCell {
  if (of === 0) return '–';
  return { value: `${caught} of ${of}`, as: 'text', tone: caught === 0 ? 'good' : 'bad' };
}

/** The table of kill rates by grader and class of fault. */
export const heatTable = ({ tallies }: GradersReport): Table => ({
  title: 'Faults caught, by class',
  columns: [
    ...columnsOf('text', 'grader'),
    ...columnsOf('number', 'all', ...faultClasses.map(({ name }) => name)),
  ],
  rows: tallies.map(({ grader, all, byClass }) => [
    grader,
    rateCell(all),
    ...faultClasses.map(({ name }) => rateCell(byClass[name])),
  ]),
  note: [
    'Below each rate: the counts and Wilson’s 95 % interval. “all” excludes cheats.',
    ...faultClasses.map(({ name, what }) => `${name}: ${what}.`),
  ].join('\n'),
});

/** The table of kill rates by corpus, with the cost of each grader. */
export const corpusTable = ({ tallies }: GradersReport): Table => ({
  title: 'Faults caught by corpus, false alarms, cost',
  columns: [
    ...columnsOf('text', 'grader'),
    ...columnsOf('number', 'history', 'unseen half', 'mutants', 'cheats'),
    ...columnsOf('number', 'correct kernels failed', 'of those that claim less', 'undecided'),
    ...columnsOf('number', 'products', 'multiplications', 'time'),
  ],
  rows: tallies.map(({ grader, byCorpus, ...tally }) => [
    grader,
    ...[byCorpus.history, byCorpus.unseen, byCorpus.mutants, byCorpus.cheats].map(rateCell),
    ...[alarmCell(tally.alarms), alarmCell(tally.claimedAlarms), String(tally.undecided)],
    ...[
      String(tally.products),
      tally.work === 0 ? '–' : formatCompact(tally.work, 2),
      formatDuration(tally.seconds),
    ],
  ]),
  note: 'The unseen half of history was never used to improve our gate; the other half was. Kernels that claim less claim fewer bits or another algorithm; only our gate knows these claims. A grader that also fails many correct kernels catches little of value. Products, multiplications and CPU time are medians of passing kernels. For our gate, time is wall-clock time and products are cases, most of them run several times.',
});

const cheapest = ({ mends }: GraderTally): ImprovementGain | undefined =>
  mends.find(({ kills }) => kills > 0);
const strongest = ({ mends }: GraderTally): ImprovementGain | undefined =>
  [...mends].sort((x, y) => y.kills - x.kills || costOf(x) - costOf(y)).find(({ kills }) => kills > 0);

const gainCell = (gain: ImprovementGain | undefined): TextCell | string =>
  gain === undefined
    ? 'no change catches more'
    : {
        ...{ value: `${gain.mend}: +${gain.kills}`, as: 'text' },
        under: `${formatCount(Math.round(gain.products), 'product')}, ${formatCompact(gain.work, 2)} multiplications${gain.alarms === 0 ? '' : `, ${formatCount(gain.alarms, 'correct kernel')} more failed`}`,
      };

/** The table of improvements: for each grader the most efficient single change, and the one with the largest gain. */
export const improvementTable = ({ tallies }: GradersReport): Table => ({
  title: 'The best improvement of each grader',
  columns: columnsOf('text', 'grader', 'best for its cost', 'largest gain'),
  rows: tallies
    .filter(({ grader }) => graders.items.some(({ name }) => name === grader))
    .map((tally) => [tally.grader, gainCell(cheapest(tally)), gainCell(strongest(tally))]),
  note: [
    'Each change ran on every kernel that the grader passes; + counts the additional catches. A product costs its multiplications plus 65,536. Changes that use 33×65×47 owe part of their gain to that shape.',
    ...checkImprovements.items.map(({ name, what }) => `${name}: ${what}.`),
  ].join('\n'),
});

/** The table of gains: what each change adds to each grader. */
export const gainsTable = ({ tallies }: GradersReport): Table => ({
  title: 'Gain of each improvement',
  columns: [
    ...columnsOf('text', 'grader'),
    ...columnsOf('number', ...checkImprovements.items.map(({ name }) => name)),
  ],
  rows: tallies
    .filter((tally) => tally.mends.some(({ products }) => products > 0))
    .map((tally) => [
      tally.grader,
      ...checkImprovements.items.map(({ name }) =>
        String(tally.mends.find(({ mend }) => mend === name)?.kills ?? 0),
      ),
    ]),
});

/** The table of graders: their sources, their requests and their blind spots. */
export const sourcesTable = ({ tallies }: GradersReport): Table => ({
  title: 'Sources and blind spots',
  columns: columnsOf('text', 'grader', 'description', 'products', 'blind spots', 'sources'),
  rows: [...graders.items, ...ours]
    .filter(({ name }) => tallies.some(({ grader }) => grader === name))
    .map((one) => [
      ...[one.name, one.what, one.asked, one.blind.join('; ')],
      'cites' in one
        ? one.cites
            .map(
              ({ repository, file, line, commit, says }) =>
                `${repository} ${file}:${line} (${commit.slice(0, 12)}): ${says}`,
            )
            .join('; ')
        : 'docs/concepts/gate.md',
    ]),
});
