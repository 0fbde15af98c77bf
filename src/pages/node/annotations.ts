import { randomUUID } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { oneLine } from '../../base/printable.ts';
import { sayDisproved } from '../../run/overall.ts';
import type { Results } from '../../run/results.ts';
import { shownGroups } from '../failure-groups.ts';
import { sayingSmallest, smallestOf, titleOf } from '../group-text.ts';
import type { DefinedAt, Live, Place } from '../live.ts';

/** Most annotations that GitHub shows of one step. The report has the rest. */
const MOST = 10;
const LONGEST = 2000;

/** A failure as an annotation. */
interface Told {
  readonly kernel: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Writes annotations as workflow commands, one for each group of failures and for each disproved claim. Between the opening and the
 * closing, a random token stops workflow commands. So no output or name of a kernel acts as a command.
 */
export function startAnnotations({ GITHUB_WORKSPACE: root }: NodeJS.ProcessEnv = process.env): Live {
  const token = randomUUID();
  const shown = (place: Place | undefined) =>
    place === undefined ? undefined : { ...place, file: below(root || process.cwd(), place.file) };
  return {
    opening: `::stop-commands::${token}\n`,
    closing: (results, definedAt) =>
      `\n::${token}::\n${annotations(results, (kernel) => shown(definedAt(kernel)))}`,
  };
}

/** Returns a path relative to the root of the repository, if it lies there, as GitHub expects. */
function below(root: string, path: string): string {
  const found = relative(root, path);
  return found.startsWith('..') || isAbsolute(found) ? path : found.split(sep).join('/');
}

function annotations(results: Results, definedAt: DefinedAt): string {
  return [...failures(results), ...disproved(results)]
    .slice(0, MOST)
    .map((one) => command(one, definedAt(one.kernel)))
    .join('');
}

const failures = (results: Results): Told[] =>
  shownGroups(results).map((group) => ({
    kernel: group.example.kernel,
    title: titleOf(group),
    lines: [sayingSmallest(group), `replay: ${smallestOf(group).replay}`],
  }));

const disproved = ({ inspections = [] }: Results): Told[] =>
  inspections.flatMap(({ kernel, contradictions = [] }) =>
    contradictions.map((sentence) => ({
      ...{ kernel, title: `${kernel} is wrong` },
      lines: [sayDisproved(kernel, sentence)],
    })),
  );

function command({ title, lines }: Told, place: Place | undefined): string {
  const properties = Object.entries({ file: place?.file, line: place?.line, title: oneLine(title, LONGEST) })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${property(String(value))}`]))
    .join(',');
  const message = lines.map((line) => oneLine(line, LONGEST)).join('\n');
  return `::error ${properties}::${data(message)}\n`;
}

/** Escapes the characters that end a command or begin another. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
