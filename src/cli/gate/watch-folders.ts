import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** What kernels and configs are written in. */
const SOURCES = /\.([cm]?[jt]s|json|py|wgsl|so(\.\d+)*|dylib|dll)$/;
/** Folders that hold what is installed or made. */
const MADE = /^(\..*|node_modules|__pycache__)$/;
const MOST_FOLDERS = 1000;
/** Milliseconds after which what an editor does to save a file is over. */
const SETTLING = 100;

/**
 * Calls back once after the sources in some folders have changed.
 * @param except folders that are not looked into.
 * @returns what ends that.
 */
export function watchFolders(
  roots: readonly string[],
  except: readonly string[],
  changed: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onEvent = (_: unknown, file: string | null) => {
    if (file !== null && !SOURCES.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLING);
  };
  const watchers = foldersBelow(roots, except).map((folder) =>
    // One that is taken away is seen in the folder above.
    watch(folder, onEvent).on('error', () => undefined),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Folders and those below them that may hold sources, each once; those that cannot be read are left out. */
export function foldersBelow(roots: readonly string[], except: readonly string[]): string[] {
  const found = new Set<string>();
  const queue = [...roots];
  for (const folder of queue) {
    if (found.size >= MOST_FOLDERS) break;
    if (found.has(folder) || except.includes(folder)) continue;
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      found.add(folder);
      queue.push(
        ...entries
          .filter((entry) => entry.isDirectory() && !MADE.test(entry.name))
          .map(({ name }) => join(folder, name)),
      );
    } catch {
      // What cannot be read holds no source that can be.
    }
  }
  return [...found];
}
