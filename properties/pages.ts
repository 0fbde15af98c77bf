import { readdirSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/**
 * Handwritten documents for users, README and those in docs, that describe the present state. The list of changes is not among them, since
 * it names removed things. The other documents there are generated from what the program reads.
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
