import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { build, type OutputChunk, type RolldownOptions, rolldown } from 'rolldown';
import { SCRIPT } from '../src/report/html/script.ts';
import { indexHtml } from '../src/web/shell.ts';

const ROOT = dirname(import.meta.dirname);

/** The part of the core that every gate needs: what it imports, not what it loads when it turns out to need it. */
const GATE = 'src/config/gate.ts';

const common: RolldownOptions = {
  cwd: ROOT,
  platform: 'browser',
  onwarn: ({ message }) => {
    throw new Error(message);
  },
};

/** The modules that an entry loads at once, those that nothing of it uses left out. */
async function modulesOf(entry: string): Promise<ReadonlySet<string>> {
  const bundle = await rolldown({ ...common, input: entry });
  const { output } = await bundle.generate();
  await bundle.close();
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])));
  const [first] = output;
  const wanted = [first.fileName];
  for (const name of wanted)
    wanted.push(...(chunks.get(name)?.imports ?? []).filter((one) => !wanted.includes(one)));
  return new Set(wanted.flatMap((name) => Object.keys(chunks.get(name)?.modules ?? {})));
}

/**
 * The core for pages, with what it depends on, so that a page needs no bundler and a bundler no settings: what `gate` imports is one
 * file, and what few runs need is loaded when one does.
 */
export async function bundleBrowser(dir: string): Promise<readonly OutputChunk[]> {
  const core = await modulesOf(GATE);
  const { output } = await build({
    ...common,
    input: { index: 'src/index.ts', gate: GATE },
    output: {
      ...{ dir, minify: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      codeSplitting: { groups: [{ name: 'core', test: (id) => core.has(id) }] },
    },
  });
  const chunks = output.filter((one) => one.type === 'chunk');
  writeFileSync(join(dir, 'LICENSES.txt'), licensesOf(chunks));
  return chunks;
}

/** The page that visitors judge their GPUs on: static files, each of its scripts one file. */
export async function bundlePage(dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true });
  const chunks: OutputChunk[] = [];
  for (const [name, input] of Object.entries({ page: 'main', worker: 'worker' })) {
    const { output } = await build({
      ...common,
      input: { [name]: `src/web/browser/${input}.ts` },
      // LICENSES.txt has what comments say of licenses.
      output: { dir, minify: true, comments: false, codeSplitting: false, entryFileNames: '[name].js' },
    });
    chunks.push(...output.filter((one) => one.type === 'chunk'));
  }
  writeFileSync(join(dir, 'report.js'), SCRIPT);
  writeFileSync(join(dir, 'index.html'), indexHtml());
  writeFileSync(join(dir, 'LICENSES.txt'), licensesOf(chunks));
}

/** The licenses of packages that are part of a bundle, which say that they are to come with it. */
export function licensesOf(chunks: readonly OutputChunk[]): string {
  const inside = `${sep}node_modules${sep}`;
  const folders = chunks.flatMap(({ modules }) =>
    Object.keys(modules).flatMap((id) => {
      const [name, scoped] = id.split(inside).at(-1)?.split(sep) ?? [];
      if (!id.includes(inside)) return [];
      return [join(ROOT, 'node_modules', name.startsWith('@') ? join(name, scoped) : name)];
    }),
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const license = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name)) ?? 'LICENSE';
      return `${about.name} ${about.version}\n\n${readFileSync(join(folder, license), 'utf8').trim()}\n`;
    })
    .join('\n\n');
}
