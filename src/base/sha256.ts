/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (text: string): Promise<string> => sha256Of(new TextEncoder().encode(text));

/** The SHA-256 of bytes, in hexadecimal digits. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', bytes));
}

/** Bytes in hexadecimal digits. */
export const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
