import { oneLine } from '../base/printable.ts';
import type { KillRate } from '../gate/history.ts';
import { faultClasses } from '../graders/classes.ts';
import { graders } from '../graders/graders.ts';
import { mends } from '../graders/mends.ts';
import { type GradersReport, ours } from '../graders/report.ts';
import { costOf, type GraderTally, type MendGain } from '../graders/tally.ts';
import type { Figure } from '../report/figure.ts';
import { htmlFigures } from '../report/html/figure.ts';
import { shapeDefinitions } from '../report/html/figures/palette.ts';
import { html } from '../report/html/markup.ts';
import { htmlTable } from '../report/html/table.ts';
import { code, markdownSection, plainText } from '../report/markdown/table.ts';
import { counted, duration, magnitude } from '../report/numbers.ts';
import { type Cell, columnsOf, factsOf, type Table, type Tone, type Words } from '../report/table.ts';
import type { Look } from '../report/terminal/look.ts';
import { terminalTables } from '../report/terminal/table.ts';
import { wrap } from '../report/terminal/width.ts';
import { frame } from './html/frame.ts';

const TITLE = 'Graders graded';

const whole = (share: number): string => `${Math.round(100 * share)} %`;

/** A rate as the heat of a cell: most, some or few are caught; a dash where none was asked. */
function rateCell({ caught, of, low, high }: KillRate): Cell {
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

/** Alarms: none is good. */
function alarmCell({ caught, of }: KillRate): Cell {
  if (of === 0) return '–';
  return { value: `${caught} of ${of}`, as: 'text', tone: caught === 0 ? 'good' : 'bad' };
}

/** Kill rates by grader and class of fault. */
export const heatTable = ({ tallies }: GradersReport): Table => ({
  title: 'Caught, by class of fault',
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
    'Below each rate how many of how many, and the 95 % interval of Wilson. All is without cheats.',
    ...faultClasses.map(({ name, what }) => `${name}: ${what}.`),
  ].join('\n'),
});

/** Kill rates by corpus, and what a grader costs. */
const corpusTable = ({ tallies }: GradersReport): Table => ({
  title: 'Caught, by corpus; false alarms; cost',
  columns: [
    ...columnsOf('text', 'grader'),
    ...columnsOf('number', 'history', 'unseen half', 'mutants', 'cheats'),
    ...columnsOf('number', 'honest failed', 'of those that claim less', 'undecided'),
    ...columnsOf('number', 'products', 'multiplications', 'time'),
  ],
  rows: tallies.map(({ grader, byCorpus, ...tally }) => [
    grader,
    ...[byCorpus.history, byCorpus.unseen, byCorpus.mutants, byCorpus.cheats].map(rateCell),
    ...[alarmCell(tally.alarms), alarmCell(tally.claimedAlarms), String(tally.undecided)],
    ...[String(tally.products), tally.work === 0 ? '–' : magnitude(tally.work), duration(tally.seconds)],
  ]),
  note: 'The unseen half is of history: nothing of ours was repaired by it; our gate was repaired by the other. Those that claim less say that they compute in fewer bits or by another algorithm, which only our gate is told. Products, multiplications and processor time are medians of kernels that pass; of our gate the time is that of the wall clock, and products are cases, most of them asked more than once.',
});

const cheapest = ({ mends }: GraderTally): MendGain | undefined => mends.find(({ kills }) => kills > 0);
const strongest = ({ mends }: GraderTally): MendGain | undefined =>
  [...mends].sort((x, y) => y.kills - x.kills || costOf(x) - costOf(y)).find(({ kills }) => kills > 0);

const gainCell = (gain: MendGain | undefined): Words | string =>
  gain === undefined
    ? 'none catches more'
    : {
        ...{ value: `${gain.mend}: +${gain.kills}`, as: 'text' },
        under: `${counted(Math.round(gain.products), 'product')}, ${magnitude(gain.work)} multiplications${gain.alarms === 0 ? '' : `, ${counted(gain.alarms, 'honest kernel')} more failed`}`,
      };

/** Of each grader the single change that adds most for its cost, and the one that adds most. */
const mendTable = ({ tallies }: GradersReport): Table => ({
  title: 'The cheapest change that would mend it',
  columns: columnsOf('text', 'grader', 'most for its cost', 'most at all'),
  rows: tallies
    .filter(({ grader }) => graders.items.some(({ name }) => name === grader))
    .map((tally) => [tally.grader, gainCell(cheapest(tally)), gainCell(strongest(tally))]),
  note: [
    'Each change was run on every kernel that the grader passes: + is how many more it catches. A product costs its multiplications and 65,536 more.',
    ...mends.items.map(({ name, what }) => `${name}: ${what}.`),
  ].join('\n'),
});

