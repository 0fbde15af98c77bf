const BLOCK = 512;

/** Returns the regular files of a (ustar) tar archive, by base name, without copying. */
export function tarFiles(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    const name = text(header, 0, 100);
    if (name === '') break;
    const bytes = Number.parseInt(text(header, 124, 12), 8);
    const start = at + BLOCK;
    if (!(start + bytes <= archive.length)) throw new RangeError(`The tar archive ends inside ${name}.`);
    if (header[156] === 0x30 || header[156] === 0) {
      files.set(name.slice(name.lastIndexOf('/') + 1), archive.subarray(start, start + bytes));
    }
    at = start + Math.ceil(bytes / BLOCK) * BLOCK;
  }
  return files;
}

function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end).trim();
}
