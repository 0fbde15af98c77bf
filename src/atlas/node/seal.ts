import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalText } from '../../base/canonical.ts';
import type { Entry, Signature, Statement } from '../entry.ts';

/** SHA-256 of some bytes, or of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** An entry of a statement: with its hash, and a signature where there is a key. */
export function sealed(statement: Statement, key?: KeyObject): Entry {
  const text = canonicalText(statement);
  const hash = sha256(text);
  return key === undefined
    ? { ...statement, hash }
    : { ...statement, hash, signature: signatureOf(text, key) };
}

/** What an entry says, without hash and signature. */
export function statementOf({ hash: _, signature: __, ...statement }: Entry): Statement {
  return statement;
}

/** Why hash or signature of an entry are not those of what it says; undefined where they are. */
export function sealFault(entry: Entry): string | undefined {
  const text = canonicalText(statementOf(entry));
  if (sha256(text) !== entry.hash)
    return 'its hash is not that of what it says: it was changed after it was made';
  if (entry.signature === undefined || isSigned(text, entry.signature)) return undefined;
  return 'its signature is not one of what it says by its key';
}

/** What people compare a public key by: the first half of its SHA-256, in hexadecimal digits. */
export const fingerprintOf = ({ key }: Pick<Signature, 'key'>): string =>
  sha256(Buffer.from(key, 'base64url')).slice(0, 32);

function signatureOf(text: string, key: KeyObject): Signature {
  return { key: publicPart(key), value: sign(null, Buffer.from(text), key).toString('base64url') };
}

/** The public part of a private key, as a signature holds it. */
export const publicPart = (key: KeyObject): string =>
  String(createPublicKey(key).export({ format: 'jwk' }).x);

function isSigned(text: string, { key, value }: Signature): boolean {
  try {
    const known = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    return verify(null, Buffer.from(text), known, Buffer.from(value, 'base64url'));
  } catch {
    // What is no key signs nothing.
    return false;
  }
}

/** Reads a private key in PEM. @throws Error of what is none, or of another algorithm */
export function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`it is a key of ${key.asymmetricKeyType}, not of Ed25519`);
  return key;
}
