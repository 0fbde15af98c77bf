import { badItem, unknownName } from './messages.ts';

/** What help and documents print of anything that has a name. */
export interface Item {
  readonly name: string;
  /** One clause: what it is. */
  readonly what: string;
  /** Where it comes from: a paper, a standard; {@link OURS} where nobody else had it. The package's own items all say. */
  readonly source?: string;
}

/** The source of what this package made up itself. */
export const OURS = 'gemm-paranoia';

/** Items of one kind by name, in order; never changed, only extended to another registry. */
export interface Registry<T extends Item> {
  readonly items: readonly T[];
  /** Their names, in order. */
  readonly names: readonly string[];
  /** The item of a name, if there is one. */
  get(name: string): T | undefined;
  /** @throws ParanoiaError `unknown-name` */
  find(name: string): T;
  /**
   * These items and more.
   * @param by whoever brings them, as messages say it. @defaultValue the config
   * @throws ParanoiaError `bad-item` for a name that is taken or cannot be one.
   */
  with(more: readonly T[], by?: string): Registry<T>;
}

/** Names stand in case texts, flags and patterns: nothing that separates or quotes there. */
const NAME = /^[^\s,;="'*|]+$/;
/** What stands for no item or for every one where names are listed. */
const RESERVED: readonly string[] = ['all', 'any', 'none'];

/**
 * A registry of some items.
 * @param kind what one of them is called in messages: `precision`.
 * @throws ParanoiaError `bad-item` for two items of one name, or a name that cannot be one.
 */
export const registryOf = <T extends Item>(kind: string, items: readonly T[]): Registry<T> =>
  extended(kind, new Map(), items, OURS);

/** An item and whoever brought it. */
interface Brought<T> {
  readonly item: T;
  readonly by: string;
}

function extended<T extends Item>(
  kind: string,
  known: ReadonlyMap<string, Brought<T>>,
  more: readonly T[],
  by: string,
): Registry<T> {
  const byName = new Map(known);
  for (const item of more) {
    const why = refusal(item.name, byName.get(item.name)?.by, by);
    if (why !== undefined) throw badItem({ kind, name: item.name, why });
    byName.set(item.name, { item, by });
  }
  const items = Object.freeze([...byName.values()].map(({ item }) => item));
  const names = Object.freeze([...byName.keys()]);
  return Object.freeze({
    ...{ items, names },
    get: (name: string) => byName.get(name)?.item,
    find(name: string) {
      const found = byName.get(name);
      if (found === undefined) throw unknownName({ what: kind, given: name, known: names });
      return found.item;
    },
    with: (other: readonly T[], from = 'the config') => extended(kind, byName, other, from),
  });
}

function refusal(name: unknown, takenBy: string | undefined, by: string): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'a name has no spaces, commas, semicolons, quotes, equals signs, bars or asterisks';
  }
  if (RESERVED.includes(name)) return `${RESERVED.join(', ')} are reserved`;
  if (takenBy === undefined) return undefined;
  return takenBy === by
    ? `${by} brings two of this name; rename one`
    : `${takenBy} brings one of this name, and ${by} another; rename the second`;
}
