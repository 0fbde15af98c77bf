import { afterEach, expect, it, vi } from 'vitest';
import { EXIT } from '../base/errors.ts';
import { createStopper } from './stopper.ts';

afterEach(() => vi.restoreAllMocks());

it('takes signals that come together for one, and a later one for impatience', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { asked, release } = createStopper(undefined);
  expect(asked()).toBe(false);
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  expect(asked()).toBe(true);
  expect(said).toHaveBeenCalledTimes(1);
  expect(exit).not.toHaveBeenCalled();
  now.mockReturnValue(501);
  process.emit('SIGINT');
  expect(exit).toHaveBeenCalledWith(EXIT.inconclusive);
  release();
});

it('ends no run whose terminal is closed before what is finished is written', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { asked, release } = createStopper(undefined);
  expect(process.emit('SIGHUP')).toBe(true);
  expect(asked()).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  release();
});

it('ends the process where a product is in flight 3 s after a signal, unless it is released', () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const own = vi.fn();
  const before = createStopper(undefined);
  process.emit('SIGTERM');
  before.release();
  vi.advanceTimersByTime(10_000);
  expect(exit).not.toHaveBeenCalled();
  const stoppers = [createStopper(undefined), createStopper(undefined, own)];
  process.emit('SIGTERM');
  vi.advanceTimersByTime(2_999);
  expect([exit, own].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  vi.advanceTimersByTime(1);
  expect(exit).toHaveBeenCalledWith(EXIT.inconclusive);
  expect(own).toHaveBeenCalledTimes(1);
  expect(said).toHaveBeenCalledWith(expect.stringMatching(/still computing 3 s later/));
  for (const { release } of stoppers) release();
  vi.useRealTimers();
});

it('asks for the end after its time', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { asked, release } = createStopper(2);
  now.mockReturnValue(1999);
  expect(asked()).toBe(false);
  now.mockReturnValue(2001);
  expect(asked()).toBe(true);
  release();
});

it('leaves one listener a signal behind, however many runs have been released', () => {
  const count = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));
  createStopper(undefined).release();
  const once = count();
  for (let run = 0; run < 12; run++) createStopper(undefined).release();
  expect(count()).toEqual(once);
});
