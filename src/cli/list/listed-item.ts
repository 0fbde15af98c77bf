import { type Item, OURS } from '../../base/registry.ts';
import type { NodeItems } from '../../config/node/node-items.ts';
import type { RunCatalog } from '../../run/run-catalog.ts';

export interface ListedParameter {
  readonly name: string;
  readonly what: string;
  /** Its valid values. */
  readonly need: string;
  /** Its value if it is left out. */
  readonly usual?: number | string | undefined;
}

/** An item as `list` prints it; without a source it is the config's. */
export interface ListedItem extends Required<Item> {
  readonly parameters?: readonly ListedParameter[];
}

/** Registered items: the built-in ones and those of a config. */
export interface RegisteredItems {
  readonly catalog: RunCatalog<NodeItems>;
  readonly studies?: readonly Item[] | undefined;
}

/** The source of a config's items. */
export const YOURS = 'the config';

/** Returns an item as it is listed, with its source if it names none. */
export const listed =
  (otherwise: string = OURS) =>
  ({ name, what, source = otherwise }: Item): ListedItem => ({ name, what, source });
