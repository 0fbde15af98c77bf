import { defineAlgorithm } from '../../algorithms/define-algorithm.ts';
import { limitedCall } from '../../base/node/time-limits.ts';
import { isRecord, lookUp } from '../../base/objects.ts';
import { type AnyReporter, defineReporter, type Reporter, reporters } from '../../pages/node/reporters.ts';
import { loopsForever } from '../messages.ts';
import { addOwnItems, type ConfigItems, listIn, readItems } from '../own-items.ts';
import { addMentionedTables } from './mentioned-tables.ts';
import type { NodeItems } from './node-items.ts';

/**
 * Reads items as {@link readItems} does, and also reporters, and tables of the collection that its kernels mention.
 * @throws ParanoiaError `bad-config`, `bad-algorithm`
 */
export async function readNodeItems(given: unknown, where: string): Promise<ConfigItems<NodeItems>> {
  const limited = withLimitedItems(given);
  const { config, items } = readItems(limited, where, defineAlgorithm);
  const define = (one: AnyReporter) => defineReporter(one as Reporter);
  const own = addOwnItems('reporters', reporters, define, { config: limited, where });
  const all = { ...items, reporters: own };
  return { config, items: await addMentionedTables(all, listIn(config, 'kernels')) };
}

/** Time limit of one call of a function of a user's item, in seconds: the same as for a product. */
const LIMIT = 60;

type HookName = 'accepts' | 'generate' | 'editAddend' | 'judge' | 'render';

/** Functions of items that are called once or more a case, by the option that holds the items. */
const HOOKS: Readonly<Record<string, readonly HookName[]>> = {
  inputs: ['accepts', 'generate', 'editAddend'],
  checks: ['judge'],
  reporters: ['render'],
};

type Hook = (...given: unknown[]) => unknown;
type Item = Readonly<Record<string, unknown>>;

/**
 * Limits the time of functions of a config's items: they run in this process, where an endless loop would hang the run.
 * @param seconds time limit of a call. @defaultValue 60
 */
export function withLimitedItems(config: unknown, seconds = LIMIT): unknown {
  if (!isRecord(config)) return config;
  const mended = Object.entries(HOOKS).flatMap(([option, hooks]) => {
    const items = lookUp(config, option);
    if (!Array.isArray(items)) return [];
    return [[option, items.map((item: unknown) => (isRecord(item) ? limited(item, hooks, seconds) : item))]];
  });
  return { ...config, ...Object.fromEntries(mended) };
}

function limited(item: Item, hooks: readonly HookName[], seconds: number): Item {
  const own = hooks.filter((hook) => typeof item[hook] === 'function');
  const mended = own.map((hook) => [hook, limitedHook(item, hook, seconds)]);
  // Keeps the prototype: an item may be an instance of a class.
  return Object.assign(Object.create(Object.getPrototypeOf(item)), item, Object.fromEntries(mended));
}

/** Limits a hook; after one timeout it is not called again, since each call would take as long. */
function limitedHook(item: Item, hook: HookName, seconds: number): Hook {
  let endless: Error | undefined;
  return (...given) => {
    if (endless !== undefined) throw endless;
    return limitedCall(
      seconds,
      () => (item[hook] as Hook)(...given),
      (cause) => {
        endless = loopsForever({ hook: `${hook} of "${String(item.name)}"`, seconds }, cause);
        return endless;
      },
    );
  };
}
