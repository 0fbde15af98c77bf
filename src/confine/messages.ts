import { defineMessage, EXIT } from '../base/errors.ts';

export const noSandbox = defineMessage(
  'no-sandbox',
  EXIT.noSandbox,
  (d: { missing: readonly string[]; advice: string }) =>
    `What is not trusted cannot be held here: ${d.missing.join('; ')}. ${d.advice}, or run without it (--sandbox auto says what holds).`,
);
