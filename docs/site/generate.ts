import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePage } from '../../config/bundle-browser.ts';
import { buildAtlas } from '../../src/atlas/node/build.ts';
import { errorsFigure } from './errors-figure.ts';
import { referencePages } from './reference-pages.ts';
import { toleranceFigures } from './tolerance-figures.ts';

// Writes the generated pages of the site, and the page that judges a GPU: npm run docs.
const docs = new URL('../', import.meta.url);
mkdirSync(new URL('reference/', docs), { recursive: true });
for (const [file, text] of Object.entries(await referencePages())) {
  writeFileSync(new URL(`reference/${file}`, docs), text);
}
writeFileSync(new URL('concepts/errors-figures.md', docs), errorsFigure());
writeFileSync(new URL('how-to/tolerance-figures.md', docs), await toleranceFigures());
// Removes pages of entries that no longer exist.
const atlas = fileURLToPath(new URL('atlas', docs));
rmSync(atlas, { recursive: true, force: true });
buildAtlas(fileURLToPath(new URL('../reports/atlas/entries', docs)), atlas);
await bundlePage(fileURLToPath(new URL('.vitepress/page', docs)));