/** Of each change what it adds to each grader. */
const gainsTable = ({ tallies }: GradersReport): Table => ({
  title: 'What each change adds',
  columns: [...columnsOf('text', 'grader'), ...columnsOf('number', ...mends.items.map(({ name }) => name))],
  rows: tallies
    .filter((tally) => tally.mends.some(({ products }) => products > 0))
    .map((tally) => [
      tally.grader,
      ...mends.items.map(({ name }) => String(tally.mends.find(({ mend }) => mend === name)?.kills ?? 0)),
    ]),
});

/** What each grader is: where it was read, what it asks, what it cannot see. */
const sourcesTable = ({ tallies }: GradersReport): Table => ({
  title: 'What was read, and what cannot be seen',
  columns: columnsOf('text', 'grader', 'what it is', 'what it asks', 'what it cannot see', 'read'),
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

const tablesOf = (report: GradersReport): Table[] => [
  heatTable(report),
  corpusTable(report),
  mendTable(report),
  gainsTable(report),
  sourcesTable(report),
];

/** Cost against kill rate, a mark a grader. */
function costFigure({ tallies }: GradersReport): Figure {
  const marks = tallies.map(({ grader, all, seconds }) => ({
    x: Math.max(1e-4, seconds),
    y: all.of === 0 ? Number.NaN : (100 * all.caught) / all.of,
    bar: [100 * all.low, 100 * all.high] as const,
    says: `${grader}: ${all.caught} of ${all.of} caught, ${duration(seconds)}`,
    tag: grader,
  }));
  return {
    title: 'Cost against what is caught',
    x: { label: 'seconds for a kernel that passes', scale: 'logarithmic' },
    y: { label: 'caught, per cent', scale: 'linear', include: [0, 100] },
    series: [{ draw: 'points', shape: 'own', hue: 'graders', marks }],
  };
}

/** What a reader has to know before the tables. */
function headOf({ specimens, seed, most }: GradersReport): string[] {
  const count = (corpus: string) => specimens.filter((one) => one.corpus === corpus).length;
  return [
    `${count('history')} wrong products of history, ${count('mutants')} mutants, ${count('cheats')} cheats and ${count('honest')} honest kernels, as other people's checks and ours see them. Seed ${seed}.`,
    `A product of more than ${magnitude(most)} multiplications is made smaller: its largest size is halved until it is not. What a kernel does not take is asked for by rows, without gaps and in place where that is the same product, else left out.`,
    'A grader is told anew from its source: what it asks, with which numbers, and what it compares. Memory of a GPU that was not written is zero here, as JavaScript has it, unless a grader fills it. A bug that a grader never asks for counts as missed: that is what is measured.',
  ];
}

/** The tables for a terminal: rates and changes. */
export function gradersText(report: GradersReport, look: Look): string {
  const head = [TITLE, ...headOf(report)].flatMap((line) => wrap(oneLine(line), look.width));
  const tables = [heatTable(report), corpusTable(report), mendTable(report)];
  return `${head.join('\n')}\n\n${terminalTables(tables, look)}`;
}

/** The report in GitHub's Markdown. */
export function gradersMarkdown(report: GradersReport): string {
  const { command, version, createdAt } = report;
  const made = `${code(command)}, gemm-paranoia ${plainText(version)}, ${plainText(createdAt)}`;
  const tables = tablesOf(report).map((table) => markdownSection(table, 2));
  return `${[`# ${TITLE}`, ...headOf(report).map(plainText), made, ...tables].join('\n\n')}\n`;
}

/** The report as one HTML file that needs no other. */
export function gradersPage(report: GradersReport): string {
  const { version, createdAt, command } = report;
  const made = factsOf('', [
    ['command', command],
    ['made', `${createdAt} by gemm-paranoia ${version}`],
  ]);
  const figure = html`<section id="cost"><h2>Cost against what is caught</h2>${htmlFigures([[costFigure(report)]])}</section>`;
  const [heat, ...others] = tablesOf(report).map(
    (table) => html`<section><h2>${oneLine(table.title)}</h2>${htmlTable(table)}</section>`,
  );
  const head = html`<h1>${TITLE}</h1>${headOf(report).map((line) => html`<p>${oneLine(line)}</p>`)}${htmlTable(made)}`;
  return frame(TITLE, html`${shapeDefinitions()}${head}<main id="main">${heat}${figure}${others}</main>`)
    .text;
}
