import { dirname, relative } from 'node:path/posix';
import type { OutputChunk, Plugin } from 'rolldown';

/** A chunk that only exports what another one holds. */
const FACADE = /^export \{ (?<names>[^}]*) \} from "(?<from>[^"]*)";\s*$/;

/** Returns the text of a relative import of `to` in `from`. */
function addressIn(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/**
 * Lets dynamic imports read the chunk that holds a module. The bundler gives each such module a chunk of its own that exports it, and
 * to open a file takes longer than to read so small a one.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one): one is OutputChunk => one.type === 'chunk');
    const facades = chunks.flatMap((chunk) => {
      const found = chunk.isEntry ? undefined : FACADE.exec(chunk.code)?.groups;
      return found === undefined
        ? []
        : [{ chunk, ...found } as { chunk: OutputChunk; names: string; from: string }];
    });
    for (const { chunk, names, from } of facades) {
      const holder = chunks.find(({ fileName }) => addressIn(chunk.fileName, fileName) === from);
      if (holder === undefined) throw new Error(`${chunk.fileName} exports ${from}, which no chunk is.`);
      const members = names.split(', ').map((name) => {
        const [held, exported = held] = name.split(' as ');
        return `${exported}: all.${held}`;
      });
      for (const importer of chunks) {
        const written = `import("${addressIn(importer.fileName, chunk.fileName)}")`;
        const direct = `import("${addressIn(importer.fileName, holder.fileName)}").then((all) => ({ ${members.join(', ')} }))`;
        importer.code = importer.code.replaceAll(written, () => direct);
      }
      delete bundle[chunk.fileName];
    }
  },
};
