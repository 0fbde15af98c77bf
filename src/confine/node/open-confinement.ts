import { noSandbox } from '../messages.ts';
import type { Confined, Confinement, Held, Limits } from './confinement.ts';
import { cleanEnvironment } from './environment.ts';
import { privateFolder } from './private-folder.ts';

/** What a confinement is opened with. */
export interface ConfinementOptions {
  /** Limits that differ from their defaults. */
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * Finds out by trying what can hold processes here.
 * @param wanted whether files, network and processes must all be held; or what can be; or only the environment and the folder.
 * @throws ParanoiaError `no-sandbox` where they must, and one cannot be
 */
export async function openConfinement(
  wanted: 'required' | 'auto' | 'off',
  _options: ConfinementOptions = {},
): Promise<Confinement> {
  if (wanted === 'required') {
    throw noSandbox({ missing: ['files', 'network', 'processes'], advice: 'Run it on Linux' });
  }
  const nothing = 'not held';
  const holds: Record<Held, string> = {
    ...{ files: nothing, network: nothing, processes: nothing, memory: nothing, disk: nothing },
    environment: 'what is allowed by name alone',
  };
  return {
    holds,
    confine(start, allowance): Confined {
      const folder = privateFolder();
      return {
        ...start,
        env: cleanEnvironment(start.env, folder.path, allowance.env),
        cwd: folder.path,
        folder: folder.path,
        watch() {},
        release: () => folder.remove(),
      };
    },
  };
}
