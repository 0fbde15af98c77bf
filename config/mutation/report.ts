import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { MutantStatus } from '@stryker-mutator/api/core';
import { filesBelow } from './files.ts';
import type { Candidate } from './mutants.ts';
import { reports, SEED, strata, testFolders } from './scope.ts';

/** A sampled mutant and what the tests made of it. */
export interface Outcome extends Candidate {
  readonly status: MutantStatus;
  readonly reason?: string | undefined;
}

/** A row of the report. Killed and endless mutants raise the score; all others but static and invalid ones lower it. */
interface Row {
  readonly stratum: string;
  readonly mutants: number;
  readonly sampled: number;
  /** A test failed. */
  readonly killed: number;
  /** Timeouts whose explanation says why the loop never ends: no clock decides. */
  readonly endless: number;
  readonly survived: number;
  readonly noCoverage: number;
  /** All other timeouts. */
  readonly timeout: number;
  /** Evaluated while modules load: not tried. */
  readonly static: number;
  /** Stryker could not try them. */
  readonly invalid: number;
  /** Killed and endless in percent of sampled, without static and invalid ones. */
  readonly score: number;
}

/** One clause for each mutant that no test kills, by its id. */
type Explanations = Readonly<Record<string, string>>;

/** A room's lines and branches that unit tests run, in percent. */
interface Covered {
  readonly lines: number;
  readonly branches: number;
}

/** The numbers that later runs are compared with. */
interface Before {
  readonly scores: Readonly<Record<string, number>>;
  readonly coverage: Readonly<Record<string, Covered>>;
  readonly testLines: number;
  /** Scores of 40 mutants a room of another seed, for which no test was written. */
  readonly unseen?: Readonly<Record<string, number>>;
}

const UNEXPLAINED = 'unexplained';
const explanationsFile = new URL('survivors.json', import.meta.url);
const beforeFile = new URL('before.json', import.meta.url);

