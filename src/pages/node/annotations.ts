import { randomUUID } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { toOneLine } from '../../base/printable.ts';
import { describeDisprovedClaim } from '../../run/overall.ts';
import type { Results } from '../../run/results.ts';
import { describeSmallest, groupTitle, listFailureGroups, smallestOf } from '../failure.ts';
import type { DefinitionLookup, LiveOutput, SourceLocation } from '../live.ts';

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
export function startAnnotations({ GITHUB_WORKSPACE: root }: NodeJS.ProcessEnv = process.env): LiveOutput {
  const token = randomUUID();
  const shown = (place: SourceLocation | undefined) =>
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

function annotations(results: Results, definedAt: DefinitionLookup): string {
  return [...failures(results), ...disproved(results)]
    .slice(0, MOST)
    .map((one) => command(one, definedAt(one.kernel)))
    .join('');
}

const failures = (results: Results): Told[] =>
  listFailureGroups(results).map((group) => ({
    kernel: group.example.kernel,
    title: groupTitle(group),
    lines: [describeSmallest(group), `replay: ${smallestOf(group).replay}`],
  }));

const disproved = ({ inspections = [] }: Results): Told[] =>
  inspections.flatMap(({ kernel, contradictions = [] }) =>
    contradictions.map((sentence) => ({
      ...{ kernel, title: `${kernel} is wrong` },
      lines: [describeDisprovedClaim(kernel, sentence)],
    })),
  );

function command({ title, lines }: Told, place: SourceLocation | undefined): string {
  const properties = Object.entries({
    file: place?.file,
    line: place?.line,
    title: toOneLine(title, LONGEST),
  })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${property(String(value))}`]))
    .join(',');
  const message = lines.map((line) => toOneLine(line, LONGEST)).join('\n');
  return `::error ${properties}::${data(message)}\n`;
}

/** Escapes the characters that end a command or begin another. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
