import { badLink, newerLink } from './messages.ts';

/** The beginning of a fragment, and the version of its format. */
const [BEGIN, VERSION] = ['#r=', '1'];

/** The most characters of a fragment: programs that send links cut longer ones. */
export const LONGEST = 16_000;
/** The most bytes that a link may unpack to: a malicious link could be huge. */
const MOST_UNPACKED = 2 ** 22;
/** Bytes of the digest by which a damaged link is recognized. */
const DIGEST = 9;

/**
 * Encodes a text as the fragment of an address, which browsers send to no server: `#r=1.digest.packed`. The digest is SHA-256 cut
 * short, the text is DEFLATE, and both are in base64 for addresses. The digest detects a damaged link, but does not identify its
 * author.
 * @returns undefined if it would be longer than {@link LONGEST}
 */
export async function fragmentOf(text: string): Promise<string | undefined> {
  const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
  const fragment = `${BEGIN}${VERSION}.${toText(await digestOf(packed))}.${toText(packed)}`;
  return fragment.length > LONGEST ? undefined : fragment;
}

/** True if the fragment of an address holds results. */
export const isLink = (fragment: string): boolean => fragment.startsWith(BEGIN);

/**
 * Decodes the text of a fragment.
 * @throws ParanoiaError `bad-link`, `newer-link`
 */
export async function textOf(fragment: string): Promise<string> {
  const [version, digest, packed, ...more] = fragment.slice(BEGIN.length).split('.');
  if (/^\d+$/.test(version) && Number(version) > Number(VERSION)) throw newerLink({ version });
  if (version !== VERSION || packed === undefined || more.length > 0)
    throw badLink({ why: 'it does not have the format of this page' });
  if (fragment.length > LONGEST) throw badLink({ why: `it is longer than ${LONGEST} characters` });
  const bytes = toBytes(packed);
  if (bytes === undefined || toText(await digestOf(bytes)) !== digest)
    throw badLink({ why: 'it is damaged: a part is missing or changed' });
  try {
    return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes));
  } catch (error) {
    throw badLink({ why: `its content cannot be unpacked (${(error as Error).message})` }, error);
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, DIGEST);
}

/** Passes bytes through a stream. @throws RangeError for more than {@link MOST_UNPACKED} bytes */
async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST_UNPACKED) {
      await reader.cancel();
      throw new RangeError('it is too large');
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const toText = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function toBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}
