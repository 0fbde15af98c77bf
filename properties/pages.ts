import { readdirSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/**
 * Documents for users that are written by hand, README and those in docs, and say what is true today: the list of changes names what
 * went. The others there are made of what the program reads.
 */
export const pages: readonly string[] = [
  'README.md',
  ...['docs', 'docs/how-to', 'docs/concepts'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((file) => file.endsWith('.md') && !file.endsWith('-figures.md') && file !== 'CHANGELOG.md')
      .map((file) => `${folder}/${file}`),
  ),
  'docs/reference/index.md',
];
