import { createHash } from 'node:crypto';

/** Returns the SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits: synchronously, which only Node can. */
export const sha256Sync = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
