import { lookUp } from '../base/look-up.ts';
import type { Flags } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import { missingArgument, vainOption } from './messages.ts';

/** Options that mean nothing of kernels that are trusted, and those that nobody gives who does not trust one. */
const OF_A_REFEREE = ['sandbox', 'algorithm', 'reads'];
const OF_TRUST = [
  'config',
  'kernel',
  'shard',
  'fault',
  'lastFailed',
  'update',
  'watch',
  'jobs',
  'baselines',
  'corpus',
];

/**
 * Refuses options that mean nothing of a kernel that is trusted, and of one that is not.
 * @throws ParanoiaError `vain-option`, `conflicting-options`, `missing-argument`
 */
export function requireTrust(flags: Flags, command: string): void {
  const named = (key: string) => `--${key.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
  if (flags.untrusted !== true) {
    const vain = OF_A_REFEREE.find((key) => lookUp(flags, key) !== undefined);
    if (vain !== undefined) throw vainOption({ option: named(vain), without: '--untrusted' });
    return;
  }
  const other = OF_TRUST.find((key) => lookUp(flags, key) !== undefined);
  if (other !== undefined) throw conflictingOptions({ one: '--untrusted', other: named(other) });
  if (flags.files === undefined)
    throw missingArgument({ command: `${command} --untrusted`, argument: 'file' });
}
