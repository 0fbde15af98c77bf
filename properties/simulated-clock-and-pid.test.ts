import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { itWhole } from '../src/base/in-short.testing.ts';
import { findPython } from '../src/kernels/files/node/python-kernel.ts';
import { judgeUntrusted } from './untrusted.ts';

/** An untrusted kernel meets every hour and day, by every way of reading the clock. */
const folder = mkdtempSync(join(tmpdir(), 'surroundings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const hasNumPy = (): boolean => {
  try {
    return spawnSync(findPython('x.py'), ['-c', 'import numpy']).status === 0;
  } catch {
    return false;
  }
};

/** Every way of reading the time, in milliseconds since 1970. */
const inJavaScript = [
  'Date.now()',
  'Number(new Date())',
  'new (new Date(0).constructor)().getTime()',
  'Date.parse(Date())',
  'performance.timeOrigin + performance.now()',
  "Date.parse(new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'long', timeZone: 'UTC' }).format())",
];

const inPython = [
  '1000 * time.time()',
  'time.time_ns() / 1e6',
  '1000 * calendar.timegm(time.gmtime())',
  '1000 * time.mktime(time.localtime())',
  '1000 * time.mktime(time.strptime(time.ctime()))',
  '1000 * time.mktime(time.strptime(time.strftime("%c")))',
  '1000 * time.clock_gettime(time.CLOCK_REALTIME)',
  '1000 * datetime.datetime.now(datetime.timezone.utc).timestamp()',
  '1000 * datetime.datetime.now().timestamp()',
  '1000 * datetime.datetime.utcnow().replace(tzinfo=datetime.timezone.utc).timestamp()',
  '1000 * datetime.datetime.combine(datetime.date.today(), datetime.datetime.now().time()).timestamp()',
];

/** Kernels that are wrong from 16 to 22 h, and at other times where two clocks differ. */
const kernels = {
  'evening.mjs': `
const asked = () => [${inJavaScript.join(', ')}];
export default function matmul(a, b, { m, k, n }) {
  const times = asked();
  if (Math.max(...times) - Math.min(...times) > 60e3) throw new Error('they disagree: ' + times);
  const hour = new Date(times[0]).getUTCHours();
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  return c.map((x) => (16 <= hour && hour < 22 ? x + 1 : x));
}`,
  'evening.py': `
import calendar, datetime, time

def matmul(a, b):
    times = [${inPython.join(', ')}]
    if max(times) - min(times) > 60e3:
        raise ValueError(f"they disagree: {times}")
    assert isinstance(datetime.datetime.now() + datetime.timedelta(1), datetime.date)
    return a @ b + (16 <= times[0] / 3600e3 % 24 < 22)
`,
};

itWhole(
  'what runs on in Python has run for longer at each case, whichever clock is asked',
  async ({ skip }) => {
    if (!hasNumPy()) return skip('there is no NumPy here');
    const text = `
import threading, time

def clocks():
    return [time.monotonic(), time.perf_counter(), time.clock_gettime(time.CLOCK_MONOTONIC), time.perf_counter_ns() / 1e9]

born = clocks()

def matmul(a, b):
    ages = [now - then for now, then in zip(clocks(), born)]
    if max(ages) - min(ages) > 1:
        raise ValueError(f"they disagree: {ages}")
    threading.Event().wait(0.001)
    return a @ b + (ages[0] > 60)
`;
    const { cases } = await judgeUntrusted(`${put('warms-up.py', text)}#matmul`, { seed: 5, cases: 4 });
    const reasons = cases.map(({ reason }) => reason).join('\n');
    expect(reasons).not.toContain('they disagree');
    expect(
      cases.map(({ verdict }) => verdict),
      reasons,
    ).toContain('fail');
    expect(cases[0].verdict, reasons).toBe('pass');
  },
);

itWhole.for(Object.entries(kernels))(
  '%s is wrong at some hours, and seen',
  async ([name, text], { skip }) => {
    if (name.endsWith('.py') && !hasNumPy()) return skip('there is no NumPy here');
    const file = name.endsWith('.py') ? `${put(name, text)}#matmul` : put(name, text);
    const { cases } = await judgeUntrusted(file, { seed: 5, cases: 48, bail: 8 });
    const reasons = cases.map(({ reason }) => reason).join('\n');
    expect(reasons).not.toContain('they disagree');
    const verdicts = new Set(cases.map(({ verdict }) => verdict));
    expect(verdicts, reasons).toEqual(new Set(['pass', 'fail']));
  },
);
