import type { Random } from '../../base/random.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Marking } from './marks.ts';
import { agree, isTelling } from './plausible.ts';
import type { Found } from './protocol.ts';

/** Judges cases here, under marks if so; what it cannot judge is left out. */
export type JudgeHere = (texts: readonly string[], marking?: Marking) => Promise<readonly CaseResult[]>;

/** What came of judging some cases of a batch here as well. */
export type Spotted =
  /** So many agree. */
  | { readonly agreed: number }
  /** One does not, of which both say that they have the bits of the mirror. */
  | { readonly lie: string };

/**
 * Judges drawn cases of a batch here as well. Whoever sent it cannot know which: of n cases, f of them invented, c that are drawn
 * show it with the probability 1 − C(n − f, c) / C(n, c), which is one where all are invented.
 * @param count cases of each batch.
 */
export async function spotCheck(
  found: Found,
  count: number,
  random: Pick<Random, 'uniform01'>,
  judge: JudgeHere,
): Promise<Spotted> {
  const claimed = found.cases.filter((result) => result.mirrorEqual === true && isTelling(result.case));
  const drawn: CaseResult[] = [];
  while (drawn.length < count && claimed.length > 0)
    drawn.push(...claimed.splice(Math.floor(random.uniform01() * claimed.length), 1));
  if (drawn.length === 0) return { agreed: 0 };
  const ours = new Map((await judge(drawn.map((one) => one.case))).map((one) => [one.case, one]));
  let agreed = 0;
  for (const theirs of drawn) {
    const own = ours.get(theirs.case);
    if (own?.mirrorEqual !== true) continue;
    if (!agree(theirs, own))
      return { lie: `its numbers of ${theirs.case} are not those of any right product` };
    agreed++;
  }
  return { agreed };
}
