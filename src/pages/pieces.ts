import { toOneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { claimOf } from '../inspect/claim.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { precisions } from '../precision/precisions.ts';
import { formatCount } from '../report/numbers.ts';
import { firstLines, type TerminalStyle } from '../report/terminal/text.ts';
import { describeDisprovedClaim } from '../run/overall.ts';
import type { Results } from '../run/results.ts';
import { groupVersions, INDENT, listFailureGroups } from './failure.ts';
import { describeWaiver, relevantWaivers } from './standing.ts';
import { groupByReason } from './summary.ts';
import { findDifferingCase } from './verdict.ts';

/** Most lines of a note, and most groups of failures. */
const [NOTE_LINES, MOST_GROUPS] = [2, 40];

/** An optional part of the report, and its unit where parts left out are counted. */
export interface ReportPiece extends TextPart {
  readonly counts:
    | 'group of failures'
    | 'disproved claim'
    | 'reason why cases are inconclusive'
    | 'waiver'
    | 'note';
}

/** Returns all parts beside verdict and kernels, the most important first. @param file the file that holds all results */
export function listReportPieces(results: Results, look: TerminalStyle, file?: string): ReportPiece[] {
  const groups = listFailureGroups(results)
    .sort((x, y) => Number(x.later ?? false) - Number(y.later ?? false))
    .map(
      (group, at): ReportPiece => ({
        counts: 'group of failures',
        versions: at < MOST_GROUPS ? groupVersions(group, look, file) : [],
      }),
    );
  return spaced([
    ...disprovedPieces(results, look),
    ...groups,
    ...reasonPieces(results, look),
    ...waiverPieces(results, look),
    ...notePieces(results, look),
  ]);
}

/** Puts pieces of a line or two together below an empty line. */
function spaced(pieces: readonly ReportPiece[]): ReportPiece[] {
  return pieces.map((piece, at) => {
    const isFirst = piece.counts !== pieces[at - 1]?.counts && piece.counts !== 'group of failures';
    return isFirst ? { ...piece, versions: piece.versions.map((lines) => ['', ...lines]) } : piece;
  });
}

/** Returns the disproved claims of a kernel, with a claim that its outputs fit. */
function disprovedPieces(
  { inspections = [], cases }: Results,
  { colors, width }: TerminalStyle,
): ReportPiece[] {
  const isWrong = ({ checks }: CaseResult) =>
    checks.some(({ name, status }) => name === 'exact' && status === 'fail');
  const isRight = (kernel: string) => !cases.some((result) => result.kernel === kernel && isWrong(result));
  return inspections.flatMap((inspection) => {
    const { kernel, contradictions = [] } = inspection;
    const [first, ...others] = contradictions;
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : ` --verbose prints ${formatCount(others.length, 'more reason')}.`;
    const said = describeDisprovedClaim(toOneLine(kernel, LONGEST_NAME), toOneLine(first));
    const shown = firstLines(`${said}${more}`, width, NOTE_LINES).map(colors.red);
    const replay = `${INDENT}${colors.dim('replay:')} ${toOneLine(inspectCommand(kernel, cases))}`;
    const whole = [...shown, replay];
    const claim = claimLine(inspection, isRight(kernel));
    const versions =
      claim === undefined ? [whole] : [whole, [...whole, `${INDENT}${colors.dim('paste:')} ${claim}`]];
    return [{ counts: 'disproved claim', versions }];
  });
}

/** Returns the command that inspects a kernel, with the files and options by which its cases are judged. */
function inspectCommand(kernel: string, cases: readonly CaseResult[]): string {
  const gate = cases.find((result) => result.kernel === kernel)?.replay ?? 'npx gemm-paranoia gate';
  const command = gate.replace(' gate', ' inspect').replace(/ --case .*$/s, '');
  return command.includes(kernel) ? command : `${command} --kernel '${kernel}'`;
}

/** Writes a claim that fits the outputs, as a config or a file of Python has it; undefined where no claim mends the kernel. */
function claimLine(inspection: Inspection, isRight: boolean): string | undefined {
  const { kernel, precision, measures } = inspection;
  const known = precisions.get(precision);
  const style = /\.py(#|$)/.test(kernel) ? 'python' : 'javascript';
  const asJudged = { ...inspection, measures: { multiplies: isRight, ...measures } };
  const claim = known && claimOf(asJudged, known, style);
  return claim === undefined ? undefined : toOneLine(claim);
}

const LONGEST_NAME = 40;

function reasonPieces({ cases }: Results, { colors, width }: TerminalStyle): ReportPiece[] {
  const undecided = cases.filter(({ verdict }) => verdict === 'inconclusive');
  return groupByReason(undecided).map(({ reason, count, example }) => {
    const said = firstLines(
      `${formatCount(count, 'case')} inconclusive: ${toOneLine(reason)}`,
      width,
      NOTE_LINES,
    );
    const replay = `${INDENT}${colors.dim('replay one:')} ${toOneLine(example.replay)}`;
    return { counts: 'reason why cases are inconclusive', versions: [said, [...said, replay]] };
  });
}

function waiverPieces(results: Results, { width }: TerminalStyle): ReportPiece[] {
  return relevantWaivers(results).map((waiver) => ({
    counts: 'waiver',
    versions: [
      firstLines(
        `Waiver ${waiver.state}: ${describeWaiver(waiver)}: ${toOneLine(waiver.reason)} (${toOneLine(waiver.case)})`,
        width,
        NOTE_LINES,
      ),
    ],
  }));
}

/** Returns the notes. Facts on what was left out of a run are hidden beside failures. */
function notePieces(
  { notes = [], cases, inspections = [], verdict }: Results,
  { width }: TerminalStyle,
): ReportPiece[] {
  const kernels = [...cases, ...inspections].map(({ kernel }) => kernel);
  const unequal = verdict === 'fail' ? '' : findDifferingCase(cases);
  const all = [
    ...(unequal === '' ? [] : [`Results differ from the bit-exact model${unequal}.`]),
    ...sharedNotes(notes, kernels),
  ];
  return all.map((note) => ({
    counts: 'note',
    versions: verdict === 'fail' ? [] : [firstLines(toOneLine(note), width, NOTE_LINES)],
  }));
}

/** Most kernels that a shared note names. */
const NAMED = 3;

/** Merges notes that differ only in the kernel. A note names its kernel as a word. */
export function sharedNotes(notes: readonly string[], kernels: readonly string[]): string[] {
  const known = new Set(kernels);
  const shared = new Map<string, { readonly note: string; readonly others: string[] }>();
  for (const note of notes) {
    const words = note.split(' ');
    const at = words.findIndex((word) => known.has(word));
    const key = words.map((word, place) => (place === at ? '' : word)).join(' ');
    const same = shared.get(key);
    if (same === undefined) shared.set(key, { note, others: [] });
    else if (at >= 0) same.others.push(words[at]);
  }
  return [...shared.values()].map(({ note, others }) => `${note}${sameOf(others)}`);
}

function sameOf(others: readonly string[]): string {
  if (others.length === 0) return '';
  const named = others.slice(0, NAMED);
  const left = others.length - named.length;
  const parts = left > 0 ? [...named, `${left} more`] : named;
  const listed = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return ` The same applies to ${listed}.`;
}

/** A part of a text in versions, from the shortest to the longest. A part without room is left out. */
interface TextPart {
  readonly versions: readonly (readonly string[])[];
}

/**
 * Chooses a version of each part so that all fit into a number of lines. Every part in turn gets its first version as long as there is
 * room, then every part its next. So all parts are mentioned before one is shown in full.
 * @returns the index of each part's version; −1 for parts left out.
 */
export function fitParts(parts: readonly TextPart[], room: number): number[] {
  const chosen = parts.map(() => -1);
  let left = room;
  const longest = parts.reduce((most, { versions }) => Math.max(most, versions.length), 0);
  for (let version = 0; version < longest; version++) {
    for (const [at, { versions }] of parts.entries()) {
      const wanted = versions[version];
      // A part that was left out stays out: a later version is longer.
      if (wanted === undefined || chosen[at] !== version - 1) continue;
      const more = wanted.length - (versions[version - 1]?.length ?? 0);
      if (more > left) continue;
      chosen[at] = version;
      left -= more;
    }
  }
  return chosen;
}
