import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referencePages } from '../../docs/site/reference-pages.ts';
import { commands as experiments } from '../../lab/commands.ts';
import { pages } from '../../properties/pages.ts';
import { commands } from '../../src/cli/commands.ts';
import { runHere } from '../../src/cli/in-process.testing.ts';
import { loadConfig } from '../../src/config/node/load.ts';
import { builtinNodeItems, knownNames } from '../../src/config/node/node-items.ts';
import { checkNames } from '../../src/config/options.ts';
import { parseCall } from '../../src/options/node/parse.ts';
import { flagOf } from '../../src/options/option.ts';

/**
 * The contract: readers can type the code and commands of README and docs. The code compiles, configs load, JSON parses, commands
 * accept their options, and those of the tutorial print the shown output.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A block of code. */
interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** The comment before the block: it names a file of the repository, a file to save, or declarations that the code needs. */
  readonly note: string;
}

function blocksIn(page: string, text: string): Block[] {
  const found = text.matchAll(/(?:<!-- ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$/gms);
  return [...found].map(([, note = '', language, body]) => ({ page, language, text: body, note }));
}

const reference = Object.entries(await referencePages());
const blocks = [...pages.map((page) => [page, read(page)] as const), ...reference].flatMap(([page, text]) =>
  blocksIn(page, text),
);
const of = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language));

