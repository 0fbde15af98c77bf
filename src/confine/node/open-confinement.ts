import { noSandbox } from '../messages.ts';
import { confineIn } from './confine-in.ts';
import type { Confined, Confinement, Limits } from './confinement.ts';
import { cleanEnvironment } from './environment.ts';
import { type Findings, holdsIn, holdsLittle, lacking } from './holds.ts';
import { type Lane, lanes } from './lanes.ts';
import { usualLimits } from './limits.ts';
import { privateFolder } from './private-folder.ts';
import { tryLane } from './try-lane.ts';

/** Options of a confinement. */
export interface ConfinementOptions {
  /** Limits that replace the default ones. */
  readonly limits?: Partial<Limits> | undefined;
  /** The lanes to try. @defaultValue all */
  readonly lanes?: readonly Lane['name'][] | undefined;
}

/**
 * Probes which sandbox works on this system.
 * @param wanted `required`: files, network and processes must all be isolated; `auto`: as much as possible; `off`: only a clean
 * environment and a private folder
 * @throws ParanoiaError `no-sandbox` if isolation is required and one of these fails
 */
export async function openConfinement(
  wanted: 'required' | 'auto' | 'off',
  { limits: given, lanes: tried = lanes.map(({ name }) => name) }: ConfinementOptions = {},
): Promise<Confinement> {
  const limits = { ...usualLimits(), ...given };
  const best =
    wanted === 'off'
      ? undefined
      : await strongest(
          limits,
          lanes.filter(({ name }) => tried.includes(name)),
        );
  const missing = lacking(best?.found ?? {});
  if (wanted === 'required' && missing.length > 0) throw noSandbox({ missing, advice: advice() });
  if (best === undefined) return { holds: holdsLittle, confine: inFolder };
  return {
    holds: holdsIn(best.lane, best.found, limits),
    confine: (start, allowance) => confineIn(best.lane, limits, start, allowance),
  };
}

interface Tried {
  readonly lane: Lane;
  readonly found: Findings;
}

/** The first lane that isolates everything, else the one that isolates most. */
async function strongest(limits: Limits, all: readonly Lane[]): Promise<Tried | undefined> {
  if (process.platform !== 'linux') return undefined;
  let best: Tried | undefined;
  for (const lane of all) {
    const found = await tryLane(lane, limits);
    if (found === undefined) continue;
    if (best === undefined || lacking(found).length < lacking(best.found).length) best = { lane, found };
    if (lacking(found).length === 0) break;
  }
  return best;
}

const advice = (): string =>
  process.platform === 'linux'
    ? 'Install bubblewrap, or use Linux 6.2 or later with Landlock (x64 or arm64)'
    : 'Run it on Linux, for example in a container';

/** Starts with a clean environment and a private folder, without isolation. */
function inFolder(...[start, allowance]: Parameters<Confinement['confine']>): Confined {
  const folder = privateFolder();
  return {
    ...start,
    env: cleanEnvironment(start.env, folder.path, allowance.env),
    cwd: folder.path,
    folder: folder.path,
    watch() {},
    release: () => folder.remove(),
  };
}
