import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { cachedFolder } from './cache.ts';

const PACKAGE = '@sparticuz/chromium';
const NEEDED = ['libvk_swiftshader.so', 'libvulkan.so.1', 'vk_swiftshader_icd.json'] as const;

export interface SoftwareDriver {
  /** Path of the driver's description for the Vulkan loader. */
  readonly icd: string;
  /** Path of a Vulkan loader, for systems that have none. */
  readonly loader: string;
  /** The npm package of the driver, with its version. */
  readonly origin: string;
}

/**
 * Unpacks SwiftShader from its npm package.
 * @param tell receives the reason if there is no driver.
 * @returns undefined if the package does not exist for this system, or the project has not installed it.
 */
export function bundledSwiftShader(tell: (why: string) => void): SoftwareDriver | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    tell(`no SwiftShader is bundled for ${process.platform} on ${process.arch}`);
    return undefined;
  }
  try {
    const root = packageRoot();
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const folder = cachedFolder(`swiftshader-${version}`, () => unpack(root));
    return {
      icd: join(folder, 'vk_swiftshader_icd.json'),
      loader: join(folder, 'libvulkan.so.1'),
      origin: `${PACKAGE} ${version}`,
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tell(
      code === 'MODULE_NOT_FOUND'
        ? `npm i -D ${PACKAGE} brings SwiftShader, which computes in software`
        : `SwiftShader could not be unpacked from ${PACKAGE} (${message.split('\n')[0]})`,
    );
    return undefined;
  }
}

// The package's own code would unpack a whole browser, and its exports hide the archive.
function packageRoot(): string {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const name = join(sep, ...PACKAGE.split('/'), sep);
  const end = entry.lastIndexOf(name);
  return end < 0 ? dirname(dirname(dirname(entry))) : entry.slice(0, end + name.length);
}

function unpack(root: string): Map<string, Buffer> {
  const archive = brotliDecompressSync(readFileSync(join(root, 'bin', 'swiftshader.tar.br')));
  const files = tarFiles(archive);
  return new Map(
    NEEDED.map((name) => {
      const contents = files.get(name);
      if (contents === undefined) throw new Error(`${name} is missing from its archive`);
      return [name, contents];
    }),
  );
}

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