/** The lines of a shell session without comments, one program each. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => line.replace(/\s+(#\s|>\s?\S+$).*/, '').split(' && '))
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Commands in backquotes outside of blocks; ours may stand by their names alone. */
function typedIn(text: string): string[] {
  const quoted = [...text.replace(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(([, line]) =>
    line.replace(/\s+/g, ' ').replaceAll('\\|', '|'),
  );
  return quoted.flatMap((line) => {
    if (/^np[mx] /.test(line)) return [line];
    const [command, ...given] = line.split(' ');
    return Object.hasOwn(commands, command) && given.length > 0 ? [`npx gemm-paranoia ${line}`] : [];
  });
}

/** Programs that pages call, with their commands. */
const programs = [
  { called: /^npx gemm-paranoia /, name: 'gemm-paranoia', commands },
  { called: /^npm run (?:-s )?lab -- /, name: 'npm run lab --', commands: experiments },
];

const programOf = (line: string) => programs.find(({ called }) => called.test(line));

/** Splits a line into words, as a shell does. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|\S)+/g)].map(([word]) => word.replace(/['"]/g, ''));

/** Parses a call of ours as the command line does; its kernels may be a reader's. @throws the user's error message */
function check(line: string): void {
  const { name, commands, called } = programOf(line) ?? programs[0];
  const call = parseCall(name, commands, wordsOf(line.replace(called, '')));
  if ('asks' in call || (call.name !== 'gate' && call.name !== 'fuzz')) return;
  checkNames({ ...call.values, kernels: undefined }, knownNames(builtinNodeItems));
}

const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** Other commands that pages may show. */
const OTHERS: readonly RegExp[] = [
  /^npm (ci|test|run)$/,
  /^npm i -D (gemm-paranoia|@sparticuz\/chromium|rolldown|deno)$/,
  /^sudo apt-get install python3-numpy$/,
  /^pip install \.\/python$/,
  /^pytest [\w. -]+$/,
  /^(\w+=\S+ )*npm run unit -- \w+$/,
  /^cc -O2 -shared -fPIC -o libmatmul\.so matmul\.c$/,
];

/** The reason why a line cannot be typed; undefined if it can. */
function faultOf(line: string): string | undefined {
  const script = /^npm run (?:-s )?([\w:-]+)( -- .*)?$/.exec(line);
  const isOurs = programOf(line) !== undefined;
  if (script !== null && (!isOurs || !(script[1] in scripts)))
    return script[1] in scripts ? undefined : `${line}: there is no such script`;
  if (!isOurs) return OTHERS.some((other) => other.test(line)) ? undefined : `${line}: who knows it?`;
  // A command's name alone, or a placeholder for any.
  if (/<\w+>|…/.test(line)) return undefined;
  try {
    check(line);
    return undefined;
  } catch (error) {
    return `${line}: ${(error as Error).message}`;
  }
}

it('there are pages, and blocks of every kind that is known', () => {
  expect(pages.length).toBeGreaterThan(20);
  const known = ['sh', 'ts', 'js', 'json', 'py', 'yaml', 'wgsl', 'text'];
  expect(
    blocks.filter(({ language }) => !known.includes(language)).map(({ page, text }) => [page, text]),
  ).toEqual([]);
  for (const kind of ['sh', 'ts', 'js', 'py', 'yaml', 'wgsl', 'text'])
    expect(of(kind).length, kind).toBeGreaterThan(0);
});

describe('commands', () => {
  it.each(pages)('%s: all are taken by the command line', (page) => {
    const shown = of('sh').filter((block) => block.page === page);
    const printed = blocks
      .filter((block) => block.page === page && block.language === 'text')
      .flatMap(({ text }) => [...text.matchAll(/npx gemm-paranoia [^\n]*/g)].map(([line]) => line));
    const steps = blocks
      .filter((block) => block.page === page && block.language === 'yaml')
      .flatMap(({ text }) => [...text.matchAll(/^ *- run: (.*)$/gm)].map(([, line]) => line));
    const lines = [
      ...shown.flatMap(({ text }) => linesOf(text)),
      ...printed,
      ...steps,
      ...typedIn(read(page)),
    ];
    expect(lines.flatMap((line) => faultOf(line) ?? [])).toEqual([]);
  });

  it('examples of the reference are taken', () => {
    const examples = of('sh')
      .filter(({ page }) => !pages.includes(page))
      .flatMap(({ text }) => linesOf(text))
      .filter((line) => !/[<[]/.test(line));
    expect(examples.length).toBeGreaterThan(15);
    expect(examples.flatMap((line) => faultOf(line) ?? [])).toEqual([]);
  });

  it('an option, a value, a command and a script that there are not are refused', () => {
    const wrong = [
      ...['gate --kernels strassen', 'gate --budget soon', 'gates', 'merge', 'gate --input unform', 'list'],
    ].map((line) => `npx gemm-paranoia ${line}`);
    for (const line of [...wrong, 'npm run gates', 'npm run lab -- honest --case', 'curl example.org'])
      expect(faultOf(line), line).toBeTypeOf('string');
    const copy = read('docs/how-to/ci.md').replace('--reporter', '--raporter');
    expect(typedIn(copy).flatMap((line) => faultOf(line) ?? [])).toEqual([
      expect.stringMatching(/Unknown option of gate "--raporter"/),
    ]);
  });

  it('options that pages name are those of some command', () => {
    const all = programs.flatMap(({ commands }) => Object.values(commands));
    const known = new Set(all.flatMap(({ options }) => Object.values(options).map(flagOf)));
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`[^`\n]*?(--[a-z][\w-]*)[^`\n]*`/g)].map(([, option]) => ({ page, option })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter(({ option }) => !known.has(option) && option !== '--verbose' && option !== '--help'),
    ).toEqual([]);
  });
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blocks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('blocks', () => {
  it('that are files of the repository are those files', () => {
    const files = blocks.filter(({ note }) => note.startsWith('is '));
    expect(files.length).toBeGreaterThan(2);
    for (const { note, text } of files) expect(text).toBe(read(note.slice(3)).replace(/^\{.*\}\n/gm, ''));
  });

  it('of TypeScript compile as those of a user do', () => {
    const names = of('ts').map(({ page, text, note }, at) => {
      const declared = note.startsWith('with: ') ? `${note.slice(6)}\n` : '';
      const name = `${page.replace(/\W/g, '-')}-${at}.ts`;
      // Blocks that are modules stay modules; others are statements of one.
      writeFileSync(join(folder, name), `${declared}${text}\nexport {};\n`);
      return name;
    });
    writeFileSync(join(folder, 'multiply.ts'), read('share/examples/multiply.ts'));
    const declarations = (file: string) => [join(root, 'dist', file)];
    const paths = {
      'gemm-paranoia': declarations('index.d.ts'),
      'gemm-paranoia/node': declarations('node.d.ts'),
      'gemm-paranoia/vitest': declarations('vitest/index.d.ts'),
      vitest: [join(root, 'node_modules/vitest')],
    };
    const compilerOptions = {
      ...{ target: 'es2023', lib: ['es2023'], module: 'esnext', moduleResolution: 'bundler', strict: true },
      ...{ noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, paths },
      ...{
        types: ['node', '@webgpu/types'],
        typeRoots: [join(root, 'node_modules/@types'), join(root, 'node_modules')],
      },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  it('of configs load', async () => {
    const configs = of('ts').filter(
      ({ text, note }) => /export default defineConfig/.test(text) && note === '',
    );
    expect(configs.length).toBeGreaterThan(0);
    for (const [at, { text }] of configs.entries()) {
      const path = join(folder, `paranoia-${at}.config.ts`);
      writeFileSync(path, text.replace("'gemm-paranoia'", `'${join(root, 'dist/index.js')}'`));
      const { config } = await loadConfig({ path });
      expect(Object.keys(config).length).toBeGreaterThan(0);
    }
  });

  it('of JSON parse', () => {
    for (const { text } of of('json')) expect(() => JSON.parse(text), text).not.toThrow();
  });

  it('of Python parse, where there is a Python', () => {
    const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
    if (python === undefined) return;
    const read = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    const texts = of('py').map(({ text }) => text);
    expect(() =>
      execFileSync(python, ['-c', read], { input: JSON.stringify(texts), stdio: 'pipe' }),
    ).not.toThrow();
  });
});

/** Pages whose commands are run: the output must be the page's. */
const RUN = ['README.md', 'docs/tutorial.md'];

/** Replaces the parts that differ between machines: times, and the processor's name. */
const settled = (text: string): string =>
  text
    .replace(/\(.*\): (?=\d+ cases)/, '(…): ')
    .replace(/(\d+ (h|min) )*\d+(\.\d+)? m?s\b/g, '… s')
    .replace(/ +/g, ' ')
    .replace(/\n{2,}/g, '\n\n')
    .trim();

it.each(RUN)('%s: its runs print what it says', async (page) => {
  const cwd = join(folder, page.replace(/\W/g, '-'));
  mkdirSync(cwd);
  let last: string | undefined;
  let compared = 0;
  for (const { language, text, note } of blocks.filter((block) => block.page === page)) {
    const file =
      /^file (.*)/.exec(note)?.[1] ?? (note.startsWith('is ') ? note.replace(/.*\//, '') : undefined);
    if (file !== undefined) writeFileSync(join(cwd, file), text);
    if (language === 'sh') last = linesOf(text).at(-1);
    if (language !== 'text' || last === undefined) continue;
    // Counted cases: no clock decides how small the example gets. Notes on their number are left out.
    const words = [...wordsOf(last.replace(programs[0].called, '')), '--cases', '1000'];
    const { stdout } = await runHere(cwd, words, { COLUMNS: '100' });
    expect(settled(stdout.replace(/^(?:.*\b1 note\b|--cases 1000 ).*\n/m, ''))).toBe(settled(text));
    compared++;
  }
  expect(compared).toBeGreaterThan(0);
});

it('the site has the pages of fixtures that documents link', () => {
  const [, had] = /fixtures\/!\(([^)]+)\)/.exec(read('docs/.vitepress/config.ts')) ?? [];
  const linked = ['docs', 'reports', 'lab'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .flatMap((file) => [...read(join(room, file)).matchAll(/\/fixtures\/([\w-]+)\/[^)\s]*\.md\b/g)])
      .map(([, folder]) => folder),
  );
  expect(linked).toContain('history');
  expect(linked.filter((folder) => !had.split('|').includes(folder))).toEqual([]);
});

it('every page is named by another, and links lead to files', () => {
  const links = [...pages, 'ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^\w+:/.test(link))
      .map((link) => ({ page, to: join(dirname(page), link) })),
  );
  expect(pages.filter((page) => page !== 'README.md' && !links.some(({ to }) => to === page))).toEqual([]);
  // Generated by `npm run docs`, or written elsewhere.
  const made = /^docs\/(reference\/(?!index)\w+|api\/README)\.md$/;
  expect(links.filter(({ to }) => !made.test(to) && !existsSync(join(root, to)))).toEqual([]);
});
