import { expect, it } from 'vitest';
import type { SimulatedClockAndPid } from '../../simulated-clock-and-pid.ts';
import type { Conversation } from './conversation.ts';
import { HostReserve } from './host-reserve.ts';

const at = (time: number): SimulatedClockAndPid => ({ time, processes: 3 });

function opened() {
  const made: { of: SimulatedClockAndPid | undefined; spoken: boolean; killed: boolean }[] = [];
  const started = new HostReserve((of) => {
    const one = { of, spoken: false, killed: false };
    made.push(one);
    const kill = () => {
      one.killed = true;
    };
    return { ...one, kill, alive: () => true, hasSpoken: () => one.spoken } as unknown as Conversation;
  });
  return { made, started };
}
const ofTaken = (host: Conversation) => (host as unknown as { of: SimulatedClockAndPid | undefined }).of;

it('gives each what was started for it, whoever comes first the first, and starts what is missing', () => {
  const { made, started } = opened();
  started.begin(at(1), 'whoever');
  made[0].spoken = true;
  started.begin(at(2));
  expect(ofTaken(started.take(at(2)))).toEqual(at(1));
  expect(ofTaken(started.take(at(2)))).toEqual(at(2));
  expect(made).toHaveLength(2);
  expect(ofTaken(started.take(at(2)))).toEqual(at(2));
  expect(ofTaken(started.take())).toBe(undefined);
  expect(made).toHaveLength(4);
});

it('starts one at a time, each once, and no more than eight, and ends what nobody took', () => {
  const { made, started } = opened();
  for (let time = 0; time < 20; time++) {
    started.begin(at(time));
    // It has not greeted yet.
    started.begin(at(time + 1));
    expect(made).toHaveLength(Math.min(time + 1, 8));
    for (const one of made) one.spoken = true;
    started.begin(at(0));
  }
  started.kill();
  expect(made).toHaveLength(8);
  expect(made.every(({ killed }) => killed)).toBe(true);
});
