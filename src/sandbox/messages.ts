import { defineMessage, EXIT } from '../base/errors.ts';

export const noSandbox = defineMessage(
  'no-sandbox',
  EXIT.noSandbox,
  (d: { missing: readonly string[]; advice: string }) =>
    `Cannot sandbox untrusted code on this system: ${d.missing.join('; ')}. ${d.advice}. To run with partial isolation: --sandbox auto.`,
);
