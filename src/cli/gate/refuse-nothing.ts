import { findConfig } from '../../config/node/find-config.ts';
import { noKernels } from '../messages.ts';
import type { GateRequest } from './options.ts';

/** Options that name no kernel and no case. */
const PRINTING: ReadonlySet<string> = new Set(['list', 'json', 'verbose']);

/**
 * Refuses a request that says nothing, where no config can name a kernel. A plan refuses it too, but loads all that judges.
 * @throws ParanoiaError `no-kernels`, and Error of the file system
 */
export function refuseNothing(request: GateRequest): void {
  const folder = process.cwd();
  if (Object.keys(request).every((key) => PRINTING.has(key)) && findConfig(folder) === undefined)
    throw noKernels({ folder });
}
