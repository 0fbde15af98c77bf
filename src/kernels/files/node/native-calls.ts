import { createRequire } from 'node:module';
import { describeThrown } from '../../kernel-error.ts';
import { noNativeCalls } from '../../messages.ts';

type Koffi = typeof import('koffi');

/** Loads koffi, a native addon that may be missing: only calls of shared libraries need it. */
const installed = (): Koffi => createRequire(import.meta.url)('koffi');

/**
 * Loads the package that calls functions of shared libraries.
 * @throws ParanoiaError `no-native-calls` where it is missing, which is no fault of a library
 */
export function nativeCalls(file: string, load: () => Koffi = installed): Koffi {
  try {
    return load();
  } catch (error) {
    const why = describeThrown(error).replace(/\.$/, '');
    throw noNativeCalls({ file, why, platform: `${process.platform}-${process.arch}` }, error);
  }
}
