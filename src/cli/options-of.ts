import { dirname } from 'node:path';
import { parseFlags, parseText } from '../config/flags.ts';
import { knownNames } from '../config/node/known-names.ts';
import { loadConfig } from '../config/node/load.ts';
import { sessionsFor } from '../config/node/sessions.ts';
import { mergeOptions, type Options } from '../config/options.ts';
import { ownKernels } from '../config/schema.ts';
import type { WorkshopOptions } from '../gate/node/workshop.ts';
import { catalogueOf } from '../kernel/catalogue.ts';
import { clientKernels } from '../kernel/node/clients/clients.ts';

/** What a command runs with. */
export interface CommandOptions extends Pick<WorkshopOptions, 'catalogue' | 'sessionOf'> {
  readonly options: Options;
}

/**
 * The options of a command: those of its flags, else of the config, else the defaults; and every kernel that can be
 * named: built-in ones, the config's own, and those of other libraries.
 * @throws Problem config-unreadable, bad-config, bad-kernel, unknown-name, bad-number, missing-option
 */
export async function optionsOf(flags: Readonly<Record<string, unknown>>): Promise<CommandOptions> {
  const given = flags.config === undefined ? undefined : parseText('--config', flags.config);
  const known = knownNames();
  const { config, path } = await loadConfig(known, { path: given });
  const catalogue = catalogueOf([...ownKernels(config), ...clientKernels]);
  const options = mergeOptions(config, parseFlags(flags, { ...known, kernels: catalogue.names }));
  const { adapter, toggles } = options;
  const cwd = path === undefined ? process.cwd() : dirname(path);
  const verbose = flags.verbose === true;
  return { options, catalogue, sessionOf: sessionsFor({ config: path, cwd, verbose, adapter, toggles }) };
}
