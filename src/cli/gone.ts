import { goneWord } from './messages.ts';

const inLab = (name: string) =>
  `is an experiment of the laboratory: \`npm run lab -- ${name}\` in a checkout of the repository`;

/** Removed commands and options in alphabetical order, and their replacements, as the end of a sentence. */
export const gone: Readonly<Record<string, string>> = {
  'bench graders': inLab('graders'),
  'atlas add --key': 'is gone: entries are not signed, so leave it out',
  'atlas add --seed': 'is gone: no case is computed again, so leave it out',
  'atlas add --spot': 'is gone: no case is computed again, so leave it out',
  'atlas check': 'is gone: `atlas build` refuses an entry that is not what its schema and its hash say',
  'atlas key': 'is gone: entries are not signed',
  'bench study': 'is now `study <name> --only speeds`',
  'report catalogue': inLab('catalogue'),
  'describe --shape': 'is gone: give --size mxkxn',
  'farm gateway': 'is gone: use `farm submit` and `farm work` on machines that you trust',
  'farm work --gateway': 'is gone: give --store and --queue, on machines that you trust',
  'measure --shape': 'is gone: give --size mxkxn',
  reproduce: 'is now `study <name> --only errors`',
  'selftest --history': inLab('history'),
  'selftest --honest': inLab('honest'),
  'selftest --power': inLab('power'),
};

/** Refuses removed words, if their options are among those of the call. @throws ParanoiaError `gone-word` */
export function refuseGone(words: readonly string[]): void {
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
