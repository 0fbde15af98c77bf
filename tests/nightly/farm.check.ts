import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Broker,
  holdsBeforeEnd,
  installed,
  type Running,
  resultsIn,
  run,
  seconds,
  start,
  startBroker,
  workplace,
} from '../farm/commands.ts';
import { stubProject } from '../farm/project.ts';
import { describeWith } from '../support/needs.ts';

/** A farm on one machine has the verdict of a single run, whichever process is killed meanwhile. */
const { folder, remove } = workplace('farm');
afterAll(remove);

const CASES = 2000;
const FAILS = 1;

beforeAll(async () => {
  stubProject(folder, CASES);
  await run(folder, ['gate', '--all', '--jobs', '2', '--out', 'single', '--reporter', 'json'], [FAILS]);
});

/** The files of batches in a store: results, and differing results. */
function batchesIn(store: string): string[] {
  return readdirSync(join(folder, store)).filter((name) => /^[0-9a-f]{64}\./.test(name));
}

async function collected(store: string): Promise<void> {
  await run(
    folder,
    ['farm', 'collect', '--store', store, '--out', `${store}-all`, '--reporter', 'json'],
    [FAILS],
  );
  const [found, single] = [resultsIn(join(folder, `${store}-all`)), resultsIn(join(folder, 'single'))];
  expect(single.cases.length).toBeGreaterThan(CASES / 2);
  expect(single.groups?.length).toBeGreaterThan(0);
  // The extent of an inspection depends on its time.
  const judged = ({ inspections, ...rest }: typeof found) => ({
    ...rest,
    inspected: inspections?.map(({ kernel }) => kernel),
  });
  expect(judged(found)).toEqual(judged(single));
  expect(batchesIn(store).filter((name) => name.includes('differs'))).toEqual([]);
}

/** Kills a process and all that it started, as a power failure would. */
const killed = async ({ child, ended }: Running) => {
  child.kill('SIGKILL');
  await ended;
};

it('a gate that is killed goes on from what it has finished', async () => {
  const args = ['gate', '--resume', 'resumed', '--jobs', '1', '--out', 'resumed-run', '--reporter', 'json'];
  const first = start(folder, args);
  await holdsBeforeEnd(() => batchesIn2('resumed').length >= 3, first);
  await killed(first);
  const before = batchesIn('resumed');
  const out = await run(folder, args, [FAILS]);
  expect(out).toMatch(/\d+ of \d+ cases are already finished, in resumed\./);
  expect(resultsIn(join(folder, 'resumed-run')).cases).toEqual(resultsIn(join(folder, 'single')).cases);
  expect(batchesIn('resumed')).toEqual(expect.arrayContaining(before));
  await collected('resumed');
});

/** As {@link batchesIn}, but the store may not exist yet. */
function batchesIn2(store: string): string[] {
  try {
    return batchesIn(store);
  } catch {
    return [];
  }
}

const LEASE = ['--lease', '4s'];

