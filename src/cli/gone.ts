import { goneWord } from './messages.ts';

const inLab = (name: string) =>
  `moved to the laboratory. Run \`npm run lab -- ${name}\` in a checkout of the repository`;

/** Removed commands and options in alphabetical order, and their replacements, as the end of a sentence. */
export const gone: Readonly<Record<string, string>> = {
  'bench graders': inLab('graders'),
  'atlas add --key': 'was removed because entries are not signed. Leave it out',
  'atlas add --seed': 'was removed because no case is computed again. Leave it out',
  'atlas add --spot': 'was removed because no case is computed again. Leave it out',
  'atlas check': 'was removed. `atlas build` checks the schema and the hash of entries',
  'atlas key': 'was removed because entries are not signed',
  'bench study': 'was renamed. Use `study <name> --only speeds`',
  'report catalogue': inLab('catalogue'),
  'describe --shape': 'was renamed. Use --size mxkxn',
  'farm gateway': 'was removed. Use `farm submit` and `farm work` on trusted machines',
  'farm work --gateway': 'was removed. Give --store and --queue, on trusted machines',
  'measure --shape': 'was renamed. Use --size mxkxn',
  reproduce: 'was renamed. Use `study <name> --only errors`',
  'selftest --history': inLab('history'),
  'selftest --honest': inLab('honest'),
  'selftest --power': inLab('power'),
};

/** Refuses removed words, if their options are among those of the call. @throws ParanoiaError `gone-word` */
export function refuseRemovedWords(words: readonly string[]): void {
  const end = words.indexOf('--');
  const given = end < 0 ? words : words.slice(0, end);
  const options = new Set(given.filter(isOption).map((word) => word.replace(/=.*/s, '')));
  const plain = given.filter((word) => !isOption(word));
  for (const [word, became] of Object.entries(gone)) {
    const parts = word.split(' ');
    const command = parts.filter((part) => !isOption(part));
    const isGiven =
      command.every((part, at) => plain[at] === part) &&
      parts.filter(isOption).every((part) => options.has(part));
    if (isGiven) throw goneWord({ word, became });
  }
}

const isOption = (word: string): boolean => word.startsWith('-');
