import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import { removePraise } from './conclude.ts';
import { coverageOf, listsAll, skippedCasesOf } from './coverage.ts';
import { type FailureGroup, withShownExamples } from './groups/group.ts';
import { groupFailures } from './groups/group-failures.ts';
import { fitSeries } from './growth-series.ts';
import { fuzzVerdict, mergeFuzz } from './merge-fuzz.ts';
import { differingResults, notMergeable } from './messages.ts';
import { describeSkipped } from './omitted-cases.ts';
import { joinVersions } from './open-machine.ts';
import { countOutcomes, decideVerdict } from './overall.ts';
import type { Results } from './results.ts';
import { RESULTS_SCHEMA } from './results-schema.ts';
import { describeDifferences, type NamedResults, requireOneKind, waiverKey } from './same-kind.ts';
import { settleWaivers, withWaivedClaims } from './settled-waivers.ts';
import { type ReadWaiver, readWaiver, waive } from './waivers.ts';

export interface MergeOptions {
  /** True if runs of different kinds may be joined. For a case with different results, the worse is then kept. */
  readonly allowMixed: boolean;
  /** Fields of the joined results that say how they were made. */
  readonly stamp: Pick<Results, 'createdAt' | 'version' | 'command'>;
}

/**
 * Joins the results of several runs. The shards of a campaign give the results of the campaign. Series are fitted again, and waivers
 * are settled again by the date of the latest run. Where cases are missing, the verdict is not a pass.
 * @throws ParanoiaError `mixed-results`, `differing-results`, `not-mergeable`; those of {@link readWaiver} and of reading cases.
 */
