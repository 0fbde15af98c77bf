import type { Fuzz } from '../gate/results.ts';
import { columnsOf, wrap } from '../report/columns.ts';
import { oneLine } from '../report/printable.ts';
import type { Look } from '../report/table.ts';

/** What a campaign visited, as a table. */
export function coverageText({ coverage }: Fuzz, { colors, width }: Look): string {
  const { counts, exponents } = coverage;
  const heading = { heading: 'visited', text: true };
  const rows = Object.entries(counts)
    .filter(([, seen]) => Object.keys(seen).length > 0)
    .flatMap(([topic, seen]) => {
      const said = Object.entries(seen)
        .sort(([, x], [, y]) => y - x)
        .map(([name, count]) => `${oneLine(name)} ${count}`)
        .join(', ');
      return wrap(said, width - TOPIC).map((line, at) => [at === 0 ? topic : '', line]);
    });
  const ranges = (['a', 'b', 'c'] as const).flatMap((matrix) => {
    const range = exponents[matrix];
    return range === undefined ? [] : [`${matrix.toUpperCase()} from 2^${range.least} to 2^${range.largest}`];
  });
  const seen = ranges.length === 0 ? [] : [['sizes of entries', ranges.join(', ')]];
  const columns = [heading, { heading: 'cases', text: true }];
  return `${columnsOf(columns, [...rows, ...seen], width, colors.bold).join('\n')}\n`;
}

/** Columns of a terminal that the topics take. */
const TOPIC = 20;

/** The commands that lead to a violation again. */
export function replayText(
  finding: Fuzz['findings'][number],
  gate: string,
  fuzz: string | undefined,
  { colors }: Look,
): string {
  const { case: text, drawn, check, message, shrinks, unsteady } = finding;
  const again =
    unsteady === undefined ? [] : [`not every time: it failed ${unsteady.failed} of ${unsteady.runs} times`];
  const lines = [
    oneLine(message),
    ...(drawn === text ? [] : [`drawn as ${drawn}; made simpler ${shrinks} times`]),
    ...again,
    `replay: ${gate}`,
    ...(fuzz === undefined ? [] : [`from the seed: ${fuzz}`]),
  ];
  return `${colors.red(colors.bold('VIOLATION'))} of "${oneLine(check)}": ${oneLine(text)}\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** The largest errors that a search found. */
export function championsText(champions: NonNullable<Fuzz['champions']>): string {
  return champions
    .map(({ case: text, objective, value, replay }) => {
      return `${Number(value.toPrecision(4))} ${objective}: ${oneLine(text)}\n  replay: ${oneLine(replay)}\n`;
    })
    .join('');
}
