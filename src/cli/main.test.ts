import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isWhole, itWhole } from '../base/in-short.testing.ts';
import { VERSION } from '../base/version.ts';
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'main-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the built command line, as a user would. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd: folder }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

const STACK = /^\s+at /m;

describe.concurrent('the command line', () => {
  it('says how to use it', async () => {
    const help = await run('--help');
    expect(help.code).toBe(0);
    for (const command of Object.keys(commands))
      expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect((await run('gate', '--help')).stdout).toContain('--kernel <names>');
    expect((await run('--version')).stdout).toContain(`gemm-paranoia/${VERSION}`);
  });

  it.runIf(isWhole && existsSync('/dev/full'))(
    'ends with a code of its own where the output is full',
    async () => {
      const full = await open('/dev/full', 'w');
      const child = spawn(process.execPath, [MAIN, 'describe'], { stdio: ['ignore', full.fd, 'pipe'] });
      const stderr = text(child.stderr!);
      const [code] = await once(child, 'close');
      await full.close();
      expect(await stderr).toMatch(/^Cannot write to standard output: the disk is full\. .*\.\n$/);
      expect(code).toBe(74);
    },
  );

  itWhole('takes no end of a config for its own, and none for a pass', async () => {
    await writeFile(join(folder, 'exits.mjs'), 'process.exit(0)');
    await writeFile(join(folder, 'waits.mjs'), 'await new Promise(() => {}); export default {}');
    const runs = ['exits', 'waits'].map((name) => run('list', 'kernels', '--config', `${name}.mjs`));
    const [exits, waits] = await Promise.all(runs);
    expect(exits).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringMatching(/exits\.mjs ended the program while/),
    });
    expect(waits).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringMatching(/waits\.mjs never finishes loading/),
    });
  });

  it.runIf(isWhole && process.platform === 'linux')(
    'ends with a code of its own where no more files may be opened',
    async () => {
      const limited = spawn('sh', ['-c', `ulimit -n 20; exec "${process.execPath}" "${MAIN}" describe`], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const stderr = text(limited.stderr!);
      const [code] = await once(limited, 'close');
      expect(await stderr).toMatch(
        // The limit is met before or after the messages of errors are loaded.
        /^(gemm-paranoia cannot start: this system lacks resources \(EMFILE\)\. Raise the limits of the process|The system is out of resources \(EMFILE: .+\); no verdict\. Raise the limit) \(ulimit .+\.\n$/,
      );
      expect(code).toBe(71);
    },
  );

  itWhole('shows where a problem comes from only if asked to', async () => {
    expect((await run('gate', '--size', '-1')).stderr).not.toMatch(STACK);
    const verbose = await run('gate', '--size', '-1', '--verbose');
    expect(verbose.stderr).toMatch(STACK);
    expect(verbose.stderr).toContain('--size must be a whole number from 0 to 2147483647, but is "-1".');
    expect(verbose.code).toBe(2);
  });
});

describe('the command line in this process, where nothing is loaded anew', () => {
  async function here(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const before = process.cwd();
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockReturnValue(true),
    );
    process.chdir(folder);
    try {
      const code = await runCommandLine(['node', 'gemm-paranoia', ...args]);
      const [stdout, stderr] = spies.map(({ mock }) => mock.calls.map(([text]) => text).join(''));
      return { code, stdout, stderr };
    } finally {
      process.chdir(before);
      vi.restoreAllMocks();
    }
  }

  it.each<[string[], RegExp]>([
    [[], /^Missing command. Known: init, gate, .*\.$/],
    [[''], /^Unknown command ""\./],
    [['gat'], /^Unknown command "gat"\. Did you mean "gate"\?/],
    [['gate', '--kernal', 'strassen'], /^Unknown option of gate "--kernal"\. Did you mean "--kernel"\?/],
    [['gate', '--constructor'], /^Unknown option of gate "--constructor"\. Known/],
    [['gate', '--__proto__.x=1'], /^Unknown option of gate "--__proto__\.x"\. Known/],
    [['gate', '--to-string'], /^Unknown option of gate "--to-string"\. Known/],
    [['gate', '--kernel'], /^--kernel needs a value: --kernel <names>\.$/],
    [['report'], /^Missing argument: results\.json. Usage: gemm-paranoia report <results\.json>$/],
    [
      ['probe', 'strassen'],
      /^Unexpected argument of probe: "strassen"\. Options begin with --\. Example: gemm-paranoia probe --/,
    ],
    [['gate', 'strassen'], /^"strassen" is no kernel file\. Examples: matmul\.ts#matmul, .* use --kernel\.$/],
    [['gate', '--out', ''], /^--out needs a non-empty value\.$/],
    [['gate', '--out=', '--size', '4'], /^--out needs a non-empty value\.$/],
    [['bench', '--runs', '0'], /^--runs must be a whole number from 1 to 1000, but is "0"\.$/],
    [['gate', '--config', '5'], /\/5 cannot be loaded: it does not exist\.$/],
  ])('%j exits 2 with one sentence', async (args, message) => {
    const { code, stdout, stderr } = await here(...args);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each(['gate', 'measure', 'selftest'] as const)(
    '%s exits 3 where there is no such adapter',
    async (command) => {
      const size = { gate: ['--ours', '--size', '4'], measure: ['--size', '4'], selftest: [] }[command];
      for (const adapter of ['no such adapter', '12345']) {
        const { code, stdout, stderr } = await here(command, '--adapter', adapter, ...size);
        expect(stderr).toMatch(new RegExp(`^No GPU adapter named "${adapter}" was found on this machine`));
        expect(stderr).not.toMatch(STACK);
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      }
    },
  );
});
