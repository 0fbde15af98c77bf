import { EXIT, type ParanoiaError } from '../errors.ts';
import { endedEarly, neverLoaded } from '../messages.ts';
import { exitAtOnce } from './exit-at-once.ts';
import { endLoops } from './load-limit.ts';

/** Files of the user that are being loaded, the last one last. */
const loading: string[] = [];
let isExpected = false;
let mayCompute = false;

/** Loads a file of the user: an end of this process in the middle of that is the file's. */
export async function whileLoading<T>(path: string, load: () => Promise<T>): Promise<T> {
  loading.push(path);
  try {
    return await load();
  } finally {
    loading.splice(loading.lastIndexOf(path), 1);
  }
}

/** From here on this process may end: what it had to say is said. */
export function expectEnd(): void {
  isExpected = true;
}

/** From here on threads of a GPU's driver may compute when this process ends. */
export function expectComputing(): void {
  mayCompute = true;
}

/** Ends this process because it is to end. */
export function endNow(code: number): never {
  expectEnd();
  // Behind all that still has to be said and cleaned up.
  if (mayCompute) process.once('exit', (last) => exitAtOnce(Number(process.exitCode ?? last)));
  process.exit(code);
}

/**
 * Why this process ends in the middle of its work: by code of the user's, since its own waits until it has ended.
 * @param isUnsettled whether nothing is left that could settle what is waited for.
 */
export function earlyEnd(isUnsettled: boolean): ParanoiaError | undefined {
  if (isExpected) return undefined;
  const file = loading.at(-1);
  return isUnsettled && file !== undefined ? neverLoaded({ file }) : endedEarly({ file, isUnsettled });
}

/** Sees that this process ends, never before its work without a sentence, and never as if it had passed. */
export function watchEnding(): void {
  endLoops();
  let isUnsettled = false;
  process.on('beforeExit', () => {
    isUnsettled = true;
  });
  process.on('exit', () => {
    const why = earlyEnd(isUnsettled);
    if (why === undefined) return;
    process.stderr.write(`${why.message}\n`);
    process.exitCode = EXIT.ended;
  });
}
