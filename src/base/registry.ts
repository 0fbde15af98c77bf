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
  /** @throws ParanoiaError `unknown-name` */
  find(name: string): T;
  /** These items and more. @throws ParanoiaError `bad-item` for a name that is taken or cannot be one. */
  with(...more: readonly T[]): Registry<T>;
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
export function registryOf<T extends Item>(kind: string, items: readonly T[]): Registry<T> {
  const byName = new Map<string, T>();
  for (const item of items) {
    const why = refusal(item.name, byName);
    if (why !== undefined) throw badItem({ kind, name: item.name, why });
    byName.set(item.name, item);
  }
  return {
    items: [...items],
    find(name) {
      const found = byName.get(name);
      if (found === undefined) throw unknownName({ what: kind, given: name, known: [...byName.keys()] });
      return found;
    },
    with: (...more) => registryOf(kind, [...items, ...more]),
  };
}

/** A registry of one process: the items that come with the package, and those that its config brings. */
export interface OpenRegistry<T extends Item> extends Registry<T> {
  /** Those that come with the package. */
  readonly ours: readonly T[];
  /**
   * Takes a config's items in place of those of the config before.
   * @throws ParanoiaError `bad-item` for a name that is taken or cannot be one; nothing has changed then.
   */
  adopt(own: readonly T[]): void;
  /**
   * Where more items lie, each taken in when it is first asked for by its name.
   * @param look the item of a name, undefined where there is none; what it throws is thrown on
   */
  shelve(look: (name: string) => T | undefined): void;
  /** Whether there is an item of that name, which is taken in where it lay elsewhere. */
  has(name: string): boolean;
}

/** @param ours the items that are always there. */
export function openRegistry<T extends Item>(kind: string, ours: readonly T[]): OpenRegistry<T> {
  const builtin = registryOf(kind, ours);
  let current = builtin;
  let look: (name: string) => T | undefined = () => undefined;
  const has = (name: string): boolean => {
    if (current.items.some((item) => item.name === name)) return true;
    const found = look(name);
    if (found !== undefined) current = current.with(found);
    return found !== undefined;
  };
  return {
    ours: builtin.items,
    get items() {
      return current.items;
    },
    has,
    find(name) {
      has(name);
      return current.find(name);
    },
    with: (...more) => current.with(...more),
    adopt(own) {
      current = builtin.with(...own);
    },
    shelve(from) {
      look = from;
    },
  };
}

function refusal(name: unknown, taken: ReadonlyMap<string, unknown>): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'a name has no spaces, commas, semicolons, quotes, equals signs, bars or asterisks';
  }
  if (RESERVED.includes(name)) return `${RESERVED.join(', ')} are reserved`;
  return taken.has(name) ? 'another one has this name; give yours its own' : undefined;
}
