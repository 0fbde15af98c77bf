import * as z from 'zod/mini';
import { ParanoiaError } from '../base/errors.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { readExcerpt } from '../pages/read-results.ts';
import { parseCase } from '../problem/case.ts';
import type { Results } from '../run/results.ts';
import { fragmentOf, textOf } from './link.ts';
import { badLink } from './messages.ts';
import { replayOfPasted } from './pasted.ts';
import { type SpeedRow, speed } from './speeds.ts';

/** The results that the page shows, and from which files and links are made. */
export interface ShownResults {
  readonly results: Results;
  readonly speeds: readonly SpeedRow[];
}

/** Numbers of cases that a link may hold in addition to the examples of failures; the first that fits is used. */
const CASES = [1000, 300, 150, 80, 40, 20, 0] as const;

/**
 * Makes the fragment of an address that shows results again. It holds the verdict, groups of failures with their examples,
 * growth, inspections, the device's arithmetic, and as many cases as fit.
 * @returns undefined if nothing fits
 */
export async function linkOf({ results, speeds }: ShownResults): Promise<string | undefined> {
  for (const most of CASES) {
    const fragment = await fragmentOf(JSON.stringify({ results: brief(results, most), speeds }));
    if (fragment !== undefined) return fragment;
  }
  return undefined;
}

/** Reduces results to fewer and shorter cases: failures come first, then the series, from which figures are drawn. */
function brief(results: Results, most: number): Results {
  const { cases, groups = [], notes = [] } = results;
  const examples = new Set(groups.map(({ example }) => example));
  const rank = (one: CaseResult) =>
    examples.has(one.case) ? 0 : one.verdict !== 'pass' ? 1 : one.series ? 2 : 3;
  const wanted = [...cases.entries()]
    .sort(([, one], [, other]) => rank(one) - rank(other))
    .slice(0, examples.size + most)
    .map(([at]) => at)
    .sort((one, other) => one - other);
  const places = new Map(wanted.map((at, place) => [at, place]));
  const left = cases.length - wanted.length;
  const said =
    left === 0 ? [] : [`The link holds ${wanted.length} of ${cases.length} cases; the verdict covers all.`];
  return {
    ...results,
    cases: wanted.map((at) => briefCase(cases[at], examples.has(cases[at].case))),
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map((group) => ({
            ...group,
            cases: group.cases.flatMap((at) => places.get(at) ?? []),
          })),
        }),
    ...(results.skipped === undefined ? {} : { skipped: results.skipped.slice(0, 3) }),
    notes: [...notes, ...said],
  };
}

/** Shortens a case. Cases that are no examples keep only the numbers of tables and figures; commands follow from the case. */
function briefCase({ histogram: _, errorMap: __, ...result }: CaseResult, isExample: boolean): CaseResult {
  if (isExample) return { ...result, replay: '' };
  const { maps: _m, excerpt: _e, judgingSeconds: _t, ...rest } = result;
  const shown = rest.checks.filter(({ status, name }) => status !== 'pass' || name === 'sigma');
  const checks = shown.map((check) => (check.status === 'pass' ? { ...check, message: '' } : check));
  return { ...rest, checks, replay: '', ...(rest.verdict === 'pass' ? { reason: '' } : {}) };
}

const payload = z.object({ results: z.unknown(), speeds: z.array(speed).check(z.maxLength(200)) });

/**
 * Reads the results in a link. Anyone may have written its texts: none of them is run, and commands are rebuilt from the cases.
 * @throws ParanoiaError `bad-link`, `newer-link`, `newer-results`
 */
export async function shownOf(fragment: string): Promise<ShownResults> {
  const text = await textOf(fragment);
  const why = 'it does not hold results of this page';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badLink({ why }, error);
  }
  const { data, error } = payload.safeParse(value);
  if (data === undefined) throw badLink({ why }, error);
  return {
    results: withCommands(readExcerpt(JSON.stringify(data.results), 'The content of the link')),
    speeds: data.speeds,
  };
}

/** Replaces the commands of results by those that follow from their cases. */
function withCommands(results: Results): Results {
  const { groups } = results;
  return {
    ...results,
    cases: results.cases.map((result) => ({ ...result, replay: commandOf(result.case) })),
    ...(groups === undefined
      ? {}
      : {
          groups: groups.map(({ smallerExample, ...group }) => ({
            ...group,
            ...(smallerExample === undefined
              ? {}
              : { smallerExample: { ...smallerExample, replay: commandOf(smallerExample.case) } }),
          })),
        }),
  };
}

/** Characters of a case's text: none of them ends the quotes of a command, in any shell. */
const PLAIN = /^[\w=;:.,+*@#/-]+$/;

/** The command that runs a case. @throws ParanoiaError `bad-link` */
function commandOf(text: string): string {
  if (!PLAIN.test(text)) throw badLink({ why: 'it names an invalid case' });
  try {
    const { kernel } = parseCase(text);
    return replayOfPasted(kernel)(text);
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    throw badLink({ why: `it names an invalid case (${error.message})` }, error);
  }
}
