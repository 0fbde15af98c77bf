import { openHostedSession } from '../../kernel/node/hosted-session.ts';
import type { ProgramOptions } from '../../kernel/node/program.ts';
import { openProgramSession } from '../../kernel/node/program-session.ts';
import type { Session } from '../../kernel/session.ts';
import type { UserKernel } from '../../kernel/user-kernel.ts';
import type { KernelOrigin } from './locate-kernel.ts';

/** The module that finds a kernel again in a process of its own: compiled, or as it is in development. */
const LOCATOR = import.meta.url.endsWith('.ts') ? './locate-kernel.ts' : './locate-kernel.js';

/** What kernels are opened with, the folder in which programs run, and whether what programs say is passed on. */
export type Origin = Omit<KernelOrigin, 'name'> & Pick<ProgramOptions, 'cwd' | 'verbose'>;

/** Opens kernels outside this process, so that one that hangs or dies takes nothing with it. */
export function sessionsFor({ cwd, verbose, ...origin }: Origin): (spec: UserKernel) => Session {
  const module = new URL(LOCATOR, import.meta.url).href;
  return (spec) => {
    if ('program' in spec) return openProgramSession(spec, { cwd, verbose });
    const { name, timeLimit } = spec;
    return openHostedSession(name, { module, args: { ...origin, name } }, { timeLimit });
  };
}
