import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'exit-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib/jiti-cli.mjs');

const programs = {
  'closes its device': `
    const open = await openNodeDevice({ adapter: 'software' });
    open.close();`,
  'leaves its device and a buffer': `
    const open = await openNodeDevice({ adapter: 'software' });
    open.device.createBuffer({ size: 1024, usage: GPUBufferUsage.STORAGE });`,
  'opens two at once': `
    const both = await Promise.all([1, 2].map(() => openNodeDevice({ adapter: 'software' })));
    for (const open of both) open.close();`,
  'collects all that it can': `
    for (let i = 0; i < 5; i++) {
      const open = await openNodeDevice({ adapter: 'software' });
      open.close();
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    gc();`,
};

// Dawn for Node aborts or hangs at exit when its objects are not treated right: seen only from outside.
test.each(Object.entries(programs))('a process that %s ends by itself, in silence', (_, program) => {
  const file = join(folder, 'program.mjs');
  const open = JSON.stringify(join(import.meta.dirname, 'open.ts'));
  writeFileSync(file, `import { openNodeDevice } from ${open};\n${program}\nconsole.log('done');\n`);
  const run = spawnSync(process.execPath, ['--expose-gc', jiti, file], { encoding: 'utf8', timeout: 50_000 });
  expect(run).toMatchObject({ status: 0, signal: null, stdout: 'done\n', stderr: '' });
});
