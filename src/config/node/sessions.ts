import { openHostedSession } from '../../kernel/node/hosted-session.ts';
import { openProgramSession } from '../../kernel/node/program-session.ts';
import type { Session } from '../../kernel/session.ts';
import type { UserKernel } from '../../kernel/user-kernel.ts';
import type { KernelOrigin } from './locate-kernel.ts';

/** The module that finds a kernel again in a process of its own: compiled, or as it is in development. */
const LOCATOR = import.meta.url.endsWith('.ts') ? './locate-kernel.ts' : './locate-kernel.js';

/** What kernels are opened with, and the folder in which programs run. */
export type Origin = Omit<KernelOrigin, 'name'> & { readonly cwd: string };

/** Opens kernels outside this process, so that one that hangs or dies takes nothing with it. */
export function sessionsFor({ cwd, ...origin }: Origin): (spec: UserKernel) => Session {
  const module = new URL(LOCATOR, import.meta.url).href;
  return (spec) => {
    if ('program' in spec) return openProgramSession(spec, { cwd });
    const { name, timeLimit } = spec;
    return openHostedSession(name, { module, args: { ...origin, name } }, { timeLimit });
  };
}
