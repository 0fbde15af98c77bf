import { expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { noAdapter } from '../../gpu/messages.ts';
import { noBaselines } from '../../run/baselines.ts';
import { decode, encode, type RuntimeMessage, toWireError } from '../wire.ts';
import { listenTo, type RuntimeCallbacks } from './listen.ts';
import { firefox } from './runtimes.ts';
import { serveRuntime } from './serve.ts';

const CASE = 'kernel=mine;m=3;k=2;n=1';
const machine = { fingerprint: { id: 'here' }, arithmetic: {}, chosenBecause: 'a test' };
const planned: RuntimeMessage = { on: machine, planned: [{ text: CASE, series: false }] } as never;
const result: RuntimeMessage = { result: { case: CASE, verdict: 'pass' } } as never;
const outcome: RuntimeMessage = { on: machine, outcome: { verdict: 'pass' } } as never;

/** A listener, and functions that act as its runtime. */
async function opened(more: Partial<RuntimeCallbacks> = {}) {
  const listening = listenTo(firefox, { patience: () => 60, baselines: noBaselines, ...more });
  const served = await serveRuntime({
    code: 'export {};',
    task: { asked: [] } as never,
    ...listening.ears,
  });
  const post = async (what: string, body?: unknown) => {
    const answer = await fetch(new URL(what, served.page), { method: 'POST', body: encode(body) });
    return decode(await answer.text());
  };
  return {
    ...{ listening, served, post },
    tell: (told: RuntimeMessage) => post('told', told),
    close() {
      listening.close();
      served.close();
    },
  };
}

it('serves its page to whoever knows the address, and nobody else', async () => {
  const { served, close } = await opened();
  expect(await (await fetch(served.page)).text()).toContain("import('./gate.mjs')");
  expect(await (await fetch(served.module)).text()).toBe('export {};');
  for (const url of [
    new URL('/', served.page),
    new URL('/x/task', served.page),
    new URL('none', served.page),
  ])
    expect((await fetch(url)).status).toBe(404);
  close();
});

it('answers 400 to what it cannot read', async () => {
  const { served, close } = await opened();
  const answer = await fetch(new URL('told', served.page), { method: 'POST', body: '{"error' });
  expect(answer.status).toBe(400);
  expect((await fetch(served.page)).status).toBe(200);
  close();
});

it('passes on what it is told, until the end', async () => {
  const heard: unknown[] = [];
  const run = await opened({
    onStart: (on, cases) => heard.push(on.fingerprint.id, cases[0].problem.m),
    onCase: (one, done, of) => heard.push([one.case, done, of]),
    stop: () => heard.length > 2,
  });
  expect(await run.post('task')).toEqual({ asked: [] });
  expect(await run.post('baselines', 'here')).toEqual(noBaselines('here'));
  expect(await run.tell(planned)).toBe(false);
  expect(await run.tell(result)).toBe(true);
  expect(await run.tell(outcome)).toBe(true);
  expect(heard).toEqual(['here', 3, [CASE, 1, 1]]);
  const judged = await run.listening.judged;
  expect(judged).toMatchObject({ verdict: 'pass', baselines: noBaselines('here') });
  judged.machine.close();
  run.close();
});

it('asks a runtime to end, also one that listens later', async () => {
  const { served, close } = await opened();
  const hear = async () => {
    const answer = await fetch(new URL('stop', served.page));
    let text = '';
    for await (const chunk of answer.body as never as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('event: stop')) return true;
    }
    return false;
  };
  const early = hear();
  await fetch(served.page);
  served.stop();
  expect(await Promise.all([early, hear()])).toEqual([true, true]);
  close();
});

it.each<[string, (run: Awaited<ReturnType<typeof opened>>) => unknown, object]>([
  [
    'ends before it has begun',
    ({ listening }) => listening.ended('it ended with exit code 1'),
    {
      code: 'runtime-not-started',
      exitCode: 3,
      message: 'firefox failed to start: it ended with exit code 1.',
    },
  ],
  [
    'ends in a case',
    async ({ listening, post, tell }) => {
      await post('task');
      await tell({ begins: CASE });
      listening.ended('it was ended by SIGKILL');
    },
    {
      code: 'runtime-ended',
      exitCode: 4,
      message: `firefox ended during the case ${CASE}: it was ended by SIGKILL.`,
    },
  ],
  [
    'has no adapter',
    ({ tell }) => tell({ error: toWireError(noAdapter({ found: [], notes: ['WebGPU offers none'] })) }),
    {
      code: 'runtime-without-gpu',
      exitCode: 3,
      message: expect.stringMatching(/^firefox offers no WebGPU adapter here\. On Linux it needs Vulkan\. /),
    },
  ],
  [
    'cannot load its page',
    ({ tell }) => tell({ error: { message: 'Unexpected token' } }),
    {
      code: 'runtime-not-started',
      message: 'firefox failed to start: it cannot load its page (Unexpected token).',
    },
  ],
  [
    'fails',
    async ({ post, tell }) => {
      await post('task');
      await tell({ error: { message: 'odd' } });
    },
    { message: 'odd' },
  ],
])('a runtime that %s ends the run in a sentence', async (_, act, error) => {
  const run = await opened();
  await Promise.resolve(act(run)).catch(() => {});
  await expect(run.listening.judged).rejects.toMatchObject(error);
  run.close();
});

it('is waited for as long as its kernel may take, and no longer', async () => {
  const run = await opened({ patience: (kernel) => (kernel === 'mine' ? 0.05 : 60) });
  await run.post('task');
  await run.tell({ begins: CASE });
  await expect(run.listening.judged).rejects.toMatchObject({
    code: 'runtime-hangs',
    message: expect.stringContaining(`firefox sent nothing for 0.05 s during the case ${CASE}. `),
  });
  run.close();
});

itWhole('one whose connection ends is gone, unless it says more', async () => {
  const run = await opened();
  await run.post('task');
  const left = new AbortController();
  await fetch(new URL('stop', run.served.page), { signal: left.signal });
  left.abort();
  await expect(run.listening.judged).rejects.toMatchObject({
    code: 'runtime-ended',
    message: expect.stringMatching(/^firefox ended during startup: its page crashed or ran out of memory/),
  });
  run.close();
});
