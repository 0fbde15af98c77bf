import { createRequire } from 'node:module';

/**
 * Ends this process without the destructors of its native libraries: those of SwiftShader crash its own threads while they still compute.
 * Returns where that is impossible: on Windows, and without koffi.
 */
export function exitAtOnce(code: number): void {
  if (process.platform === 'win32') return;
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    koffi.load(null).func('void _exit(int)')(code);
  } catch {
    // The process ends in the usual way.
  }
}
