import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'cleanup-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Two programs that never answer, and a process that ends while they are asked.
writeFileSync(
  join(folder, 'main.ts'),
  `import { existsSync } from 'node:fs';
   import { openProgramSession } from '${new URL('./program-session.ts', import.meta.url).href}';
   const [how, ...notes] = process.argv.slice(2);
   const x = { rows: 1, cols: 1, data: Float32Array.of(1) };
   const call = { m: 1, k: 1, n: 1, layout: { transposeA: false, transposeB: false, pad: 0 } };
   const note = 'require("node:fs").writeFileSync(process.argv[1], process.pid + " " + process.argv[2]); setTimeout(() => {}, 60000);';
   const command = (at: number) => [process.execPath, '-e', note, notes[at], '{c}', '{a}{b}'] as const;
   const programs = [{ command: command(0) }, { command: command(1), mode: 'worker' as const }];
   for (const program of programs) {
     void openProgramSession({ name: 'mine', program }, { cwd: '.' }).multiply(x, x, call);
   }
   const timer = setInterval(() => {
     if (!notes.every((file) => existsSync(file))) return;
     clearInterval(timer);
     if (how === 'throw') throw new Error('as planned');
     process.kill(process.pid, how);
   }, 20);`,
);

const jiti = pathToFileURL(createRequire(import.meta.url).resolve('jiti'));
const loader = new URL('./jiti-register.mjs', jiti).href;

it.concurrent.each([
  ['SIGINT', null, 'SIGINT'],
  ['throw', 1, null],
])('no program and no folder is left when a process ends by %s', async (how, code, signal) => {
  const notes = ['once', 'worker'].map((name) => join(folder, `${how}-${name}`));
  const child = spawn(process.execPath, ['--import', loader, join(folder, 'main.ts'), how, ...notes], {
    stdio: 'ignore',
  });
  expect(await once(child, 'exit')).toEqual([code, signal]);
  const said = notes.map((file) => readFileSync(file, 'utf8').split(' '));
  expect(said[0][1]).toContain('gemm-paranoia-');
  expect(existsSync(join(said[0][1], '..'))).toBe(false);
  for (const [pid] of said) await vi.waitFor(() => expect(ended(Number(pid))).toBe(true));
});

/** Whether there is no such process, or one that only its parent has not asked for yet. */
function ended(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const status = `/proc/${pid}/status`;
  return existsSync(status) && /^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}
