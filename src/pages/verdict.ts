import { EXIT } from '../base/errors.ts';
import { toOneLine } from '../base/printable.ts';
import type { Verdict } from '../evidence/case-result.ts';
import { formatCount, formatDuration } from '../report/numbers.ts';
import type { TerminalStyle } from '../report/terminal/text.ts';
import type { Results } from '../run/results.ts';
import { isEmptyShard } from '../run/shard.ts';

/** The meaning of each exit code, for the caller. */
export const EXIT_MEANING: Readonly<Record<Verdict, string>> = {
  pass: `exit code ${EXIT.pass}: no check failed`,
  fail: `exit code ${EXIT.fail}: a check failed`,
  inconclusive: `exit code ${EXIT.inconclusive}: not enough evidence for a pass or a fail`,
};

/** Returns the kind of device in a word. Kernels that need no adapter run on this computer's processor. */
export const kindOf = ({ kind, backend }: Results['adapter']): string =>
  backend === 'processor' ? backend : kind;

/** Describes the device in a few words. The processor is no adapter. */
export const placeInWords = ({
  name,
  kind,
  backend,
}: Pick<Results['adapter'], 'name' | 'kind' | 'backend'>): string =>
  backend === 'processor'
    ? `the CPU (${toOneLine(name, LONGEST_NAME)})`
    : `${toOneLine(name, LONGEST_NAME)} (${kind})`;

/** Longest name of an adapter in full. Names come from drivers. */
const LONGEST_NAME = 60;

/** The end of a sentence, removed where more follows. */
const FULL_STOP = /\.$/;

export function verdictSentence(results: Results): string {
  const { verdict, reason } = results;
  return `${verdict.toUpperCase()}: ${toOneLine(reason).replace(FULL_STOP, '')} (${exitMeaning(results)}).`;
}

/** Returns the function that colors a verdict. */
export const paintVerdict =
  ({ verdict }: Pick<Results, 'verdict'>, { colors }: TerminalStyle) =>
  (text: string): string =>
    colors[PAINTS[verdict]](colors.bold(text));

const PAINTS = { pass: 'green', fail: 'red', inconclusive: 'yellow' } as const;

/** Returns the exit code of a run: that of its verdict, but an empty shard fails no job. */
export const exitCodeOf = (results: Pick<Results, 'verdict' | 'shard' | 'summary' | 'fuzz'>): number =>
  isEmptyShard(results) ? EXIT.pass : EXIT[results.verdict];

/** Explains the exit code. With waivers, a pass promises less, and a failure may be due to them. */
function exitMeaning(results: Results): string {
  const { verdict, summary, waivers = [] } = results;
  const { fail, waived = 0 } = summary;
  if (isEmptyShard(results)) return `exit code ${EXIT.pass}: merge judges the shards together`;
  if (verdict === 'pass' && (waived > 0 || waivers.some(({ kernels }) => kernels !== undefined)))
    return `exit code ${EXIT.pass}: no other check failed`;
  const ofWaivers = waivers.some(({ state }) => state === 'unused' || state === 'expired');
  if (verdict === 'fail' && fail === waived && ofWaivers)
    return `exit code ${EXIT.fail}: a waiver does not hold`;
  return EXIT_MEANING[verdict];
}

/** Names a case whose bits differ from the model's, as the first one to examine. */
export function findDifferingCase(cases: Results['cases']): string {
  const found = cases.find(({ equalsModel }) => equalsModel === false);
  return found === undefined ? '' : ` (first difference: ${toOneLine(found.case)})`;
}

export function tallySentence({ summary, seed, shard, cases }: Results): string {
  const { run, planned, pass, fail, inconclusive, comparedWithModel, equalToModel, seconds, interrupted } =
    summary;
  const { waived = 0 } = summary;
  const ran =
    run === planned ? formatCount(run, 'case') : `${run} of ${formatCount(planned, 'planned case')}`;
  const part = shard === undefined ? '' : ` (shard ${shard.index} of ${shard.of})`;
  const model =
    comparedWithModel === 0
      ? 'none compared with the bit-exact model'
      : `${equalToModel} of ${comparedWithModel} equal the bit-exact model${findDifferingCase(cases)}`;
  const letThrough = waived === 0 ? '' : `${waived} waived, `;
  const counts = `${pass} pass, ${fail - waived} fail, ${letThrough}${inconclusive} inconclusive; ${model}`;
  return `${ran}${part} in ${formatDuration(seconds)}, seed ${seed}: ${counts}${interrupted ? '; interrupted' : ''}.`;
}
