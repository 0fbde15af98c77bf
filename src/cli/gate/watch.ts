import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { findConfig } from '../../config/node/find-config.ts';
import { defaults } from '../../config/run-options.ts';
import type { GateRequest } from './options.ts';
/** Options of running a gate after changes. */
export interface WatchOptions {
  /** Calls back after a change. @returns a function that stops watching */
  readonly watch: (changed: () => void) => () => void;
  /** Runs the gate. @returns its exit code */
  readonly run: () => Promise<number>;
  readonly say: (sentence: string) => void;
  /** Aborted to end the watch. */
  readonly ended: AbortSignal;
}

/**
 * Runs a gate, and again after every change; changes during a run count as one.
 * @returns the exit code of the last run
 */
export async function watchGate({ watch, run, say, ended }: WatchOptions): Promise<number> {
  for (;;) {
    let wake = () => {};
    const changed = new Promise<void>((done) => {
      wake = done;
    });
    ended.addEventListener('abort', wake, { once: true });
    const close = watch(wake);
    const code = await run();
    if (!ended.aborted) say('Waiting for a change (Ctrl-C ends).');
    await changed;
    ended.removeEventListener('abort', wake);
    close();
    if (ended.aborted) return code;
    say('A source changed. Running again.');
  }
}

/** Implements `gate --watch`. Every run is a `gate` in a new process, which loads all files again. */
export async function runWatch(request: GateRequest): Promise<number> {
  const ended = new AbortController();
  let child: ReturnType<typeof spawn> | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    ended.abort();
    child?.kill(signal);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await watchGate({
      watch: (changed) => watchFolders(foldersOf(request), [outOf(request)], changed),
      async run() {
        child = spawn(process.execPath, [...process.execArgv, process.argv[1], ...argumentsOf(request)], {
          stdio: 'inherit',
        });
        const [code] = await once(child, 'close');
        return typeof code === 'number' ? code : EXIT.inconclusive;
      },
      say,
      ended: ended.signal,
    });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** The arguments of one run: those of this command, with the quick budget unless they choose cases. */
function argumentsOf({ budget, cases, sizes, case: named, lastFailed, replay }: GateRequest): string[] {
  const given = process.argv.slice(2).filter((word) => word !== '--watch');
  return (budget ?? cases ?? sizes ?? named ?? lastFailed ?? replay) === undefined
    ? [...given, '--budget', 'quick']
    : given;
}

/** The folder of the config, and those of kernels in files. */
function foldersOf({ config, files = [] }: GateRequest): string[] {
  const path = config ?? findConfig(process.cwd());
  const named = files.map((file) => dirname(resolve(file.replace(/#[^#]*$/, ''))));
  const own = path === undefined ? [] : [dirname(resolve(path))];
  return [...new Set(own.length + named.length === 0 ? [process.cwd()] : [...own, ...named])];
}

const outOf = ({ out = defaults.out }: GateRequest): string => resolve(out);

/** Extensions of kernels and configs. */
const SOURCES = /\.([cm]?[jt]s|json|py|wgsl|so(\.\d+)*|dylib|dll)$/;
/** Folders of installed or generated files. */
const MADE = /^(\..*|node_modules|__pycache__)$/;
const MOST_FOLDERS = 1000;
/** Milliseconds in which an editor's steps to save a file count as one change. */
const SETTLING = 100;

/**
 * Calls back once after the sources in some folders have changed.
 * @param except folders that are not watched
 * @returns a function that stops watching
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
    // The removal of a folder is seen in its parent.
    watch(folder, onEvent).on('error', () => undefined),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Returns the folders that may hold sources, and those below them, each once; unreadable ones are left out. */
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
      // An unreadable folder holds no readable source.
    }
  }
  return [...found];
}
