import { badItem, unknownName } from './messages.ts';

/** A named thing, with the fields that help and documents print. */
export interface Item {
  readonly name: string;
  /** One clause on what it is. */
  readonly what: string;
  /** Its origin: a paper or a standard, or {@link OURS} for our own ideas. All items of the package have one. */
  readonly source?: string;
}

/** The source of our own ideas. */
export const OURS = 'gemm-paranoia';

/** Items of one kind by name, in order. A registry never changes; it is extended to another one. */
export interface Registry<T extends Item> {
  readonly items: readonly T[];
  /** Their names, in order. */
  readonly names: readonly string[];
  /** Returns the item of a name, if there is one. */
  get(name: string): T | undefined;
  /** Returns the item of a name. @throws ParanoiaError `unknown-name` */
  find(name: string): T;
  /**
   * Returns a registry with more items.
   * @param by origin of these items, for messages. @defaultValue the config
   * @throws ParanoiaError `bad-item` for a name that is taken or invalid.
   */
  with(more: readonly T[], by?: string): Registry<T>;
}

/** Pattern of valid names. They occur in case texts, flags and patterns, so they contain no separator or quote. */
const NAME = /^[^\s,;="'*|]+$/;
/** Names that mean no item or every one in lists. */
const RESERVED: readonly string[] = ['all', 'any', 'none'];

/**
 * Makes a registry.
 * @param kind name of an item in messages: `precision`.
 * @throws ParanoiaError `bad-item` for two items of one name, or an invalid name.
 */
export const registryOf = <T extends Item>(kind: string, items: readonly T[]): Registry<T> =>
  extended(kind, new Map(), items, OURS);

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
    return 'a name cannot contain spaces, commas, semicolons, quotes, equals signs, bars or asterisks';
  }
  if (RESERVED.includes(name)) return `${RESERVED.join(', ')} are reserved`;
  if (takenBy === undefined) return undefined;
  return takenBy === by
    ? `${by} has two of this name. Rename one`
    : `${takenBy} already has one of this name. Rename the one in ${by}`;
}
