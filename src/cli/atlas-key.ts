import { generateKeyPairSync } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { atlasUnwritable, keyInTheWay } from '../atlas/messages.ts';
import { fingerprintOf, publicPart } from '../atlas/node/seal.ts';
import { EXIT } from '../base/errors.ts';
import { isThere } from '../base/node/is-there.ts';
import { type Unwritable, writeWhole } from '../base/node/write-file.ts';
import { extraArgument } from './messages.ts';

const unwritable: Unwritable = (path, why, cause) => atlasUnwritable({ path, why, instead: 'a file' }, cause);

/** For its owner alone. */
const PRIVATE = 0o600;

/**
 * `atlas key <file.pem>`: writes a private key that `atlas add --key` signs with.
 * @returns the exit code.
 * @throws ParanoiaError `key-in-the-way`, `extra-argument`, `atlas-unwritable`
 */
export async function runKey([file, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0)
    throw extraArgument({
      command: 'atlas key',
      given: more[0],
      example: 'gemm-paranoia atlas key atlas.pem',
    });
  if (isThere(file)) throw keyInTheWay({ file });
  const { privateKey } = generateKeyPairSync('ed25519');
  // The file is there, and its owner's alone, before the key is in it.
  writeWhole(file, '', unwritable);
  chmodSync(file, PRIVATE);
  writeWhole(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), unwritable);
  const fingerprint = fingerprintOf({ key: publicPart(privateKey) });
  process.stdout.write(`Wrote ${file}; what it signs is shown as of ${fingerprint}. Keep it to yourself.\n`);
  return EXIT.pass;
}
