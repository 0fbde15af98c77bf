import { badMessage } from '../messages.ts';
import { asJson, canonicalJson } from './canonical.ts';
import { type Envelope, GATEWAY_SCHEMA, type Kind } from './protocol.ts';

type Pair = Extract<Awaited<ReturnType<typeof crypto.subtle.generateKey>>, { privateKey: unknown }>;

/** A worker's key: it signs what the worker sends, and its public half is the worker's name. */
export interface WorkerKey {
  /** The public key, 32 bytes in base64url. */
  readonly name: string;
  readonly pair: Pair;
}

/** Makes an Ed25519 key (RFC 8032) by WebCrypto, so that pages can, too. */
export async function makeKey(): Promise<WorkerKey> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as Pair;
  return { pair, name: base64url(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))) };
}

/** Signs a message for one campaign: the signature covers what kind it is, for whom, and all that it says. */
export async function signed(key: WorkerKey, kind: Kind, campaign: string, body: unknown): Promise<Envelope> {
  const message = { schema: GATEWAY_SCHEMA, kind, campaign, key: key.name, body: asJson(body) };
  const bytes = new TextEncoder().encode(canonicalJson(message));
  const signature = await crypto.subtle.sign('Ed25519', key.pair.privateKey, bytes);
  return { ...message, signature: base64url(new Uint8Array(signature)) };
}

/** @throws ParanoiaError `bad-message` where the signature is not that of the message by its key */
export async function requireSigned({ signature, ...message }: Envelope): Promise<void> {
  const bytes = new TextEncoder().encode(canonicalJson(message));
  const verify = async () => {
    const key = await crypto.subtle.importKey('raw', bytesOf(message.key), 'Ed25519', false, ['verify']);
    return crypto.subtle.verify('Ed25519', key, bytesOf(signature), bytes);
  };
  if (!(await verify().catch(() => false))) throw badMessage({ why: 'its signature is not that of its key' });
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
