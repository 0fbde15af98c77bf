import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { entryOf } from '../run.testing.ts';
import { fingerprintOf, publicPart, readKey, sealed, sealFault, statementOf } from './seal.ts';

const pair = () => generateKeyPairSync('ed25519').privateKey;
const entry = entryOf();
const statement = statementOf(entry);

it('finds whatever was changed after it was sealed', () => {
  expect(sealFault(entry)).toBeUndefined();
  expect(sealFault({ ...entry, run: { ...entry.run, seed: 2 } })).toMatch(/its hash/);
  expect(sealFault({ ...entry, hash: entry.hash.replace(/^./, (one) => (one === '0' ? '1' : '0')) })).toMatch(
    /its hash/,
  );
});

it('finds a signature of something else, of another key, and what is none', () => {
  const key = pair();
  const signed = sealed(statement, key);
  expect(sealFault(signed)).toBeUndefined();
  expect(signed.signature?.key).toBe(publicPart(key));
  const other = sealed({ ...statement, run: { ...statement.run, seed: 2 } }, key);
  const wrong = [
    other.signature,
    { ...signed.signature, key: publicPart(pair()) },
    { key: 'x', value: 'y' },
    { key: '', value: '' },
  ];
  for (const signature of wrong)
    expect(sealFault(Object.assign({ ...signed }, { signature }))).toMatch(/signature/);
});

it('reads keys of Ed25519 alone, and names them by their fingerprint', () => {
  const key = pair();
  expect(publicPart(readKey(String(key.export({ format: 'pem', type: 'pkcs8' }))))).toBe(publicPart(key));
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  expect(() => readKey(String(other.export({ format: 'pem', type: 'pkcs8' })))).toThrow(/not of Ed25519/);
  expect(fingerprintOf({ key: publicPart(key) })).toMatch(/^[0-9a-f]{32}$/);
});
