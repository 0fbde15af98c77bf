import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inShort } from '../../../base/in-short.testing.ts';
import { waitUntil } from '../../stopped-clock.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'cleanup-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Two programs that never answer, and a process that ends while it waits for them.
writeFileSync(
  join(folder, 'main.mjs'),
  `import { statSync } from 'node:fs';
   import { openProgram } from '${new URL('../../../../dist/kernels/host/node/open-program.js', import.meta.url).href}';
   const [how, ...notes] = process.argv.slice(2);
   const x = { rows: 1, cols: 1, data: Float32Array.of(1) };
   const note = 'require("node:fs").writeFileSync(process.argv[1], process.pid + " " + process.argv[2]); for (;;);';
   const command = (at) => [process.execPath, '-e', note, notes[at], '{c}', '{a}{b}'];
   const programs = [{ command: command(0) }, { command: command(1), mode: 'worker' }];
   for (const program of programs) {
     void openProgram({ name: 'mine', program }, { cwd: '.' }).run([{ operands: { a: x, b: x } }]);
   }
   const timer = setInterval(() => {
     if (!notes.every((file) => statSync(file, { throwIfNoEntry: false })?.size)) return;
     clearInterval(timer);
     if (how === 'throw') throw new Error('as planned');
     process.kill(process.pid, how);
   }, 20);`,
);

it.concurrent.each(
  inShort(
    [
      ['SIGKILL', null, 'SIGKILL'],
      ['SIGINT', null, 'SIGINT'],
      ['throw', 1, null],
    ],
    3,
  ),
)('no program and no folder is left when a process ends by %s', async (how, code, signal) => {
  const notes = ['once', 'worker'].map((name) => join(folder, `${how}-${name}`));
  const child = spawn(process.execPath, [join(folder, 'main.mjs'), how, ...notes], {
    stdio: 'ignore',
  });
  expect(await once(child, 'exit')).toEqual([code, signal]);
  const said = notes.map((file) => readFileSync(file, 'utf8').split(' '));
  expect(said[0][1]).toContain('tmp.');
  for (const [pid] of said) await waitUntil(() => ended(Number(pid)));
  await waitUntil(() => !existsSync(join(said[0][1], '..')));
});

/** True if no such process exists, or only its parent has yet to collect it. */
function ended(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const status = `/proc/${pid}/status`;
  return existsSync(status) && /^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}
