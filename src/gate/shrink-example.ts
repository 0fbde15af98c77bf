import { catchParanoiaErrorAsync, ParanoiaError } from '../base/errors.ts';
import { replayCommand } from '../evidence/result-of.ts';
import { caseArbitrary } from '../fuzz/case-arbitrary.ts';
import { targetOf } from '../fuzz/target.ts';
import { listDefaultInputs } from '../inputs/inputs.ts';
import { type Case, formatCase, parseCase } from '../problem/case.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import { type GroupConstraints, mistakeOf } from '../run/groups/group-failures.ts';
import { choiceOf } from '../run/kernel-of.ts';
import { type CaseOutcome, failedCheck, type Scheduler } from '../run/scheduler.ts';

/** Options of the search for smaller examples. */
export interface ShrinkOptions {
  readonly judge: Pick<Scheduler, 'one' | 'kernel' | 'items' | 'renew'>;
  /** True if the search must end with what it has. Asked before every case. */
  readonly stop: () => boolean;
  /** Returns the command that runs a case alone. @defaultValue through `npx` */
  readonly replay?: ((text: string) => string) | undefined;
  /** Most tried cases of each group. @defaultValue 100 */
  readonly most?: number | undefined;
  /** The bounds of each group, at its index. @defaultValue none */
  readonly bounds?: readonly GroupConstraints[] | undefined;
}

/** Adds to each group a case that is smaller than its example and fails in the same way, if one is found. */
export async function withShrunk(
  groups: readonly FailureGroup[],
  options: ShrinkOptions,
): Promise<FailureGroup[]> {
  const all: FailureGroup[] = [];
  for (const [at, group] of groups.entries()) {
    // Errors of a lost machine do not change earlier findings.
    const smaller = await catchParanoiaErrorAsync(
      smallerThan(parseCase(group.example), options, options.bounds?.[at]),
    );
    if (smaller === undefined || smaller instanceof ParanoiaError) all.push(group);
    else {
      const { case: text, reason, excerpt, maps } = smaller.result;
      const replay = (options.replay ?? replayCommand)(text);
      const seen = { ...(excerpt === undefined ? {} : { excerpt }), ...(maps === undefined ? {} : { maps }) };
      all.push({ ...group, smallerExample: { case: text, replay, reason, ...seen } });
    }
  }
  return all;
}

const ANY: GroupConstraints = { holds: () => true, mistakes: new Set() };

/** Largest example that is judged again, in products of two entries. */
const LARGEST = 2 ** 26;

/**
 * Shrinks a failing case field by field, as fuzzing does. It must stay in its group, fail the same check twice in a row, and look like no
 * mistake of other failures. The smallest must also fail in a kernel that has computed nothing before, as its replay does.
 * @returns undefined where no smaller case fails.
 */
async function smallerThan(
  example: Case,
  { judge, stop, most = 100 }: ShrinkOptions,
  { holds, mistakes }: GroupConstraints = ANY,
): Promise<CaseOutcome | undefined> {
  const { fault, problem } = example;
  if (stop() || problem.m * problem.k * problem.n * problem.batch > LARGEST) return undefined;
  const start = await judge.one(example);
  const check = failedCheck(start);
  // A case that does not run may take its whole time limit each time, unless its kernel throws.
  if (check === undefined || (check === 'runs' && start.threw !== true)) return undefined;
  const target = targetOf(await judge.kernel(choiceOf(example)), { fault });
  const { inputs } = judge.items;
  const families = [...new Set([...listDefaultInputs(inputs), inputs.find(problem.input)])];
  const maxSize = Math.max(problem.m, problem.k, problem.n, 1);
  const arbitrary = caseArbitrary(target, { maxSize, families });
  const mistake = mistakeOf(start.result);
  const isOther = ({ result }: CaseOutcome) => {
    const found = mistakeOf(result);
    return found !== undefined && found !== mistake && mistakes.has(found);
  };
  const isSame = (judged: CaseOutcome) =>
    failedCheck(judged) === check && judged.threw === start.threw && !isOther(judged);
  const fails = async (value: Case): Promise<CaseOutcome | undefined> => {
    const first = holds(value) ? await tried(judge, value) : undefined;
    return first !== undefined && isSame(first) && isSame(await judge.one(value)) ? first : undefined;
  };
  const alone = async (judged: CaseOutcome): Promise<CaseOutcome | undefined> => {
    await judge.renew(judged.case);
    const again = await judge.one(judged.case);
    return isSame(again) ? again : undefined;
  };
  const seen = new Set([formatCase(example)]);
  let best: CaseOutcome | undefined;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const { value } of arbitrary.shrink(best?.case ?? example, undefined)) {
      if (stop() || seen.size > most) return best && alone(best);
      const text = formatCase(value);
      if (seen.has(text)) continue;
      seen.add(text);
      const judged = await fails(value);
      if (judged === undefined) continue;
      [best, isSmaller] = [judged, true];
      break;
    }
  }
  return best && alone(best);
}

/** Judges a smaller case. Undefined if it cannot be made: it then does not count as a failure. */
async function tried(judge: ShrinkOptions['judge'], value: Case): Promise<CaseOutcome | undefined> {
  const judged = await catchParanoiaErrorAsync(judge.one(value));
  return judged instanceof ParanoiaError ? undefined : judged;
}
