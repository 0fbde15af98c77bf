import { problem } from '../../problems.ts';
import type { Session } from '../session.ts';
import type { ProgramKernel } from '../user-kernel.ts';
import { openOnceSession } from './once-session.ts';
import type { ProgramOptions } from './program.ts';
import { openWorkerSession } from './worker-session.ts';

/**
 * Opens a kernel that is a program, started for every product or once. Whatever it does is a verdict on the product that
 * it does it to; it and all that it has started are ended with this process.
 * @throws Problem `bad-kernel` for a command that does not say where A, B and C are.
 */
export function openProgramSession(kernel: ProgramKernel, options: ProgramOptions): Session {
  const { name, program } = kernel;
  if (program.mode === 'worker') return openWorkerSession(kernel, options);
  const missing = ['{a}', '{b}', '{c}'].filter(
    (place) => !program.command.some((word) => word.includes(place)),
  );
  if (missing.length > 0) {
    const why = `its command does not say ${missing.join(' and ')}, in whose place the paths of .npy files are put`;
    throw problem('bad-kernel', { kernel: `"${name}"`, why });
  }
  return openOnceSession(kernel, options);
}
