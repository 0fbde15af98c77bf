import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWhole, itWhole } from '../../src/base/in-short.testing.ts';
import { installPacked, type Project, run } from '../support/packed.ts';

/** A test's outcome from Vitest's JSON reporter. */
interface Told {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

const INSTALLED = 'installed here';
const isOldNode = Number.parseInt(process.versions.node, 10) < 22;
/** Every supported version in package.json that runs on this Node. */
const served = ['3.2', '4', '5'].filter((version) => version !== '5' || !isOldNode);
const { VITEST_VERSION } = process.env;
const versions = VITEST_VERSION !== undefined ? [VITEST_VERSION] : [INSTALLED, ...(isWhole ? served : [])];

describe.each(versions)('Vitest %s', (version) => {
  let project: Project;
  beforeAll(() => {
    project = installPacked('vitest-project', version === INSTALLED ? undefined : version);
  });
  afterAll(() => project.remove());

  /**
   * Runs Vitest in the project.
   * @param some a pattern of the tests to run, unless all are requested
   * @returns the outcome of each test, and the exit code
   */
  function vitest(file: string, some: string): { code: number; tests: Told[] } {
    const { folder } = project;
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', file];
    const args = [...vitest, ...(isWhole ? [] : ['-t', some]), '--reporter=json', '--outputFile=told.json'];
    let code = 0;
    try {
      run(folder, args, { PARANOIA_VITEST: '' });
    } catch (error) {
      code = (error as { status: number }).status;
    }
    const { testResults } = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'));
    return {
      code,
      tests: testResults
        .flatMap((result: { assertionResults: Told[] }) => result.assertionResults)
        .filter(({ status }: Told) => isWhole || status !== 'skipped'),
    };
  }

  it('compiles, strictly, and refuses what is wrong', () => {
    // Vitest 3 repeats declarations of its own Chai.
    const own = version.startsWith('3') ? ['--skipLibCheck', 'true'] : [];
    expect(run(project.folder, ['node_modules/typescript/bin/tsc', '-p', '.', ...own])).toBe('');
  });

  it('passes where the products are right', () => {
    const { code, tests } = vitest('gemm.test.ts', 'is a product|passes the gate$|^laws');
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(tests).toHaveLength(isWhole ? 8 : 5);
    expect(code).toBe(0);
  });

  itWhole('runs the example of the documents as printed', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/vitest.md'), 'utf8');
    const [, printed] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
    // Gates and grades take longer than Vitest's default timeout.
    for (const line of printed.match(/^it\(.*to(PassGate|BeGrade).*$/gm) ?? [])
      expect(line).toMatch(/, 600_000\);$/);
    const own = `import { type Matrix, matrix } from 'gemm-paranoia';
import { multiply } from './multiply.ts';
const myProduct = (x: Matrix, y: Matrix) =>
  matrix(x.rows, y.cols, multiply(x.data, y.data, { m: x.rows, k: x.cols, n: y.cols }));
const [a, b] = [matrix(2, 1, Float32Array.of(1, 2)), matrix(1, 2, Float32Array.of(3, 4))];
`;
    writeFileSync(join(project.folder, 'output-relay.test.ts'), `${own}${printed}`);
    const { code, tests } = vitest('output-relay.test.ts', '.');
    expect(tests.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
    expect([code, tests.length]).toEqual([0, 4]);
  });

  describe('where products are wrong', () => {
    let found: ReturnType<typeof vitest>;
    beforeAll(() => {
      found = vitest('faults.test.ts', '^(wrong-sign|fast|is no|cannot|sums)');
    });
    const messageOf = (name: string) => {
      const told = found.tests.find(({ fullName }) => fullName === name);
      return told?.failureMessages.join('\n') ?? `there is no test ${name}`;
    };

    it('fails every test', () => {
      expect(found.code).toBe(1);
      expect(found.tests).toHaveLength(6);
      expect(found.tests.filter(({ status }) => status !== 'failed')).toEqual([]);
    });

    it('says of a kernel what is wrong, where, and how to replay it', () => {
      const message = messageOf('wrong-sign fails the gate');
      expect(message).toMatch(/\d+ of \d+ cases failed\..* On ./);
      expect(message).toMatch(/^case +verdict +check +found +allowed$/m);
      expect(message).toMatch(/^ *entry +found +expected +error$/m);
      expect(message).toContain('the sign is wrong');
      expect(message).toContain("replay: toPassGate({ case: 'kernel=wrong-sign;");
      expect(message).toMatch(/^replay: npx vitest run .*faults\.test\.ts -t '.* fails the gate'$/m);
      expect(messageOf('wrong-sign is of no grade')).toMatch(/reaches no grade; the test names grade C\./);
    });

    it('says so of grades, of products, and of what is no kernel', () => {
      expect(messageOf('fast algorithms (built in) are of no grade A')).toContain(
        'strassen:naive reaches grade C',
      );
      expect(messageOf('is no product')).toMatch(/^\(1, 1\) +51 +50 +1 +\d\.\d+e-\d$/m);
      expect(messageOf('cannot be judged')).toContain(
        'it is a function. Give defineKernel({ name, multiply })',
      );
    });

    it('replays a broken law with the command it prints', () => {
      const message = messageOf('sums are exact');
      const [, values] = /by (operands\(.*)$/m.exec(message) ?? [];
      const [, seed = '', path = '', command] =
        /^replay: PARANOIA_SEED=(\S+) PARANOIA_PATH='(\S+)' npx (vitest run \S+ -t '.*')$/m.exec(message) ??
        [];
      expect(command).toContain("-t 'sums are exact'");
      const { status, stderr } = spawnSync(
        `node node_modules/vitest/vitest.mjs ${command?.slice('vitest '.length)}`,
        {
          cwd: project.folder,
          env: {
            ...process.env,
            PARANOIA_SEED: seed,
            PARANOIA_PATH: path,
            PARANOIA_VITEST: '',
            NO_COLOR: '1',
          },
          shell: true,
          encoding: 'utf8',
        },
      );
      expect(status).toBe(1);
      expect(stderr).toContain(values ?? 'none');
      expect(stderr).toMatch(/Law broken at run 1, after 0 shrinks/);
    });
  });
});
