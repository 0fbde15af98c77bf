import { mixedResults } from './messages.ts';
import type { Results } from './results.ts';

/** Results with their name in messages, usually a path. */
export interface NamedResults {
  readonly file: string;
  readonly results: Results;
}

/** A property that joinable results must share, with two runs in which it differs. */
interface Difference {
  readonly what: string;
  readonly sources: readonly [NamedResults, NamedResults];
  readonly values: readonly [string, string];
}

/** Properties that joined runs must share, as texts. */
const kinds: readonly { readonly what: string; readonly of: (results: Results) => string }[] = [
  { what: 'adapters', of: ({ adapter }) => adapter.id },
  { what: 'versions of gemm-paranoia', of: ({ version }) => version },
  { what: 'measured arithmetic', of: ({ arithmetic }) => pairs(arithmetic) },
  { what: 'seeds', of: ({ seed }) => String(seed) },
  { what: 'sources of config and kernels', of: ({ campaign }) => campaign?.sources ?? 'not stated' },
  { what: 'campaigns', of: campaignOfResults },
  { what: 'numbers of shards', of: ({ shard }) => String(shard?.of ?? 'unsharded') },
  { what: 'waivers', of: ({ waivers = [] }) => waivers.map(waiverKey).join(', ') || 'none' },
];

/** Flags in which the commands of shards of one campaign differ. */
const OF_A_SHARD = / --(shard|out|reporter)[= ]\S+/g;

/** Identifies a campaign by its cases where a run names them, else by its command. */
export function campaignOfResults({ campaign, command }: Results): string {
  return campaign === undefined
    ? `"${command.replace(OF_A_SHARD, '')}"`
    : `${campaign.cases} cases, ${campaign.id}`;
}

/** Returns the key that identifies a waiver. */
export function waiverKey({
  case: pattern,
  reason,
  expires,
  check,
}: {
  readonly case: string;
  readonly reason: string;
  readonly expires: string;
  readonly check?: string | undefined;
}): string {
  return JSON.stringify([pattern, reason, expires, check]);
}

const pairs = (record: object): string =>
  Object.entries(record)
    .map(([key, value]) => `${key} ${String(value)}`)
    .sort()
    .join(', ');

/** Finds the differences of runs that should be of one kind, each from the first. */
export function differences([first, ...others]: readonly NamedResults[]): Difference[] {
  const found = kinds.flatMap(({ what, of }) => {
    const other = others.find(({ results }) => of(results) !== of(first.results));
    if (other === undefined) return [];
    const values = [of(first.results), of(other.results)] as const;
    return [{ what, sources: [first, other] as const, values }];
  });
  return [...found, ...versionDifferences([first, ...others])];
}

/** Finds differing versions of kernels. A run reports only kernels that it ran, so only kernels of two runs are compared. */
function versionDifferences(sources: readonly NamedResults[]): Difference[] {
  const seen = new Map<string, { source: NamedResults; versions: string }>();
  const found = new Map<string, Difference>();
  for (const source of sources) {
    for (const [kernel, all] of Object.entries(source.results.versions ?? {})) {
      const versions = pairs(all);
      const earlier = seen.get(kernel) ?? { source, versions };
      seen.set(kernel, earlier);
      if (earlier.versions === versions || found.has(kernel)) continue;
      found.set(kernel, {
        what: `versions of ${kernel}`,
        sources: [earlier.source, source],
        values: [earlier.versions, versions],
      });
    }
  }
  return [...found.values()];
}

/** Checks that runs are of one kind. @throws ParanoiaError `mixed-results` */
export function requireOneKind(sources: readonly NamedResults[]): void {
  const [difference] = differences(sources);
  if (difference === undefined) return;
  const { what, values } = difference;
  const [one, other] = difference.sources.map(({ file }) => file);
  throw mixedResults({ what, one, other, values });
}

/** Returns a sentence on each difference of runs. */
export function describeDifferences(sources: readonly NamedResults[]): string[] {
  return differences(sources).map(({ what, sources: [one, other], values }) => {
    return `The merged runs differ in their ${what}: ${values[0]} (${one.file}) and ${values[1]} (${other.file}).`;
  });
}
