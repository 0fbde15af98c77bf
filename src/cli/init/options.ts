import { choice, flag } from '../../options/kinds.ts';
import type { OptionTable, ValuesOf } from '../../options/option.ts';
import { ciNames, languageNames } from './languages.ts';

export const initOptions = {
  yes: flag('-y, --yes', 'Ask nothing: take what is usual'),
  language: choice(languageNames, '--language <name>', languageNames.join(', '), {
    usual: 'as the folder shows',
  }),
  ci: choice(ciNames, '--ci <name>', ciNames.join(' or '), { usual: 'github' }),
} as const satisfies OptionTable;
export type InitRequest = ValuesOf<typeof initOptions>;
