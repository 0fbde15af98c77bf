import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'exit-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const openModule = JSON.stringify(new URL('../../../dist/node.js', import.meta.url).href);

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
  'opens one in a worker thread': `
    import { Worker } from 'node:worker_threads';
    const body = ${JSON.stringify(`
      import(${openModule})
        .then(({ openNodeDevice }) => openNodeDevice({ adapter: 'software' }))
        .then((open) => open.close());`)};
    await new Promise((resolve, reject) =>
      new Worker(body, { eval: true }).on('exit', resolve).on('error', reject));`,
  'collects all that it can': `
    for (let i = 0; i < 5; i++) {
      const open = await openNodeDevice({ adapter: 'software' });
      open.close();
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    gc();`,
};

// Dawn for Node aborts or hangs at exit if its objects are misused, which only another process can observe.
itWhole.each(Object.entries(programs))(
  'a process that %s ends by itself, with no complaint',
  (_, program) => {
    const file = join(folder, 'program.mjs');
    writeFileSync(file, `import { openNodeDevice } from ${openModule};\n${program}\nconsole.log('done');\n`);
    const run = spawnSync(process.execPath, ['--expose-gc', file], {
      encoding: 'utf8',
      timeout: 1_800_000,
    });
    // Dawn prints this warning for some system drivers each time it lists them.
    const stderr = run.stderr.replaceAll(/^Warning: .* artificially reduced .*\n/gm, '');
    expect({ ...run, stderr }).toMatchObject({ status: 0, signal: null, stdout: 'done\n', stderr: '' });
  },
);
