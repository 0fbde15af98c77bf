import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describeThrown } from '../../kernel-error.ts';
import { peerMissing } from '../../messages.ts';
import type { PeerPackage } from '../client.ts';

export interface FoundPeer {
  readonly version: string;
  load(): unknown;
}

/**
 * Finds a peer where the user's project would, else beside this package. None of its code runs before it is loaded.
 * @param kernel the kernel that needs it, for messages.
 * @param all the packages to install with it.
 * @throws ParanoiaError `peer-missing` where it is not installed, has another version, or cannot be loaded.
 */
export function findPeer(kernel: string, peer: PeerPackage, all: readonly PeerPackage[] = [peer]): FoundPeer {
  const { name, version, entry = name } = peer;
  const install = `npm install ${all.map((each) => `${each.name}@${each.version}`).join(' ')}`;
  const missing = (why: string, cause?: unknown) => peerMissing({ kernel, peer: name, why, install }, cause);
  const found = resolve(entry);
  if (found === undefined) throw missing(`it is not installed in ${process.cwd()}`);
  const installed = versionOf(name, found.path);
  if (installed === undefined) throw missing(`its version in ${found.path} cannot be read`);
  if (installed !== version && !installed.startsWith(`${version}.`)) {
    throw missing(`version ${installed} is installed, and only ${version} is supported`);
  }
  return {
    version: installed,
    load() {
      try {
        return found.require(found.path);
      } catch (error) {
        throw missing(`it cannot be loaded (${describeThrown(error)})`, error);
      }
    },
  };
}

function resolve(entry: string): { path: string; require: NodeJS.Require } | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    const require = createRequire(from);
    try {
      return { path: require.resolve(entry), require };
    } catch {
      // The other place may have it.
    }
  }
  return undefined;
}

/** Reads the version of a package. Packages that list their exports hide their package.json from `require`. */
function versionOf(name: string, entry: string): string | undefined {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (found.name === name && typeof found.version === 'string') return found.version;
    } catch {
      // The file lies further up.
    }
  }
  return undefined;
}
