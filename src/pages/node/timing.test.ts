import { describe, expect, it } from 'vitest';
import { plainLook } from '../../report/terminal/text.ts';
import { startRunTimer, timingText } from './timing.ts';

describe('where the time went', () => {
  it('is a line a phase, in seconds and per cent, with the peak of memory', () => {
    const lines = [
      { what: 'on the device', seconds: 3 },
      { what: 'else', seconds: 0.96 },
    ];
    expect(timingText(lines, { total: 4, peak: 512e6, processes: 1 }, plainLook)).toBe(
      'Total 4.0 s; peak memory 512 MB:\non the device  3.0 s  75 %\nelse           1.0 s  24 %\n',
    );
  });

  it('is the sum over processes, and a share of all of them', () => {
    const lines = [{ what: 'on the device', seconds: 6 }];
    expect(timingText(lines, { total: 4, peak: 512e6, processes: 2 }, plainLook)).toBe(
      'Total 4.0 s in each of 2 processes; peak memory 512 MB:\non the device  6.0 s  75 %\n',
    );
  });

  it('is measured from the start of the watch', () => {
    const { timing, text } = startRunTimer();
    timing.compute('exact', () => undefined);
    expect(text()).toMatch(/^Total 0\.\d s; peak memory \d+ MB:\n(.* s .* %\n){2}$/);
  });
});