export function mergeResults(sources: readonly NamedResults[], { allowMixed, stamp }: MergeOptions): Results {
  requireJoinable(sources);
  if (!allowMixed) requireOneKind(sources);
  const runs = sources.map(({ results }) => results);
  const joined = joinCases(sources, allowMixed);
  const { lacking, whole, missing: shards } = coverageOf(sources);
  const lacks = new Set(runs.flatMap(({ campaign }) => campaign?.lacks ?? []));
  const missing = lacks.size === 0 ? shards : [...(shards === undefined ? [] : [shards]), ...lacks].join(' ');
  const now = latest(runs, stamp.createdAt);
  const given = waiversOf(runs);
  const judged = joined.cases.map((result) => waive(result, given, now));
  const settled = settleWaivers(given, judged, { whole, now });
  const counts = runs.every(listsAll) ? { run: judged.length, ...countOutcomes(judged) } : summed(sources);
  const groups = withKnownShrunk(groupFailures(judged), runs);
  const drawn = runs.flatMap(({ fuzz }) => (fuzz === undefined ? [] : [fuzz]));
  const fuzz = drawn.length === 0 ? undefined : mergeFuzz(drawn);
  const cases = fuzz === undefined ? withShownExamples(judged, groups) : judged;
  const skipped = skippedCasesOf(runs);
  const summary = {
    planned: counts.run + lacking + skipped.length,
    ...counts,
    seconds: runs.reduce((sum, run) => sum + run.summary.seconds, 0),
    interrupted: lacking > 0 || runs.some((run) => !listsAll(run) && run.summary.interrupted),
  };
  const inspected = new Map(
    runs
      .flatMap((run) => run.inspections ?? [])
      .map((one) => [one.kernel, one] as const)
      .reverse(),
  );
  const inspections = removePraise([...inspected.values()].reverse(), cases);
  const waivers = withWaivedClaims(settled, inspections, judged);
  const notes = [
    ...new Set(runs.flatMap((run) => run.notes ?? [])),
    ...describeDifferences(sources),
    ...joined.notes,
  ];
  return {
    schema: RESULTS_SCHEMA,
    ...stamp,
    ...aboutOf(runs),
    ...(fuzz === undefined
      ? decideVerdict(summary, {
          waivers,
          inspections,
          missing,
          skipped: describeSkipped(skipped, cases),
        })
      : fuzzVerdict(runs, fuzz.findings.length, missing)),
    summary,
    ...(skipped.length === 0 ? {} : { skipped }),
    growth: fitSeries(cases),
    cases,
    ...(fuzz === undefined && groups.length > 0 ? { groups } : {}),
    mergedRuns: sources.map(provenance),
    ...(runs.some((run) => run.waivers !== undefined) ? { waivers } : {}),
    ...(inspections.length > 0 ? { inspections } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(fuzz === undefined ? {} : { fuzz }),
  };
}

/** Adds the shrunk examples of single runs to the groups of joined runs. */
function withKnownShrunk(groups: readonly FailureGroup[], runs: readonly Results[]): FailureGroup[] {
  const known = new Map(
    runs.flatMap((run) => run.groups ?? []).map((group) => [group.example, group.smallerExample]),
  );
  return groups.map((group) => {
    const shrunk = known.get(group.example);
    return shrunk === undefined ? group : { ...group, smallerExample: shrunk };
  });
}

/** @throws ParanoiaError `not-mergeable` for runs that cannot be joined with any option. */
function requireJoinable(sources: readonly NamedResults[]): void {
  for (const { file, results } of sources) {
    const refuse = (why: string) => notMergeable({ file, why });
    if (results.study !== undefined)
      throw refuse('it holds a study, and merge joins only runs of gate and fuzz');
    const other = sources.find(
      (source) => (source.results.fuzz === undefined) !== (results.fuzz === undefined),
    );
    if (other === undefined) continue;
    const [what, than] = results.fuzz === undefined ? ['gate', 'fuzz'] : ['fuzz', 'gate'];
    throw refuse(`it is a run of ${what}, and ${other.file} one of ${than}`);
  }
}

const COUNTS = [
  'run',
  'pass',
  'fail',
  'inconclusive',
  'waived',
  'comparedWithModel',
  'equalToModel',
] as const;
type Counts = Pick<Results['summary'], (typeof COUNTS)[number]>;

/**
 * Adds the counts of runs that hold only a few of their cases. Each run may be given once: a duplicate could not be detected later.
 * @throws ParanoiaError `not-mergeable`
 */
function summed(sources: readonly NamedResults[]): Counts {
  const seen = new Map<string, string>();
  for (const { file, results } of sources) {
    const { shard, campaign, command, seed } = results;
    const key = JSON.stringify([campaign?.id ?? command, seed, shard?.index, shard?.of]);
    const other = seen.get(key);
    if (other !== undefined) throw notMergeable({ file, why: `it is the same run as ${other}` });
    seen.set(key, file);
  }
  const total = (count: (typeof COUNTS)[number]) =>
    sources.reduce((sum, { results }) => sum + (results.summary[count] ?? 0), 0);
  const { waived, ...counts } = Object.fromEntries(
    COUNTS.map((count) => [count, total(count)]),
  ) as Required<Counts>;
  return waived === 0 ? counts : { ...counts, waived };
}

function provenance({ file, results: { command, createdAt, shard } }: NamedResults) {
  return {
    file,
    command,
    createdAt,
    ...(shard === undefined ? {} : { shard: `${shard.index}/${shard.of}` }),
  };
}

/** Returns the fields in which runs of one kind agree. For other runs, the first one's are returned. */
function aboutOf(
  runs: readonly Results[],
): Pick<Results, 'seed' | 'adapter' | 'arithmetic' | 'probe' | 'versions' | 'campaign'> {
  const [{ seed, adapter, arithmetic, campaign }] = runs;
  const probe = runs.find((run) => run.probe !== undefined)?.probe;
  const versions = joinVersions(runs.map((run) => run.versions ?? {}).reverse());
  const same = runs.every((run) => run.campaign?.id === campaign?.id);
  return {
    seed,
    adapter,
    arithmetic,
    ...(probe === undefined ? {} : { probe }),
    ...(Object.keys(versions).length === 0 ? {} : { versions }),
    ...(same && campaign !== undefined ? { campaign } : {}),
  };
}

/** A case result, with its run and its place. */
interface Placed {
  readonly result: CaseResult;
  readonly file: string;
  /** Index of its campaign, in the order of the arguments. */
  readonly campaign: number;
  readonly place: number;
}

/** Joins the cases of all runs, each once, in the order of its campaign. */
function joinCases(
  sources: readonly NamedResults[],
  allowMixed: boolean,
): { cases: CaseResult[]; notes: string[] } {
  const placed = new Map<string, Placed>();
  const differing: string[] = [];
  for (const one of sources.flatMap(placedCases(sources))) {
    // A case that fails after others is another case alone.
    const name = [...(one.result.after ?? []), one.result.case].join(' ');
    const other = placed.get(name);
    if (other === undefined) placed.set(name, one);
    else if (comparable(one.result) !== comparable(other.result)) {
      if (!allowMixed) throw differ(other, one);
      differing.push(name);
      placed.set(name, worse(other, one));
    }
  }
  const inOrder = [...placed.values()].sort((a, b) => a.campaign - b.campaign || a.place - b.place);
  const count = new Set(differing).size;
  const notes =
    count === 0
      ? []
      : [
          `The runs disagree on ${count === 1 ? 'one case' : `${count} cases`}; the worse result is kept: ${differing[0]}${count > 1 ? ', …' : ''}`,
        ];
  return { cases: inOrder.map(({ result }) => result), notes };
}

function placedCases(sources: readonly NamedResults[]): (source: NamedResults) => Placed[] {
  return (source) => {
    const { campaign: own, shard, cases } = source.results;
    const campaign = sources.findIndex(
      (other) => other === source || (own !== undefined && other.results.campaign?.id === own.id),
    );
    return cases.map((result, at) => ({
      ...{ result, file: source.file, campaign },
      place: shard === undefined ? at : (shard.places[at] ?? Number.MAX_SAFE_INTEGER),
    }));
  };
}

/**
 * Returns a result without the fields that may differ between runs of the same program on the same machine. Entries are only shown for
 * examples.
 */
function comparable(result: CaseResult): string {
  const { seconds: _s, judgingSeconds: _t, replay: _r, waiver: _w, excerpt: _e, maps: _m, ...rest } = result;
  return JSON.stringify(rest);
}

const SEVERITY: readonly Verdict[] = ['pass', 'inconclusive', 'fail'];

const worse = (a: Placed, b: Placed): Placed =>
  SEVERITY.indexOf(b.result.verdict) > SEVERITY.indexOf(a.result.verdict) ? b : a;

function differ(one: Placed, other: Placed): Error {
  return differingResults({
    case: one.result.case,
    one: one.file,
    other: other.file,
    verdicts: [one.result.verdict, other.result.verdict],
  });
}

/** Returns each waiver once. */
function waiversOf(runs: readonly Results[]): ReadWaiver[] {
  const all = runs.flatMap(({ waivers = [] }) => waivers);
  return [...new Map(all.map((waiver) => [waiverKey(waiver), waiver])).values()].map(
    ({ case: pattern, reason, expires, check }) =>
      readWaiver({ case: pattern, reason, expires, ...(check === undefined ? {} : { check }) }),
  );
}

/** Returns the time of the latest run. Waivers are judged by it, so that joining the same runs later changes nothing. */
function latest(runs: readonly Results[], otherwise: string): Date {
  const times = runs.map(({ createdAt }) => Date.parse(createdAt)).filter((time) => !Number.isNaN(time));
  return new Date(times.length === 0 ? otherwise : Math.max(...times));
}
