import { dirname } from 'node:path';
import { ownScript } from '../../base/node/own-script.ts';
import { catalogueOf } from '../../kernels/catalogue.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { openInHost, openProgram } from '../../kernels/host/node/open-external.ts';
import type { ProgramOptions } from '../../kernels/host/node/start-program.ts';
import type { Session } from '../../kernels/kernel.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { saysOldWords } from '../../problem/old-names.ts';
import type { MachineOptions } from '../../run/node/open-machine.ts';
import { parseText } from '../flags.ts';
import { badConfig } from '../messages.ts';
import { mergeOptions, type Options, parseFlags } from '../options.ts';
import { ownKernels } from '../schema.ts';
import { knownNames } from './known-names.ts';
import { loadConfig } from './load.ts';
import type { KernelOrigin } from './locate-kernel.ts';
import { attempt } from './own-items.ts';

/** What a command runs with. */
export interface CommandOptions extends Pick<MachineOptions, 'catalogue' | 'sessionOf'> {
  readonly options: Options;
  /** Does what reads an option of the config, so that what is wrong with it is said to be wrong there. */
  readonly ofConfig: <T>(option: string, work: () => T) => T;
  /** Sentences on what in the config is of an older version. */
  readonly notes: readonly string[];
}

/**
 * The options of a command: those of its flags, else of the config, else the defaults; and every kernel that can be
 * named: built-in ones, the config's own, and those of other libraries.
 * @throws ParanoiaError config-unreadable, bad-config, bad-kernel, unknown-name, bad-number, missing-option
 */
export async function optionsOf(flags: Readonly<Record<string, unknown>>): Promise<CommandOptions> {
  const given = flags.config === undefined ? undefined : parseText('--config', flags.config);
  const { config, path, notes = [] } = await loadConfig({ path: given });
  const ofConfig = <T>(option: string, work: () => T): T =>
    attempt(work, option, (where, error) =>
      path === undefined ? error : badConfig({ where: path, fault: `${where}: ${error.message}` }, error),
    );
  const catalogue = ofConfig('kernels', () => catalogueOf([...ownKernels(config), ...clientKernels]));
  const options = mergeOptions(config, parseFlags(flags, { ...knownNames(), kernels: catalogue.names }));
  const { adapter, toggles } = options;
  const cwd = path === undefined ? process.cwd() : dirname(path);
  const verbose = flags.verbose === true;
  const old = config.waivers?.flatMap((waiver) => saysOldWords('The pattern of a waiver', waiver.case)) ?? [];
  return {
    options,
    notes: [...notes, ...old],
    catalogue,
    ofConfig,
    sessionOf: sessionsFor({ config: path, cwd, verbose, adapter, toggles }),
  };
}

/** The module that finds a kernel again in a process of its own. */
const LOCATOR = ownScript('./locate-kernel', import.meta.url);

/** What kernels are opened with, the folder in which programs run, and whether what programs say is passed on. */
type Origin = Omit<KernelOrigin, 'name'> & Pick<ProgramOptions, 'cwd' | 'verbose'>;

/** Opens kernels outside this process, so that one that hangs or dies takes nothing with it. */
function sessionsFor({ cwd, verbose, ...origin }: Origin): (spec: UserKernel) => Session {
  const module = LOCATOR.href;
  return (spec) =>
    'program' in spec
      ? openProgram(spec, { cwd, verbose })
      : openInHost(spec, { module, args: { ...origin, name: spec.name } });
}
