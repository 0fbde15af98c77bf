import { expect, it } from 'vitest';
import { unknownName } from './messages.ts';

const message = (given: string, known: readonly string[]) =>
  unknownName({ what: 'run', given, known }).message;

it('an unknown name is a sentence with its neighbor and the known names', () => {
  expect(message('stdy', ['gate', 'study'])).toBe(
    'Unknown run "stdy". Did you mean "study"? Known: gate, study.',
  );
});

it('no known names are not listed', () => {
  expect(message('1', [])).toBe('Unknown run "1".');
});
