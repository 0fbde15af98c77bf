import { createRequire } from 'node:module';
import { noNativeCalls } from '../../messages.ts';
import { reasonOf } from '../../thrown.ts';

type Koffi = typeof import('koffi');

/** A native addon, which may be missing: nothing else that judges needs it. */
const installed = (): Koffi => createRequire(import.meta.url)('koffi');

/**
 * What this package calls functions of shared libraries with.
 * @throws ParanoiaError `no-native-calls` where it is not there: that is no fault of a library
 */
export function nativeCalls(file: string, load: () => Koffi = installed): Koffi {
  try {
    return load();
  } catch (error) {
    const why = reasonOf(error).replace(/\.$/, '');
    throw noNativeCalls({ file, why, platform: `${process.platform}-${process.arch}` }, error);
  }
}
