import { createRequire } from 'node:module';
import { EXIT, type ParanoiaError } from '../errors.ts';
import { endedEarly, neverLoaded } from '../messages.ts';
import { endLoops } from './time-limits.ts';

/** User files in the course of loading, the last one last. */
const loading: string[] = [];
let isExpected = false;
let mayCompute = false;

/** Loads a user file. If this process ends meanwhile, the file is to blame. */
export async function blameWhileLoading<T>(path: string, load: () => Promise<T>): Promise<T> {
  loading.push(path);
  try {
    return await load();
  } finally {
    loading.splice(loading.lastIndexOf(path), 1);
  }
}

/** Marks the end of this process as expected: its output is complete. */
export function expectEnd(): void {
  isExpected = true;
}

/** Records that threads of a GPU's driver may still compute when this process ends. */
export function expectComputing(): void {
  mayCompute = true;
}

/** Ends this process deliberately. */
export function endNow(code: number): never {
  expectEnd();
  // After all remaining output and cleanup.
  if (mayCompute) process.once('exit', (last) => exitAtOnce(Number(process.exitCode ?? last)));
  process.exit(code);
}

/**
 * Returns the error of an early end of this process, which user code must have caused, since our own code waits until its work is done.
 * @param isUnsettled true if no pending event could settle the awaited promises.
 */
export function makeEarlyEndError(isUnsettled: boolean): ParanoiaError | undefined {
  if (isExpected) return undefined;
  const file = loading.at(-1);
  return isUnsettled && file !== undefined ? neverLoaded({ file }) : endedEarly({ file, isUnsettled });
}

/** Watches the end of this process. It never ends before its work without a message, and never as if it had passed. */
export function watchEnding(): void {
  endLoops();
  let isUnsettled = false;
  process.on('beforeExit', () => {
    isUnsettled = true;
  });
  process.on('exit', () => {
    const why = makeEarlyEndError(isUnsettled);
    if (why === undefined) return;
    process.stderr.write(`${why.message}\n`);
    process.exitCode = EXIT.ended;
  });
}

/**
 * Ends this process without the destructors of its native libraries: those of SwiftShader crash its own threads while they still compute.
 * Returns where that is impossible: on Windows, and without koffi.
 */
function exitAtOnce(code: number): void {
  if (process.platform === 'win32') return;
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    koffi.load(null).func('void _exit(int)')(code);
  } catch {
    // The process ends in the usual way.
  }
}
