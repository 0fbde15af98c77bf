import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files of the repository that pages link to and that are no pages: they go along, so that the site needs no network. */
const beside = new Set<string>();

/** Where the site will lie on its server: `DOCS_BASE=/gemm-paranoia/`. */
const base = process.env.DOCS_BASE ?? '/';

/** What a link of a page leads to, where that is a file of the repository but no page of its own; README.md is the first page. */
function placeOf(href: string, { realPath, relativePath }: { realPath?: string; relativePath: string }) {
  const target = href.replace(/#.*/, '');
  if (target === '' || /^(\w+:|\/)/.test(target)) return undefined;
  const place = relative(root, resolve(dirname(realPath ?? join(root, relativePath)), target));
  const isPage = place.endsWith('.md') && place !== 'README.md';
  return isPage || place.startsWith('..') || !existsSync(join(root, place)) ? undefined : place;
}

/** Pages for people come before those of the API. */
const boostDocument = (id: string) => (id.includes('/api/') ? 0.1 : 1);

const titleOf = (file: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? file;

/** A page of the sidebar, under its own title unless it is given. */
const at = (file: string, text = titleOf(`${file}.md`)) => ({ text, link: `/${file}` });

const pagesIn = (folder: string, ...first: readonly string[]) => {
  const names = readdirSync(join(root, folder))
    .filter((file) => /^(?!index)[\w-]+(?<!-figures)\.md$/.test(file))
    .map((file) => file.replace('.md', ''));
  const rest = names.filter((name) => !first.includes(name));
  return [...first, ...rest].map((name) => at(`${folder}/${name}`));
};

interface Resolving {
  resolve(id: string, importer: string): unknown;
}

/** Pages above this folder, too, are drawn with what is installed in it. */
const vueOfThisFolder = {
  name: 'vue-of-this-folder',
  enforce: 'pre' as const,
  resolveId(this: Resolving, id: string, importer: string | undefined, { ssr }: { ssr?: boolean }) {
    if (!/^vue(\/|$)/.test(id)) return undefined;
    if (ssr) return { id, external: true };
    const isAbove = importer?.endsWith('.md') === true && !importer.startsWith(join(root, 'docs/'));
    return isAbove ? this.resolve(id, join(root, 'docs/package.json')) : undefined;
  },
};

export default defineConfig({
  title: 'gemm-paranoia',
  description: 'Can this matrix multiplication be trusted?',
  // Pages lie where the repository has them, so that their links hold on its own pages too; README.md is the first.
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    'dist/**',
    'fixtures/!(adversary|history|shipped-kernels|strangers)/**',
    'docs/**/*-figures.md',
  ],
  rewrites: { 'README.md': 'index.md' },
  base,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: { plugins: [vueOfThisFolder] },
  markdown: {
    config: (md) => {
      const inline = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, at, options, env, self) => {
        // Braces of workflows are text.
        tokens[at].attrSet('v-pre', '');
        return inline?.(tokens, at, options, env, self) ?? '';
      };
      const link = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, at, options, env, self) => {
        const place = placeOf(tokens[at].attrGet('href') ?? '', env);
        if (place === undefined) return link?.(tokens, at, options, env, self) ?? '';
        if (place === 'README.md') tokens[at].attrSet('href', base);
        else {
          beside.add(place);
          tokens[at].attrSet('href', base + place);
          tokens[at].attrSet('target', '_blank');
        }
        return self.renderToken(tokens, at, options);
      };
    },
  },
  // From a folder on disk, too, pages find each other and their looks; search needs `npm run docs:serve`.
  transformHtml: (html, _, { page }) => {
    const up = '../'.repeat(page.split('/').length - 1) || './';
    return html.replace(/ (href|src)="\/(?!\/)([^"#]*)/g, (_, name: string, path: string) => {
      const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      return ` ${name}="${up}${file}`;
    });
  },
  buildEnd: ({ outDir }) => {
    for (const place of beside) cpSync(join(root, place), join(outDir, place), { recursive: true });
    // Pages that are whole by themselves.
    cpSync(join(root, 'docs/atlas'), join(outDir, 'atlas'), { recursive: true });
    cpSync(join(root, 'reports/catalogue/catalogue.html'), join(outDir, 'catalogue/index.html'));
    cpSync(join(root, 'docs/.vitepress/page'), join(outDir, 'page'), { recursive: true });
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    outline: [2, 3],
    nav: [
      at('docs/tutorial', 'Tutorial'),
      { text: 'How to', link: '/docs/how-to/' },
      { text: 'Reference', link: '/docs/reference/' },
      at('docs/api/README', 'API'),
      at('docs/evidence', 'Evidence'),
      { text: 'Atlas', link: '/atlas/index.html', target: '_self' },
      { text: 'Catalogue', link: '/catalogue/index.html', target: '_self' },
      // No page of the site's own: its router leaves it alone.
      { text: 'Judge your GPU', link: '/page/index.html', target: '_self' },
    ],
    sidebar: [
      { text: 'Begin', items: [{ text: 'What it is', link: '/' }, at('docs/tutorial')] },
      {
        text: 'How to',
        items: [
          { text: 'By what you want', link: '/docs/how-to/' },
          ...pagesIn(
            'docs/how-to',
            'kernels-in-files',
            'python',
            'check',
            'replace-assert-close',
            'wgsl',
            'pages',
            'blas',
            'kernels-in-a-config',
            'libraries',
            'low-precision',
            'scaled',
            'claims',
            'accepts',
            'claims-by-algorithm',
            'inspect',
            'fuzz',
            'reports',
            'ci',
            'atlas',
            'catalogue',
            'waivers',
            'baselines',
            'farms',
            'vitest',
            'code',
            'other-commands',
          ),
        ],
      },
      {
        text: 'Concepts',
        items: pagesIn(
          'docs/concepts',
          'gate',
          'cases',
          'errors',
          'bounds',
          'plans',
          'exact',
          'precisions',
          'device',
          'trust',
          'hidden-cases',
          'versions',
        ),
      },
      {
        text: 'Reference',
        items: [
          { text: 'Exit codes, and all pages', link: '/docs/reference/' },
          ...pagesIn('docs/reference'),
          at('docs/api/README', 'API'),
        ],
      },
      { text: 'Evidence', items: [at('docs/evidence'), at('reports/README')] },
      { text: 'The code', items: [at('ARCHITECTURE'), at('CONTRIBUTING'), at('docs/CHANGELOG')] },
    ],
  },
});
