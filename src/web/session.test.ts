import { expect, it } from 'vitest';
import { five } from '../../tests/support/five.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { WorkerMessage, WorkerRequest } from './protocol.ts';
import { WorkerSession } from './session.ts';

const SHORT = 0.02;
const LONG = 1000;
const never = new Promise<OpenDevice>(() => {});

/** A session, and the messages that it sent. */
function sessionOn(opening: Promise<OpenDevice>, patience = { opening: SHORT, stopping: LONG }) {
  const told: WorkerMessage[] = [];
  const session = new WorkerSession(
    (one) => told.push(one),
    () => opening,
    patience,
  );
  return { session, told };
}

const problemIn = (told: readonly WorkerMessage[]) => told.find((one) => one.kind === 'problem')?.says;

it('does not wait for ever for a GPU that a kernel holds', async () => {
  const { session, told } = sessionOn(never);
  await session.do({ kind: 'device' });
  expect(problemIn(told)).toMatch(/^The GPU did not answer for 0\.02 s\. .{20,200}\.$/);
  expect(told.at(-1)).toEqual({ kind: 'ended', says: '', canResume: false });
});

it('stops while the GPU is silent', async () => {
  const { session, told } = sessionOn(never, { opening: LONG, stopping: SHORT });
  const ended = session.do({ kind: 'device' });
  await session.do({ kind: 'stop' });
  await ended;
  expect(problemIn(told)).toMatch(/^The GPU did not answer/);
});

it('closes a GPU that comes when nobody waits for it any more', async () => {
  let close = () => {};
  const closed = new Promise<void>((done) => {
    close = done;
  });
  let answer = (_: OpenDevice) => {};
  const late = new Promise<OpenDevice>((done) => {
    answer = done;
  });
  await sessionOn(late).session.do({ kind: 'device' });
  answer({ close } as OpenDevice);
  await closed;
});

/** The verdict, or the problem, shown for a file of results. */
async function shown(text: string): Promise<string> {
  const { session, told } = sessionOn(never);
  await session.do({ kind: 'file', name: 'theirs.json', text } satisfies WorkerRequest);
  return problemIn(told) ?? told.flatMap((one) => (one.kind === 'draw' ? [one.parts.verdict] : [])).join();
}

it('shows what a file holds, and says why it is no results file', async () => {
  const whole = five.pass();
  expect(await shown(JSON.stringify(whole))).toMatch(/pass/);
  const summary = { ...whole.summary, pass: whole.summary.pass + 1 };
  expect(await shown(JSON.stringify({ ...whole, summary }))).toMatch(/its summary contradicts its cases/);
});

it('says of a file that was cut or is newer what is wrong with it', async () => {
  const whole = JSON.stringify(five.pass());
  expect(await shown(whole.slice(0, whole.length / 2))).toMatch(/^theirs\.json .{20,300}\.$/);
  expect(await shown(whole.replace('results/3', 'results/9'))).toMatch(/^theirs\.json .*newer.{10,200}\.$/);
});
