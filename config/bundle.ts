import { writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type InputOptions, type Plugin } from 'rolldown';
import about from '../package.json' with { type: 'json' };
import { bundleBrowser, bundlePage, licensesOf } from './bundle-browser.ts';
import { joinLoads } from './chunks.ts';
import { directImports } from './direct-imports.ts';

/** Entry points of package.json, and the scripts of other processes that load files of users: each lies in `dist` as it does in `src`. */
const scripts = [
  'index',
  'node',
  'vitest/index',
  'cli/main',
  'farm/node/job',
  'kernels/host/node/host',
  'config/node/locate-kernel',
];

/** The scripts of other processes and threads, each in one file: it shares no object with another one. */
const alone = [
  'base/node/watchdog',
  'exact/node/worker',
  'evidence/node/large-worker',
  'sandbox/node/launcher/launcher',
  'sandbox/node/prober',
  'sandbox/node/watcher',
  'runtimes/page',
  'atlas/node/write-schema',
];

/** Modules that scripts of tests import in processes of their own. */
const tested = [
  'algorithms/define-algorithm',
  'algorithms/strassen',
  'base/node/ending',
  'base/node/import-file',
  'cli/list/list',
  'config/messages',
  'config/node/options-of',
  'evidence/checks/define-check',
  'gpu/messages',
  'inputs/define-input',
  'kernels/function-kernel',
  'kernels/host/node/open-in-host',
  'kernels/host/node/open-program',
  'pages/node/reporters',
  'precision/define-precision',
  'precision/format',
  'study/study',
];

const dist = process.argv[2] ?? 'dist';

/** Packages of so many files that opening them takes longer than running them. */
const INSIDE: ReadonlySet<string> = new Set([
  'd3-array',
  'd3-scale',
  'd3-shape',
  'es-module-lexer',
  'fflate',
  'jstat',
  'picocolors',
  'zod',
]);

const packages = Object.keys({ ...about.dependencies, ...about.peerDependencies });

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** Modules find files and scripts by their own address: it stays what it would be if each were a file of its own. */
const addresses: Plugin = {
  name: 'addresses',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.url' },
    handler: (code, id) => {
      const module = relative(SOURCE, id).replaceAll(sep, '/').replace(/ts$/, 'js');
      return code.replaceAll('import.meta.url', `__address("${module}")`);
    },
  },
  renderChunk: (code, { fileName }) => {
    const root = '../'.repeat(fileName.split('/').length - 1) || './';
    return code.replaceAll(/\b__address\("(.*?)"\)/g, (_, module) =>
      module === fileName ? 'import.meta.url' : `new URL("${root}${module}", import.meta.url).href`,
    );
  },
};

const filesOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));

const options: InputOptions = {
  input: filesOf([...scripts, ...tested]),
  platform: 'node',
  external: packages.filter((name) => !INSIDE.has(name)).map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [addresses, directImports],
  onwarn: ({ code, message }) => {
    // What a page loads late, a command line may load at once.
    if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(message);
  },
};

// To find and open a module takes longer than to run it: those that the same commands and scripts need become one file. No
// script that runs beside untrusted code loads a module that it does not import; no script loads such a package.
// Comments on modules are in their declarations; without them a file is a fifth shorter to read.
const written = { dir: dist, entryFileNames: '[name].js', comments: { jsdoc: false } };
const outputs = [
  await build({
    ...options,
    output: {
      ...written,
      chunkFileNames: 'chunks/[name].js',
      codeSplitting: await joinLoads(options, SOURCE),
    },
  }),
];
for (const name of alone)
  outputs.push(
    await build({ ...options, input: filesOf([name]), output: { ...written, codeSplitting: false } }),
  );

const chunks = outputs.flatMap(({ output }) => output.filter((one) => one.type === 'chunk'));
writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(chunks));
await bundleBrowser(`${dist}/browser`);
await bundlePage(`${dist}/page`);
