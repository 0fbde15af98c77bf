/** Returns the SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (text: string): Promise<string> => sha256OfBytes(new TextEncoder().encode(text));

/** Returns the SHA-256 of bytes, in hexadecimal digits. */
export async function sha256OfBytes(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', content);
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
