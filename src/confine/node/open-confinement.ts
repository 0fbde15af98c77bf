import { noSandbox } from '../messages.ts';
import { confineIn } from './confine-in.ts';
import type { Confined, Confinement, Limits } from './confinement.ts';
import { cleanEnvironment } from './environment.ts';
import { type Findings, holdsIn, holdsLittle, lacking } from './holds.ts';
import { type Lane, lanes } from './lanes.ts';
import { usualLimits } from './limits.ts';
import { privateFolder } from './private-folder.ts';
import { tryLane } from './try-lane.ts';

/** What a confinement is opened with. */
export interface ConfinementOptions {
  /** Limits that differ from the usual ones. */
  readonly limits?: Partial<Limits> | undefined;
  /** The ways that are tried. @defaultValue all that there are */
  readonly lanes?: readonly Lane['name'][] | undefined;
}

/**
 * Finds out by trying what can hold processes here.
 * @param wanted whether files, network and processes must all be held; or what can be; or nothing but the environment and a
 *   folder.
 * @throws ParanoiaError `no-sandbox` where they must, and one cannot be
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

/** The first way in which all is held, else the one that holds most. */
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
    ? 'Install bubblewrap, or take Linux 6.2 or later with Landlock, on x64 or arm64'
    : 'Run it on Linux, as in a container';

/** With an environment and a folder of its own, and nothing that holds it. */
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