const readJson = <T>(file: URL | string, otherwise: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : otherwise;

/** Lines of tests and of their helpers. */
export function countTestLines(): number {
  return testFolders
    .flatMap(filesBelow)
    .filter((file) => /\.(test|testing|check)\.ts$/.test(file))
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

/** True if a mutant's loop is explained never to end. */
const isEndless = ({ id, status }: Outcome, explanations: Explanations): boolean =>
  status === 'Timeout' && explanations[id]?.startsWith('endless: ') === true;

/** The row of some outcomes. */
function rowOf(
  stratum: string,
  mutants: number,
  outcomes: readonly Outcome[],
  explanations: Explanations,
): Row {
  const count = (...statuses: readonly MutantStatus[]) =>
    outcomes.filter(({ status }) => statuses.includes(status)).length;
  const endless = outcomes.filter((one) => isEndless(one, explanations)).length;
  const [killed, survived, noCoverage] = [count('Killed'), count('Survived'), count('NoCoverage')];
  const timeout = count('Timeout') - endless;
  return {
    stratum,
    mutants,
    sampled: outcomes.length,
    ...{ killed, endless, survived, noCoverage, timeout },
    static: count('Ignored'),
    invalid: count('RuntimeError', 'CompileError'),
    score:
      Math.round((1000 * (killed + endless)) / (killed + endless + survived + noCoverage + timeout)) / 10,
  };
}

/** Text in a cell of a table: short, on one line, as code. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const short = line.length > 60 ? `${line.slice(0, 57)}…` : line;
  return `\`\`${short.replaceAll('|', '\\|') || ' '}\`\``;
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const percent = (value: number | undefined): string => (value === undefined ? '–' : `${value.toFixed(1)} %`);

/** Writes the report and its numbers; the first run's numbers become those that later ones are compared with. */
export function writeReport(outcomes: readonly Outcome[], sizes: ReadonlyMap<string, number>): void {
  const explanations = readJson<Explanations>(explanationsFile, {});
  const rows = strata.map(({ name }) =>
    rowOf(
      name,
      sizes.get(name)!,
      outcomes.filter(({ stratum }) => stratum === name),
      explanations,
    ),
  );
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const total = rowOf('all', all, outcomes, explanations);
  const coverage = readJson<Record<string, Covered>>(`${reports}/coverage.json`, {});
  const testLines = countTestLines();
  const now: Before = {
    scores: Object.fromEntries([...rows, total].map(({ stratum, score }) => [stratum, score])),
    coverage,
    testLines,
  };
  if (!existsSync(beforeFile)) writeFileSync(beforeFile, `${JSON.stringify(now, null, 2)}\n`);
  const before = readJson<Before>(beforeFile, now);
  const alive = outcomes
    .filter(({ status }) => ['Survived', 'NoCoverage', 'Timeout'].includes(status))
    .map(({ id, stratum, status, file, line, column, mutator, original, replacement }) => ({
      id,
      stratum,
      status,
      file,
      line,
      column,
      mutator,
      original: original.slice(0, 200),
      replacement: replacement.slice(0, 200),
      why: explanations[id] ?? UNEXPLAINED,
    }));

  const columns: readonly (readonly [string, (row: Row) => string | number])[] = [
    ['room', (row) => row.stratum],
    ['mutants', (row) => row.mutants],
    ['sampled', (row) => row.sampled],
    ['static', (row) => row.static],
    ['invalid', (row) => row.invalid],
    ['killed', (row) => row.killed],
    ['endless', (row) => row.endless],
    ['survived', (row) => row.survived],
    ['no coverage', (row) => row.noCoverage],
    ['timeout', (row) => row.timeout],
    ['score', (row) => percent(row.score)],
    ['before', (row) => percent(before.scores[row.stratum])],
    ['unseen', (row) => percent(before.unseen?.[row.stratum])],
  ];
  mkdirSync(reports, { recursive: true });
  writeFileSync(
    `${reports}/mutation.json`,
    `${JSON.stringify({ seed: SEED, before, testLines, rows: [...rows, total], alive }, null, 1)}\n`,
  );
  const survivors = strata.flatMap(({ name }) => {
    const those = alive.filter(({ stratum }) => stratum === name);
    if (those.length === 0) return [];
    return [
      `### ${name}`,
      table(
        ['mutant', 'place', 'mutator', 'original', 'replacement', 'status', 'why'],
        those.map((x) => [
          x.id,
          `${x.file}:${x.line}:${x.column}`,
          x.mutator,
          cell(x.original),
          cell(x.replacement),
          x.status,
          x.why,
        ]),
      ),
    ];
  });
  writeFileSync(
    `${reports}/README.md`,
    `${[
      '# Mutation scores and coverage',
      `This page shows how many bugs the unit tests would miss. \`npm run mutation\` draws mutants of seven rooms by the fixed seed \`${SEED}\`. Stryker tries each on the unit tests. The command writes this page and \`mutation.json\`; \`npm run coverage\` writes \`coverage.json\`. "Before" is the run that \`config/mutation/before.json\` keeps.`,
      table(
        columns.map(([title]) => title),
        [...rows, total].map((row) => columns.map(([, of]) => of(row))),
      ),
      table(
        ['term', 'meaning'],
        [
          ['score', 'the share of killed and endless mutants among all that were tried'],
          [
            'endless',
            'a timeout whose explanation says why the loop never ends; any other timeout counts as alive',
          ],
          ['static', 'a mutant of code that runs while modules load; not tried'],
          ['evidence', 'the room without `evidence/checks`'],
          [
            'tests',
            'those of the rooms, and the laws and contracts that `config/mutation/scope.ts` names; they open no device, so `npm test` kills at least as many',
          ],
          [
            'left out',
            '`exact/node/pool.ts` and `exact/node/worker.ts`, which run as built files in threads',
          ],
          [
            'unseen',
            'the score of 40 mutants per room of the seed `gemm-paranoia 4`, tried once: an estimate for all mutants, within about 12 points',
          ],
        ],
      ),
      'Tests were written for mutants of this sample, so its score is higher than that of all mutants. "Unseen" killed 33 of 39, 36 of 39 and 35 of 40; without the 12 of earlier samples, 29 of 34, 32 of 35 and 32 of 37. For the seed `gemm-paranoia 2`, before the last tests of the three rooms, it was 76.3 %, 64.1 % and 82.1 %.',
      '## Coverage',
      table(
        ['room', 'lines', 'before', 'branches', 'before'],
        Object.entries(coverage).map(([room, { lines, branches }]) => [
          room,
          percent(lines),
          percent(before.coverage[room]?.lines),
          percent(branches),
          percent(before.coverage[room]?.branches),
        ]),
      ),
      `Tests and their helpers have ${testLines} lines (before: ${before.testLines}).`,
      '## Survivors',
      ...survivors,
    ].join('\n\n')}\n`,
  );
  const open = alive.filter(({ why }) => why === UNEXPLAINED).length;
  if (open > 0) console.log(`${open} mutants live without an explanation in config/mutation/survivors.json`);
}
