import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { faultsOf } from '../faults/check.ts';
import { type Fault, faultsIn } from '../faults/faults.ts';
import { type Golden, prepare } from '../faults/golden.ts';
import { scenarios } from '../faults/scenarios.ts';

let cache: string;
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'cache-'));
});
afterAll(() => rmSync(cache, { recursive: true }));

const goldens = new Map<string, Promise<Golden>>();
function prepared(name: string): Promise<Golden> {
  const golden = goldens.get(name) ?? prepare(scenarios.find((one) => one.name === name)!, cache);
  goldens.set(name, golden);
  return golden;
}

/** The failed checks of a run; undefined if it does not reach the fault. */
function wrongOf(golden: Golden, fault: Fault): Promise<string[] | undefined> {
  return golden.run(fault, async (ran, files) => {
    const [step] = ran.steps;
    return step === undefined ? undefined : faultsOf({ golden, ran, files, injected: { ...fault, step } });
  });
}

/** A scenario, a kind of fault, and the most of it. `npm run faults` injects all faults. */
const injections: readonly (readonly [name: string, kind: string, most: number])[] = [
  ...([
    ['init', 'files', 1],
    ['init', 'own', 1],
    ['init', 'kill', 1],
    ['init', 'memory', 1],
    ['gate', 'spawn', 1],
    ['gate', 'pipe', 1],
    ['gate', 'output', 1],
    ['gate', 'timer', 1],
    ['gate-gpu', 'gpu', 1],
    ['gate-jobs', 'ipc', 1],
    ['gate-large', 'thread', 1],
  ] as const),
  ...(isWhole
    ? ([
        ['init', 'files', 12],
        ['init', 'own', 8],
        ['init', 'kill', 6],
        ['reference', 'files', 12],
        ['report', 'kill', 6],
        ['merge', 'files', 6],
        ['gate', 'files', 4],
        ['gate', 'spawn', 3],
        ['gate', 'output', 3],
        ['gate', 'kill', 3],
      ] as const)
    : []),
];

describe.runIf(process.platform === 'linux')('one fault in each command', () => {
  it.each(injections)('%s, %s', async (name, kind, most) => {
    const golden = await prepared(name);
    const isAsked = (id: string) =>
      `${name}/${kind}/main/`.startsWith(id) || id.startsWith(`${name}/${kind}/main/`);
    const { faults } = await faultsIn(golden, { most, seed: 1, isAsked });
    const wrong: Record<string, readonly string[]> = {};
    let injected = 0;
    for (const fault of faults) {
      const found = await wrongOf(golden, fault);
      if (found !== undefined) injected++;
      if (found !== undefined && found.length > 0) wrong[`${fault.at}/${fault.how}`] = found;
    }
    expect(wrong).toEqual({});
    expect(injected).toBe(Math.min(most, faults.length));
    expect(injected).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform === 'linux')('the checks see', () => {
  it('a verdict without its report, a stack, an undocumented code, a file that is cut, one that is left', async () => {
    const golden = await prepared('merge');
    const injected = { kind: 'files', role: 'main', how: 'ENOSPC', step: 'files\twriteFile x' };
    const ran = { code: 0, signal: null, stdout: 'PASS: all', stderr: '', hung: false, left: [], steps: [] };
    const before = new Map(golden.begins);
    const found = (change: object, files: ReadonlyMap<string, Buffer> = before) =>
      faultsOf({ golden, ran: { ...ran, ...change }, files, injected }).join('; ');
    expect(found({})).toMatch(/^no false pass: exit code 0, and out\/results\.json is not written$/);
    expect(found({ code: 2, stdout: 'PASS: all', stderr: 'ENOSPC' })).toContain('no false pass: PASS, and ');
    expect(found({ code: 2, stdout: '', stderr: 'the disk is full\n    at x' })).toContain(
      'one sentence: a stack',
    );
    expect(found({ code: 1, stdout: '', stderr: 'the disk is full' })).toContain('documented exit code');
    expect(found({ code: 9, stdout: '', stderr: 'the disk is full' })).toContain('documented exit code');
    expect(found({ code: 2, stdout: '', stderr: '' })).toContain('says why: it says nothing');
    expect(found({ code: null, hung: true, stdout: '' })).toContain('ends: it hangs');
    expect(found({ left: ['host.js'] })).toContain('leaves no process');
    const cut = new Map(before).set('out/results.json', Buffer.from('{'));
    expect(found({}, cut)).toContain('older files are whole: out/results.json is half-written');
    const gone = new Map(before);
    gone.delete('one/results.json');
    expect(found({}, gone)).toContain('older files are whole: one/results.json was touched');
    expect(found({}, new Map(before).set('out/x.tmp', Buffer.alloc(0)))).toContain('left: out/x.tmp');
    const judged = { code: 4, stdout: 'INCONCLUSIVE: x', stderr: '..\nthe disk is full' };
    expect(found(judged)).toContain('nothing finished is lost: 2 cases were judged, 0 are in results.json');
  });
});
