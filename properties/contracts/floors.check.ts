import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles the core, or a file under the core's options, and returns the compiler's messages and list of files. */
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
