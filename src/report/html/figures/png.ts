/**
 * Encodes a PNG of at most 256 colors, without compression. A map of 64×64 cells of 16 colors takes 2 KB as a PNG, and would take 50 KB as
 * shapes.
 * @param pixels - row-major indices into the palette.
 * @param palette - colors as #rrggbb.
 */
export function png(
  cols: number,
  rows: number,
  pixels: readonly number[],
  palette: readonly string[],
): Uint8Array {
  const isFew = Math.max(...pixels) < FEW;
  const stride = isFew ? Math.ceil(cols / 2) : cols;
  const lines = new Uint8Array(rows * (stride + 1));
  for (let at = 0; at < rows * cols; at++) {
    const [row, col] = [Math.floor(at / cols), at % cols];
    const place = row * (stride + 1) + 1;
    if (isFew) lines[place + (col >> 1)] |= pixels[at] << (col % 2 === 0 ? 4 : 0);
    else lines[place + col] = pixels[at];
  }
  const colors = (isFew ? palette.slice(0, FEW) : palette).flatMap((color) =>
    [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16)),
  );
  const header = [...bigEndian(cols), ...bigEndian(rows), isFew ? 4 : 8, 3, 0, 0, 0];
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', header),
    ...chunk('PLTE', colors),
    ...chunk('IDAT', [0x78, 0x01, ...stored(lines), ...bigEndian(adler32(lines))]),
    ...chunk('IEND', []),
  ]);
}

/** Most colors of an image with two pixels in a byte. */
const FEW = 16;

/** Converts a PNG to the address of an image. */
export function dataUrl(image: Uint8Array): string {
  return `data:image/png;base64,${btoa(String.fromCharCode(...image))}`;
}

/** Writes one block of deflate that stores its bytes as they are, at most 65535 of them. */
function stored(data: Uint8Array): number[] {
  const [low, high] = [data.length & 255, data.length >> 8];
  return [1, low, high, low ^ 255, high ^ 255, ...data];
}

function chunk(type: string, data: readonly number[]): number[] {
  const body = [...[...type].map((letter) => letter.charCodeAt(0)), ...data];
  return [...bigEndian(data.length), ...body, ...bigEndian(crc32(body))];
}

function bigEndian(x: number): number[] {
  return [(x >>> 24) & 255, (x >>> 16) & 255, (x >>> 8) & 255, x & 255];
}

function crc32(data: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function adler32(data: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}
