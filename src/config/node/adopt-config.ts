import { shelveCollection } from '../../collection/node/shelf.ts';
import { findConfig } from './find-config.ts';

/**
 * Opens the registries of this process to the items of the config, for commands that read nothing else of it. Where there
 * is none, nothing is loaded: that takes a quarter of a second.
 * @param named the config that is named
 * @throws ParanoiaError as `loadConfig` does
 */
export async function adoptConfig(named: string | undefined, cwd = process.cwd()): Promise<void> {
  shelveCollection();
  const path = named ?? findConfig(cwd);
  if (path === undefined) return;
  const { loadConfig } = await import('./load.ts');
  await loadConfig({ path, cwd });
}
