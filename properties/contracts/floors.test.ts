import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { floorRules, listRooms } from '../../config/floors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Files = Readonly<Record<string, string>>;

/** Lints some files in a tree of their own under this repository's rules, and returns Biome's output. */
function verdictOn(files: Files, ...options: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'floors-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    // The rules are copied into the tree: Biome finds no circles in files that do not lie beside its rules.
    for (const rules of ['config/biome.json', 'config/floors.json'])
      cpSync(join(root, rules), join(folder, rules));
    const args = [biome, 'lint', '--config-path', 'config', '--vcs-enabled=false', '--error-on-warnings'];
    const { stdout, stderr } = spawnSync(process.execPath, [...args, ...options, '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const above = "import { plan } from '../plan/plan.ts';\n\nexport const x = plan;\n";

const breaches: readonly (readonly [what: string, files: Files, rule: string])[] = [
  ['an import from a higher floor', { 'src/base/a.ts': above }, 'noRestrictedImports'],
  [
    'a type from a higher floor, in a nested folder',
    { 'src/gpu/wgsl/a.ts': "import type { Gate } from '../../gate/gate.ts';\n\nexport type X = Gate;\n" },
    'noRestrictedImports',
  ],
  [
    'an import in a function',
    { 'src/matrix/a.ts': "export const x = () => import('../kernels/kernel.ts');\n" },
    'noRestrictedImports',
  ],
  [
    'a room of the same floor',
    { 'src/fuzz/a.ts': above.replace('plan/plan', 'study/study') },
    'noRestrictedImports',
  ],
  [
    'the laboratory, in a room',
    { 'src/vitest/a.ts': "import { x } from '../../lab/honest/run.ts';\n\nexport const y = x;\n" },
    'noRestrictedImports',
  ],
  [
    'the laboratory, in what is exported',
    { 'src/index.ts': "export * from '../lab/honest/run.ts';\n" },
    'noRestrictedImports',
  ],
  [
    'the laboratory, in a test',
    { 'src/base/a.test.ts': "import { x } from '../../lab/honest/run.ts';\n\nexport const y = x;\n" },
    'noRestrictedImports',
  ],
  [
    'a circle of types',
    {
      'src/plan/a.ts': "import type { B } from './b.ts';\n\nexport type A = B | 1;\n",
      'src/plan/b.ts': "import type { A } from './a.ts';\n\nexport type B = A | 2;\n",
    },
    'noImportCycles',
  ],
  ['process outside node/', { 'src/run/a.ts': 'export const x = process.env;\n' }, 'noRestrictedGlobals'],
  ['console outside cli', { 'src/run/node/a.ts': "console.log('x');\n" }, 'noRestrictedGlobals'],
  ...['globalThis', 'self', 'window'].map(
    (all) =>
      [
        `${all}, by which process is reached, in the core`,
        { 'src/run/a.ts': `export const { process: x } = ${all} as unknown as { process: unknown };\n` },
        'noRestrictedGlobals',
      ] as const,
  ),
];

describe('a planted breach', () => {
  /** The rules that refuse each breach, by its index in the list. */
  const refusals: string[][] = breaches.map(() => []);

  // All run at once, each in a tree of its own: Biome takes longer to start than to check them.
  beforeAll(() => {
    const trees = breaches.map(([, files], at) =>
      Object.entries(files).map(([path, text]) => [`${at}/${path}`, text]),
    );
    const told = verdictOn(Object.fromEntries(trees.flat()), '--reporter=github', '--max-diagnostics=none');
    for (const [, rule, at] of told.matchAll(/^::error title=lint\/\w+\/(\w+),file=(\d+)\//gm))
      refusals[Number(at)].push(rule);
  });

  it.each(breaches.map(([what, , rule], at) => [what, at, rule] as const))('%s is refused', (_, at, rule) => {
    expect(refusals[at]).toContain(rule);
  });
});

it('imports from lower floors, and process in node/, are allowed', () => {
  expect(
    verdictOn({ 'src/gate/a.ts': above, 'src/run/node/a.ts': 'export const x = process.env;\n' }),
  ).toMatch(/Checked 2 files .* No fixes applied/);
});

const rooms = listRooms();
const names = rooms.map(({ name }) => name);

it('ARCHITECTURE.md lists every folder of src once, from the lowest floor up', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true });
  expect(
    [...names].sort(),
    'The table of floors in ARCHITECTURE.md differs from the folders of src.',
  ).toEqual(folders.flatMap((one) => (one.isDirectory() ? [one.name] : [])).sort());
  const floors = rooms.map(({ floor }) => floor);
  expect(floors).toEqual([...floors].sort((a, b) => a - b));
});

it("Biome's rules are those of ARCHITECTURE.md's floors", () => {
  expect(
    readFileSync(join(root, 'config/floors.json'), 'utf8'),
    'config/floors.json differs from the table of floors in ARCHITECTURE.md. Run: npm run floors',
  ).toBe(floorRules(rooms));
});

it('Biome refuses a room every import but those from lower floors', () => {
  const imports = names.map((name) => `export * from '../${name}/a.ts';\n`).join('');
  const files = Object.fromEntries(names.map((name) => [`src/${name}/b.ts`, imports]));
  const found = verdictOn(files, '--reporter=github', '--max-diagnostics=none').matchAll(
    /^::error title=lint\/style\/noRestrictedImports,file=src\/(\w+)\/b\.ts,line=(\d+),/gm,
  );
  const refused = [...found].map(([, name, line]) => `${name} imports ${names[Number(line) - 1]}`);
  const expected = rooms.flatMap((room) =>
    rooms
      .filter((other) => other !== room && other.floor >= room.floor)
      .map((other) => `${room.name} imports ${other.name}`),
  );
  expect(refused.sort()).toEqual(expected.sort());
});
