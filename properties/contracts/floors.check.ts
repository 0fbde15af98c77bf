import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

/** Rooms stand on floors: what breaks the rule is refused by `npm test`, here shown by breaches planted in a copy. */
const root = fileURLToPath(new URL('../..', import.meta.url));

type Files = Readonly<Record<string, string>>;

/** What Biome says of some files in a tree of their own, under this repository's rules. */
function verdictOn(files: Files, ...options: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'floors-'));
  try {
    const rules = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    rules.vcs.enabled = false;
    for (const [path, text] of Object.entries({ ...files, 'biome.json': JSON.stringify(rules) })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const args = [biome, 'lint', '--error-on-warnings', ...options, '.'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
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

describe('of breaches', () => {
  /** The rules that refuse each, by its place in the list. */
  const refusals: string[][] = breaches.map(() => []);

  // All at once, each in a tree of its own: to start Biome takes longer than to look at them.
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

it('what keeps to the floors is not', () => {
  expect(
    verdictOn({ 'src/gate/a.ts': above, 'src/run/node/a.ts': 'export const x = process.env;\n' }),
  ).toMatch(/Checked 3 files .* No fixes applied/); // The rules are one of them.
});

/** The floors of ARCHITECTURE.md: of each room, the number of its own. */
function floors(): Map<string, number> {
  const rows = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| (\d+) \| ([^|]+) \|/gm);
  return new Map(
    [...rows].flatMap(([, floor, rooms]) =>
      [...rooms.matchAll(/`(\w+)`/g)].map(([, room]) => [room, Number(floor)] as const),
    ),
  );
}

it('every room has its floor', () => {
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory());
  expect([...floors().keys()].sort()).toEqual(rooms.map(({ name }) => name).sort());
});

it('of every two rooms, one is refused to the other as the floors have it', () => {
  const above = [...floors()].map(([room, floor]) => [
    `**/src/${room}/**/*.ts`,
    [...floors()].flatMap(([other, at]) => (other !== room && at >= floor ? [`**/${other}/**`] : [])).sort(),
  ]);
  const { overrides } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const refused = overrides.flatMap(({ includes: [files, ...but], linter: { rules } }: Override) => {
    const imports = rules.style.noRestrictedImports;
    if (imports === undefined) return [];
    expect([but, imports.level, imports.options.patterns.length]).toEqual([['!**/*.test.ts'], 'error', 1]);
    return [[files, [...imports.options.patterns[0].group].sort()]];
  });
  expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(above));
});

interface Override {
  readonly includes: readonly string[];
  readonly linter: {
    readonly rules: {
      readonly style: {
        readonly noRestrictedImports?: {
          readonly level: string;
          readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] };
        };
      };
    };
  };
}

/** What the compiler says of the core, its files among it, or of a file under the core's options. */
function coreCompiled(file?: string): string {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, 'config/tsconfig.core.json');
  const compiled = (folder: string) =>
    spawnSync(process.execPath, [tsc, '-p', folder, '--listFiles'], { encoding: 'utf8' }).stdout;
  if (file === undefined) return compiled(project);
  const folder = mkdtempSync(join(tmpdir(), 'core-'));
  try {
    writeFileSync(join(folder, 'a.ts'), file);
    const compilerOptions = { typeRoots: [join(root, 'node_modules')] };
    const rest = { include: [], files: ['a.ts'] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: project, compilerOptions, ...rest }),
    );
    return compiled(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('the core, which is all but node/, the command line and the matchers, names nothing of Node', () => {
  const core = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/(^|\/)node(\/|\.ts$)|^(cli|vitest)\/|\.(test|testing)\.ts$/.test(file),
  );
  const lines = coreCompiled().trim().split('\n');
  const ours = lines.filter((line) => !/\/node_modules\/|\.json$/.test(line));
  expect(ours.sort()).toEqual(core.map((file) => join(root, 'src', file)).sort());
  expect(coreCompiled("import { cpus } from 'node:os';\n\nexport const x = cpus;\n")).toMatch(
    /error.*node:os/,
  );
});