it('drawn cases that machines share come out as one run, with one of them killed in the middle', async () => {
  const drawn = ['stub.mjs#multiply', 'stub.mjs#late', '--seed', '9', '--max-size', '64'];
  const more = `import { multiply } from './stub.mjs';
     let calls = 0;
     export const late = (a, b, shape) => {
       // Waits for ever, so that it is killed in the middle however fast it is.
       if (++calls > (process.env.STALL_AFTER ?? Infinity)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       const c = multiply(a, b, shape);
       if (shape.m === 61 && shape.n > 30) c[0] += 1;
       if (shape.n === 13) c[0] -= 1;
       return c;
     };
     export { multiply };`;
  writeFileSync(join(folder, 'two.mjs'), more);
  const asked = drawn.map((word) => word.replace('stub.mjs', 'two.mjs'));
  const single = ['fuzz', ...asked, '--runs', '1600', '--corpus', 'none'];
  await run(folder, [...single, '--out', 'fuzzed', '--reporter', 'json'], [FAILS]);
  const store = ['--store', 'drawn'];
  const out = await run(folder, ['farm', 'submit', ...asked, '--fuzz', '1600', ...store]);
  expect(out).toMatch(/3200 drawn cases in 8 batches/);
  const work = ['farm', 'work', 'two.mjs#multiply', 'two.mjs#late', '--no-wait', ...store, ...LEASE];
  const first = start(folder, work, { STALL_AFTER: '1000' });
  await holdsBeforeEnd(() => batchesIn2('drawn').length >= 1, first);
  await killed(first);
  expect(batchesIn('drawn').length).toBeLessThan(8);
  await run(folder, ['farm', 'collect', ...store, '--out', 'part', '--reporter', 'json'], [1, 4]);
  await Promise.all([run(folder, work), run(folder, work)]);
  await run(folder, ['farm', 'collect', ...store, '--out', 'shared', '--reporter', 'json'], [FAILS]);
  const [found, whole] = ['shared', 'fuzzed'].map((name) => resultsIn(join(folder, name)));
  expect(whole.fuzz?.findings.length).toBe(2);
  // A run records empty versions for kernels that report none.
  expect({ versions: {}, ...found }).toEqual(whole);
});

it('workers that share a folder, two of four killed, give the verdict of a single run', async () => {
  await run(folder, ['farm', 'submit', '--store', 'shared']);
  const work = () => start(folder, ['farm', 'work', '--store', 'shared', ...LEASE]);
  const workers = [work(), work(), work(), work()];
  await holdsBeforeEnd(() => batchesIn('shared').length >= 4, workers[3]);
  await Promise.all(workers.splice(0, 2).map(killed));
  for (const { ended } of workers) expect((await ended).code).toBe(0);
  await collected('shared');
});

const redis = installed('redis-server') ?? installed('valkey-server');

describeWith('redis-server', 'on a broker', () => {
  let broker: Broker;
  beforeAll(async () => {
    mkdirSync(join(folder, 'broker'));
    broker = await startBroker(redis as string, join(folder, 'broker'));
  });
  afterAll(() => broker.kill());

  it('a quarter of eight workers killed, and the broker, gives the verdict of a single run', async () => {
    const queue = ['--store', 'queued', '--queue', broker.url];
    const submit = start(folder, ['farm', 'submit', ...queue]);
    const work = () => start(folder, ['farm', 'work', ...queue, ...LEASE]);
    const workers = Array.from({ length: 8 }, work);
    await holdsBeforeEnd(() => batchesIn2('queued').length >= 3, submit);
    for (let count = 0; count < 2; count++) {
      const [one] = workers.splice(3 * count, 1);
      await killed(one);
    }
    await broker.kill();
    await seconds(1);
    await broker.restart();
    const submitted = await submit.ended;
    expect(submitted.code, submitted.out).toBe(0);
    expect(submitted.out.match(/does not answer\. Begun batches/g)?.length).toBe(1);
    expect(submitted.out).toMatch(/answers again/);
    for (const { ended } of workers) {
      const { code, out } = await ended;
      expect(code, out).toBe(0);
    }
    await collected('queued');
  });

  it('a worker of another config takes nothing, and says so', async () => {
    const queue = ['--store', 'queued', '--queue', broker.url];
    const out = await run(folder, ['farm', 'work', ...queue, '--sigmas', '7'], [2]);
    expect(out).toMatch(/^This worker does not match the campaign in redis:\/\/127\.0\.0\.1:\d+\. .*\n$/);
  });

  it('a broker that is not there is told in one sentence', async () => {
    await broker.kill();
    const queue = ['--store', 'queued', '--queue', broker.url];
    for (const what of ['submit', 'work', 'watch']) {
      const out = await run(folder, ['farm', what, ...queue], [71]);
      expect(out).toMatch(/^Cannot reach the queue redis:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*\n$/);
    }
    await broker.restart();
  });
});
