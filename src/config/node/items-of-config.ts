import { builtinItems, type JudgingItems } from '../../evidence/items.ts';
import { findConfig } from './find-config.ts';
import { addMentionedTables } from './mentioned-tables.ts';

/**
 * Returns the built-in items and those of the config, for commands that read nothing else of it. Without a config it loads none
 * of its code, which saves a quarter of a second.
 * @param named path of the config, if given
 * @param algorithm the name of an algorithm, perhaps of a table of the collection
 * @throws ParanoiaError as `loadConfig` does, `bad-algorithm`
 */
export async function itemsOfConfig(
  named: string | undefined,
  algorithm: string | undefined,
  cwd = process.cwd(),
): Promise<JudgingItems> {
  const path = named ?? findConfig(cwd);
  if (path === undefined) return addMentionedTables(builtinItems, [algorithm]);
  const { loadConfig } = await import('./load.ts');
  return addMentionedTables((await loadConfig({ path, cwd })).items, [algorithm]);
}
