import { shelveCollection } from '../../collection/node/shelf.ts';
import { parseText } from '../flags.ts';
import { findConfig } from './find-config.ts';

/**
 * Opens the registries of this process to the items of the config, for commands that read nothing else of it. Where there
 * is none, nothing is loaded: that takes a quarter of a second.
 * @param given what `--config` gave
 * @throws ParanoiaError as `loadConfig` does
 */
export async function adoptConfig(given: unknown, cwd = process.cwd()): Promise<void> {
  shelveCollection();
  const path = given === undefined ? findConfig(cwd) : parseText('--config', given);
  if (path === undefined) return;
  const { loadConfig } = await import('./load.ts');
  await loadConfig({ path, cwd });
}
