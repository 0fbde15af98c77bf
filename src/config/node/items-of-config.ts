import { shelveCollection } from '../../collection/node/shelf.ts';
import { builtinItems, type Items } from '../../evidence/items.ts';
import { parseText } from '../flags.ts';
import { findConfig } from './find-config.ts';

/**
 * Built-in items and those of the config, for commands that read nothing else of it. Where there is none, nothing is loaded:
 * that takes a quarter of a second.
 * @param given what `--config` gave
 * @throws ParanoiaError as `loadConfig` does
 */
export async function itemsOfConfig(given: unknown, cwd = process.cwd()): Promise<Items> {
  shelveCollection();
  const path = given === undefined ? findConfig(cwd) : parseText('--config', given);
  if (path === undefined) return builtinItems;
  const { loadConfig } = await import('./load.ts');
  return (await loadConfig({ path, cwd })).items;
}
