import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { meanings, referencePages } from '../../docs/site/reference-pages.ts';
import { EXIT } from '../../src/base/errors.ts';
import { commands } from '../../src/cli/commands.ts';
import { kinds } from '../../src/cli/list/list.ts';
import { builtinNodeItems } from '../../src/config/node/node-items.ts';
import { checkKernel } from '../../src/kernels/check-kernel.ts';
import { type StatementRecord, sayings } from '../../src/kernels/claim-records.ts';
import { clientKernels } from '../../src/kernels/clients/node/clients.ts';
import { features } from '../../src/matrix/features.ts';
import { makeRunCatalog } from '../../src/run/run-catalog.ts';
import { pages } from '../pages.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pages];

/** Files that do not exist before they are made by a command. */
const MADE = ['fixtures/corpus'];

/** Returns a heading's anchor, as GitHub and the site make it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Returns the links of a page that lead nowhere: a file that does not exist, or an anchor without its heading. */
function deadLinks(file: string, text = read(file)): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/.test(link) || (link.startsWith('/') && file.startsWith('docs/'))) return [];
    const [path, anchor] = link.split('#');
    const target = path === '' ? new URL(file, root) : new URL(path, new URL(file, root));
    // Pages of the site that are generated from what the program reads.
    if (/\/docs\/(?:reference|api)\//.test(target.pathname) && !existsSync(target)) return [];
    if (!existsSync(target)) return [link];
    if (anchor === undefined || !target.pathname.endsWith('.md')) return [];
    const own = path === '' ? text : readFileSync(target, 'utf8');
    const anchors = [...own.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));
    return anchors.includes(anchor) ? [] : [link];
  });
}

it.each([...documents, 'docs/CHANGELOG.md', 'lab/README.md', 'reports/README.md'])(
  '%s has no dead link',
  (file) => {
    expect(deadLinks(file)).toEqual([]);
  },
);

it('a link to no file and one to no heading are dead', () => {
  const text =
    '# A `b` & c\n[x](#a-b--c) [y](#d) [z](docs/none.md) [v](docs/concepts/gate.md#checks) [w](https://x.org/#q)';
  expect(deadLinks('README.md', text)).toEqual(['#d', 'docs/none.md']);
});

/** Returns the texts between backquotes. */
const quoted = (file: string) => [...read(file).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);

it.each(documents)('%s names files that there are', (file) => {
  const paths = quoted(file).filter((text) => /^(src|properties|fixtures|share)\/[\w./-]+$/.test(text));
  // Documents for users name few of our files.
  if (!pages.includes(file)) expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !MADE.includes(path) && !existsSync(new URL(path, root)))).toEqual([]);
});

it.each(documents)('%s names scripts that there are', (file) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(file).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('ARCHITECTURE.md has a line for every contract and every room', () => {
  const said = read('ARCHITECTURE.md');
  const names = readdirSync(new URL('.', import.meta.url)).flatMap(
    (file) => /^(.+)\.(?:test|check)\.ts$/.exec(file)?.[1] ?? [],
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !said.includes(`| \`${name}\``))).toEqual([]);
});

it('the reference says of every exit code what it means', () => {
  const [, section] = read('docs/reference/index.md').split('\n## Exit codes\n');
  const rows = [...section.matchAll(/^\| (\d+) \| ([^|]+) \|$/gm)].map(([, code, text]) => `${code} ${text}`);
  const codes = Object.entries(EXIT).map(([name, code]) => `${code} ${meanings[name as keyof typeof EXIT]}`);
  expect(codes.filter((text, at) => !new RegExp(`^${text}\\b`).test(rows[at] ?? ''))).toEqual([]);
  expect(rows.map((row) => Number.parseInt(row, 10))).toEqual(Object.values(EXIT));
});

it('the reference has a page for all that is registered, and its index names each', async () => {
  const pages = await referencePages();
  const named = [...read('docs/reference/index.md').matchAll(/\]\((\w+\.md)\)/g)].map(([, page]) => page);
  expect(named).toEqual(Object.keys(pages));
  for (const name of Object.keys(commands)) expect(pages['commands.md']).toContain(`\n## ${name}\n`);
  for (const kind of Object.keys(kinds)) {
    const items = (await kinds[kind]())({ catalog: makeRunCatalog(clientKernels, builtinNodeItems) });
    const all = Object.values(pages).join('');
    expect(items.filter(({ name }) => !all.includes(`| \`${name}\` |`))).toEqual([]);
  }
});

it('the how-to of claims names claims that a kernel may have, and that of products all that it may accept', () => {
  const said = quoted('docs/how-to/claims-by-algorithm.md').filter((text) => text.startsWith('claims: '));
  expect(said.length).toBeGreaterThan(10);
  for (const text of said) {
    const { claims } = new Function(`return { ${text} }`)();
    // Matrix units multiply narrower entries than they add, and results may be narrower than sums.
    const precision = /terms|'operand'|'result'/.test(text) ? 'f16-f32-f16' : 'f32';
    expect(() => checkKernel({ name: 'x', precision, claims, multiply: () => {} }), text).not.toThrow();
  }
  const accepted = features.map(({ key }) => key).filter((key) => key !== 'grouped');
  expect(accepted.filter((key) => !quoted('docs/how-to/accepts.md').includes(key))).toEqual([]);
});

it('the reference has a row for every claim and all that a kernel may accept, with its values', async () => {
  const { 'claims.md': page } = await referencePages();
  const rows = (said: StatementRecord, path: string): string[] =>
    Object.entries(said.within ?? {}).flatMap(([key, part]) => [path + key, ...rows(part, `${path}${key}.`)]);
  for (const said of Object.values(sayings)) {
    const names = rows(said, '');
    expect(names.length).toBeGreaterThan(15);
    expect(
      names.filter((name) => !new RegExp(`^\\| \`${name}\` \\| \\S.* \\|.*\\| \\S.* \\|$`, 'm').test(page)),
    ).toEqual([]);
  }
});

it('package.json keeps from bundlers what acts when it is imported, and that alone', () => {
  const { sideEffects } = JSON.parse(read('package.json'));
  const { entry } = JSON.parse(read('config/knip.json')) as { entry: readonly string[] };
  // Programs, which no module imports, have effects too.
  const programs = entry.filter((file) => /^src\/(cli|web\/browser|\w+\/.*node)\//.test(file));
  const acting = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file}`)
    .filter((file) => /\.ts$/.test(file) && !/\.(test|testing)\.ts$/.test(file) && !programs.includes(file))
    .filter((file) => {
      const code = read(file).replace(/`(?:[^`\\]|\\.)*`/gs, '``');
      return /^(?!(import|export|const|let|type|interface|class|abstract|function|async|declare)\b)\w/m.test(
        code,
      );
    });
  expect(sideEffects).toEqual(acting.map((file) => file.replace(/^src(.*)\.ts$/, './dist$1.js')));
});

it('the how-to of tolerances shows the tables of its report', () => {
  const rows = (text: string) =>
    text.split('\n').filter((line) => /^\| .* (of \d+|`assert_matmul`) \|$/.test(line));
  const measured = rows(read('reports/replace-assert-close/table.md'));
  expect(measured.length).toBeGreaterThan(20);
  expect(rows(read('docs/how-to/replace-assert-close.md'))).toEqual(measured);
});
