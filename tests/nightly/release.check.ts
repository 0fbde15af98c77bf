import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bash, expanded, fileOf, standIn } from '../support/workflow.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
const workflow = (name: string) =>
  parse(readFileSync(fileOf(`.github/workflows/${name}.yml`), 'utf8')) as Workflow;
const [ci, nightly, release] = [workflow('ci'), workflow('nightly'), workflow('release')];

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs the step of this name with a tag, as a CI runner would. */
function runStep(name: string, cwd: string, tag = 'v1.2.3', path: { readonly PATH?: string } = {}) {
  const steps = Object.values(release.jobs).flatMap((job) => job.steps ?? []);
  const { run, env = {} } = steps.find((step) => step.name === name) as Step;
  const known = { 'github.ref_name': tag };
  const own = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, expanded(text, known)]));
  return bash(run as string, cwd, { GITHUB_REPOSITORY: 'me/mine', ...own, ...path });
}

/** Makes a checkout with the files that a tag is compared with. */
function checkout({ version = '1.2.3', url = 'git+https://github.com/me/mine.git', changes = '## 1.2.3' }) {
  const folder = mkdtempSync(join(root, 'checkout-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version, repository: { url } }));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/CHANGELOG.md'), `# Changelog\n\n## Unreleased\n\n${changes}\n\nText.\n`);
  return folder;
}

describe.runIf(process.platform !== 'win32')('a tag', () => {
  const judge = (has: Parameters<typeof checkout>[0], tag?: string) =>
    runStep('Refuse a wrong tag', checkout(has), tag);

  it.each([
    ['is taken', {}, 'v1.2.3'],
    ['is taken with a date in docs/CHANGELOG.md', { changes: '## 1.2.3 (2026-12-01)' }, 'v1.2.3'],
    [
      'is taken of what comes before a version',
      { version: '2.0.0-rc.1', changes: '## 2.0.0-rc.1' },
      'v2.0.0-rc.1',
    ],
    ['is taken with another form of the address', { url: 'https://github.com/me/mine' }, 'v1.2.3'],
  ])('%s', async (_, has, tag) => expect(await judge(has, tag)).toEqual({ code: 0, text: '' }));

  it.each([
    [
      'of another version',
      {},
      'v1.2.4',
      'The tag v1.2.4 does not match version 1.2.3 of package.json. Write',
    ],
    [
      'that changes leave out',
      { changes: '## 1.2.30\n\n### 1.2.3' },
      'v1.2.3',
      'docs/CHANGELOG.md has no section for 1.2.3. Move',
    ],
    [
      'whose dots are others',
      { changes: '## 1x2x3' },
      'v1.2.3',
      'docs/CHANGELOG.md has no section for 1.2.3. Move',
    ],
    [
      'of another repository',
      { url: 'git+https://github.com/me/other.git' },
      'v1.2.3',
      'package.json names https://github.com/me/other, but npm needs',
    ],
  ])('%s is refused in a sentence', async (_, has, tag, start) => {
    const { code, text } = await judge(has, tag);
    expect([code, text]).toEqual([1, expect.stringContaining(`::error::${start}`)]);
    expect(text).toMatch(/^::error::[^\n]+ and tag the commit that does\.\n$/);
  });
});

describe.runIf(process.platform !== 'win32')('a package', () => {
  const PACKED = JSON.parse(readFileSync(fileOf('package.json'), 'utf8')).files as readonly string[];

  /** Copies the files to pack, with their build, so that nothing is compiled again. */
  function copy(): string {
    const folder = mkdtempSync(join(root, 'pack-'));
    const packed = PACKED.filter((entry) => !entry.startsWith('!'));
    for (const entry of ['package.json', 'README.md', 'LICENSE', ...packed])
      cpSync(fileOf(entry), join(folder, entry), { recursive: true });
    const file = join(folder, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"prepack": "[^"]*",\s*/, ''));
    symlinkSync(fileOf('node_modules'), join(folder, 'node_modules'), 'junction');
    return folder;
  }

  it('is packed, and passes', async () => {
    const folder = copy();
    const { code, text } = await runStep('Pack, and check the package', folder);
    expect([code, text]).toEqual([0, expect.stringContaining('All good!')]);
    expect(readdirSync(folder).filter((file) => file.endsWith('.tgz'))).toHaveLength(1);
  });

  it('that lacks what it exports is refused', async () => {
    const folder = copy();
    const file = join(folder, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('./dist/node.js', './dist/knot.js'));
    const { code, text } = await runStep('Pack, and check the package', folder);
    expect([code, text]).toEqual([1, expect.stringContaining('./dist/knot.js but the file does not exist')]);
  });

  it.each([
    ['v1.2.3', 'latest'],
    ['v2.0.0-rc.1', 'next'],
  ])('of %s is published as %s, with its provenance', async (tag, channel) => {
    const folder = mkdtempSync(join(root, 'publish-'));
    writeFileSync(join(folder, 'gemm-paranoia-1.2.3.tgz'), '');
    expect((await runStep('Publish', folder, tag, standIn(folder, 'npm'))).code).toBe(0);
    const calls = readFileSync(join(folder, 'calls'), 'utf8');
    expect(calls).toBe(`publish ./gemm-paranoia-1.2.3.tgz --provenance --tag ${channel}\n`);
  });
});

describe('the workflows', () => {
  const jobs = [ci, nightly, release].flatMap((one) => Object.values(one.jobs));
  const steps = jobs.flatMap((job) => job.steps ?? []);

  it('publish what ci and nightly have passed, on tags of versions alone', () => {
    const { refuse, publish, ...between } = release.jobs;
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
    expect(refuse.needs).toBeUndefined();
    expect(Object.values(between).map(({ needs }) => needs)).toEqual(['refuse', 'refuse', 'refuse']);
    expect(publish.needs).toEqual(Object.keys(between));
    for (const [name, { on }] of Object.entries({ ci, nightly })) {
      expect(between[name].uses).toBe(`./.github/workflows/${name}.yml`);
      expect(on).toHaveProperty('workflow_call');
    }
    expect(nightly.on).toHaveProperty('schedule');
    expect(ci.jobs.whole.steps?.at(-1)).toEqual({ run: '.ci/run' });
  });

  it('try what users install beside every version of Vitest that it says to serve', () => {
    const { peerDependencies } = JSON.parse(readFileSync(fileOf('package.json'), 'utf8'));
    const served = peerDependencies.vitest.replace(/\^|(\.0)+(?= |$)/g, '');
    expect(ci.jobs.smoke.strategy?.matrix.vitest.join(' || ')).toBe(served);
  });

  it('may do no more than they must', () => {
    expect([ci, nightly, release].map(({ permissions }) => permissions)).toEqual([
      { contents: 'read' },
      { contents: 'read' },
      {},
    ]);
    const allowed = Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(Object.fromEntries(allowed)).toEqual({
      refuse: { contents: 'read' },
      ci: { contents: 'read' },
      nightly: { contents: 'read' },
      pack: { contents: 'read' },
      publish: { 'id-token': 'write' },
    });
    for (const { uses, with: given } of steps) {
      if (uses?.startsWith('actions/checkout@')) expect(given).toEqual({ 'persist-credentials': false });
    }
  });

  it('take actions of a version that is said, and put nothing that anybody may choose into a script', () => {
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
      expect(run ?? '').not.toContain('${{');
    }
  });
});
