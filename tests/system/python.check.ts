import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describeWith, pythonWithPackages } from '../support/needs.ts';

const root = join(import.meta.dirname, '../..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'python-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeWith('python-packages', 'the package for Python', () => {
  it('is built as a wheel without a network, and its tests pass where it is installed', () => {
    const [source, wheels, venv] = ['python', 'wheels', 'venv'].map((name) => join(folder, name));
    cpSync(join(root, 'python'), source, { recursive: true });
    const pip = (python: string, ...words: string[]) =>
      execFileSync(python, ['-m', 'pip', ...words, '--no-index', '--no-deps', '--quiet'], { stdio: 'pipe' });
    const system = pythonWithPackages() ?? '';
    pip(system, 'wheel', source, '--no-build-isolation', '--wheel-dir', wheels);
    const [wheel] = readdirSync(wheels);
    expect(wheel).toMatch(/^gemm_paranoia-[\d.]+-py3-none-any\.whl$/);

    execFileSync(system, ['-m', 'venv', '--system-site-packages', venv]);
    const python = join(venv, 'bin/python');
    pip(python, 'install', join(wheels, wheel));
    const typed = [
      '-c',
      'import gemm_paranoia as p, pathlib; print((pathlib.Path(p.__file__).parent / "py.typed").exists())',
    ];
    expect(execFileSync(python, typed, { cwd: folder, encoding: 'utf8' }).trim()).toBe('True');

    const { PYTHONPATH: _, ...env } = process.env;
    const { status, stdout } = spawnSync(
      python,
      ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(source, 'tests')],
      {
        ...{ cwd: folder, encoding: 'utf8' },
        env: {
          ...env,
          GEMM_PARANOIA: join(inject('packed'), 'node_modules/gemm-paranoia/dist/cli/main.js'),
          PATH: [join(venv, 'bin'), process.env.PATH].join(delimiter),
        },
      },
    );
    expect(stdout).toMatch(/^\d{2,} passed/m);
    expect(stdout).not.toMatch(/\d+ (failed|error)/);
    expect(status).toBe(0);
  });
});
