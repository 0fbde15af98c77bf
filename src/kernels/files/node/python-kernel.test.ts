import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inShort, isWhole } from '../../../base/in-short.testing.ts';
import { matrix } from '../../../matrix/dense.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { openProgram } from '../../host/node/open-program.ts';
import { productFrom } from '../../tampered.testing.ts';
import { computeExpected, gemms, makeTestOperands, specialGemms } from '../../whole-gemm.testing.ts';
import { inFolder } from './files.testing.ts';
import { findPython, pythonKernel } from './python-kernel.ts';

const isWindows = process.platform === 'win32';
const ofEnvironment = isWindows ? 'Scripts/python.exe' : 'bin/python';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'python-'));
  const names = ['three', 'two'].flatMap((part) =>
    (part === 'three' ? ['python3', 'python'] : ['python']).map((name) => join(part, name)),
  );
  for (const name of [...names, join('venv', ofEnvironment)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const within = (...names: string[]) => join(folder, ...names);

test('the one that is named, then that of the variable, of the environment, of the path', () => {
  const three = { PATH: within('three') };
  const active = { ...three, VIRTUAL_ENV: within('venv') };
  const all = { ...active, PARANOIA_PYTHON: within('two', 'python') };
  expect(findPython('x.py', 'python', all)).toBe(within('three', 'python'));
  expect(findPython('x.py', undefined, all)).toBe(within('two', 'python'));
  expect(findPython('x.py', undefined, active)).toBe(within('venv', ofEnvironment));
  expect(findPython('x.py', undefined, { ...three, VIRTUAL_ENV: within('gone') })).toBe(
    within('three', 'python3'),
  );
  expect(findPython('x.py', undefined, { PATH: within('two') })).toBe(within('two', 'python'));
});

test('a missing one is told with what named it', () => {
  expect(() => findPython('x.py', '/no/python', {})).toThrow(
    'No Python was found to run x.py: /no/python, given by --python, does not exist. Name one with --python or PARANOIA_PYTHON.',
  );
  expect(() => findPython('x.py', undefined, { PARANOIA_PYTHON: 'nope', PATH: folder })).toThrow(
    'nope, given by PARANOIA_PYTHON, does not exist',
  );
  expect(() => findPython('x.py', undefined, {})).toThrow('neither python3 nor python is in PATH');
});

const put = inFolder();

/** True if Python files can run here, with NumPy. */
const hasNumPy = (() => {
  try {
    return spawnSync(findPython('x.py'), ['-c', 'import numpy']).status === 0;
  } catch {
    return false;
  }
})();

test('a Python that does not start, or is none, is told in a sentence', async () => {
  const origin = put('x.py', 'pass');
  const withPython = (python: string) => pythonKernel({ ...origin, ways: { python } });
  await expect(withPython(origin.path)).rejects.toThrow(
    /^No Python was found to run x\.py: .* does not start \(EACCES\)\. Name one/,
  );
  await expect(withPython(process.execPath)).rejects.toThrow(
    /^The file x\.py ends .* during its import, and its standard error ends with/,
  );
  await expect(pythonKernel({ ...origin, path: '/no/x.py' })).rejects.toThrow(
    'The file x.py cannot be read: it does not exist.',
  );
});

test.runIf(hasNumPy)('a function of two matrices multiplies, without a word of us in its file', async () => {
  const origin = put(
    'plain.py',
    'import numpy as np\ndef matmul(a, b):\n    print("noise")\n    return np.matmul(a, b)\n',
  );
  const kernel = await pythonKernel(origin);
  expect(kernel).toMatchObject({ name: 'plain.py', precision: 'f32' });
  expect(kernel.accepts).toBe(undefined);
  const session = openProgram(kernel, { cwd: '/' });
  const [[, gemm]] = gemms;
  const operands = makeTestOperands(gemm);
  const { c, changed } = await productFrom(session, { operands, gemm });
  expect([...c.data]).toEqual(computeExpected(operands, gemm));
  expect(changed).toBe(0);
  expect(await session.versions?.()).toMatchObject({ numpy: expect.stringMatching(/^\d+\./) });
  await session.close?.();
});

test.runIf(hasNumPy)(
  'many small products come in one request, with the entries that they change',
  async () => {
    const origin = put(
      'small.py',
      'import numpy as np\ndef matmul(a, b):\n    c = a @ b\n    if b.shape[1] == 3:\n        a[0, 0] = 77\n    return np.asfortranarray(c)\n',
    );
    const session = openProgram(await pythonKernel(origin), { cwd: '/' });
    const shapes = [
      { m: 2, k: 1, n: 2 },
      { m: 1, k: 2, n: 3 },
    ];
    const operands = {
      a: matrix(1, 4, Float32Array.of(1, 2, 10, 100)),
      b: matrix(1, 8, Float32Array.of(3, 4, 1, 2, 3, 4, 5, 6)),
    };
    const asked = { operands, gemm: plainGemm({ m: 1, k: 1, n: 7 }), apart: shapes };
    expect(session.asksApart).toBe(false);
    const { c, changed } = await productFrom(session, asked);
    expect([...c.data]).toEqual([3, 4, 6, 8, 410, 520, 630]);
    expect(changed).toBe(1);
    // The greeting says so.
    expect(session.asksApart).toBe(true);
    await session.close?.();
  },
);

const MARKED = `
import numpy as np
import paranoia

@paranoia.kernel(claims={"order": "sequential"}, precision="f64", accepts="everything", time_limit=5)
def gemm(a: np.ndarray, b: np.ndarray, *, alpha, beta, c):
    assert a.dtype == b.dtype == np.float64
    d = alpha * np.matmul(a, b)
    return d if c is None else d + beta * c

def other(a, b):
    a[0, 0] = 5
    return np.zeros(3)
`;

test.runIf(hasNumPy)('a decorator says what it claims and takes, all of which it is asked for', async () => {
  const kernel = await pythonKernel(put('marked.py', MARKED));
  expect(kernel).toMatchObject({
    claims: { order: 'sequential' },
    precision: 'f64',
    accepts: 'everything',
    timeLimit: 5,
  });
  const session = openProgram(kernel, { cwd: '/' });
  for (const [what, gemm] of inShort(gemms, 3)) {
    const operands = makeTestOperands(gemm);
    const { c } = await productFrom(session, { operands, gemm });
    expect([...c.data], what).toEqual(computeExpected(operands, gemm));
  }
  await session.close?.();
});

test.runIf(isWhole && hasNumPy)(
  'what a function throws is told with its line, and what it answers is looked at',
  async () => {
    const thrower = 'def matmul(a, b):\n    return a @ b[1:]\n';
    const [[, gemm]] = gemms;
    const factors = { operands: makeTestOperands(gemm), gemm };
    const failing = openProgram(await pythonKernel(put('thrower.py', thrower)), { cwd: '/' });
    await expect(productFrom(failing, factors)).rejects.toThrow(
      /^thrower\.py threw an error: ValueError: .*\(line 2\)\.$/,
    );
    await failing.close?.();
    const wrong = await pythonKernel(put('marked.py', MARKED, { symbol: 'other', name: 'marked.py#other' }));
    const session = openProgram(wrong, { cwd: '/' });
    await expect(productFrom(session, factors)).rejects.toThrow('returned no valid product for 2×3×4');
    await session.close?.();
  },
);

test.runIf(hasNumPy)('a function of structured products gets what is stored, and its structure', async () => {
  const text = `import numpy as np
import paranoia

@paranoia.kernel(accepts={"structure": "syrk-lower|trmm-left-upper-unit"})
def f(a, b, structure):
    if structure == "syrk-lower":
        return a @ a.T + np.triu(np.ones((3, 3), np.float32), 1) if b is None else None
    # The other triangle and the diagonal hold NaN, which triu drops.
    return (np.triu(a, 1) + np.eye(len(a), dtype=a.dtype)) @ b if np.isnan(a[0, 0]) and np.isnan(a[1, 0]) else None
`;
  const kernel = await pythonKernel(put('structured.py', text));
  const session = openProgram(kernel, { cwd: '/' });
  const a = matrix(3, 2, Float32Array.of(1, 2, 3, 4, 5, 6));
  const update = { ...plainGemm({ m: 3, k: 2, n: 3 }), structure: 'syrk-lower' };
  const squares = await productFrom(session, {
    operands: { a, b: matrix(2, 3, Float32Array.of(1, 3, 5, 2, 4, 6)) },
    gemm: update,
  });
  // The triangle that is not written is a mirror image, whatever the function leaves there.
  expect([...squares.c.data]).toEqual([5, 11, 17, 11, 25, 39, 17, 39, 61]);
  const triangle = matrix(2, 2, Float32Array.of(1, 7, 0, 1));
  const beside = { ...plainGemm({ m: 2, k: 2, n: 1 }), structure: 'trmm-left-upper-unit' };
  const operands = { a: triangle, b: matrix(2, 1, Float32Array.of(2, 3)) };
  expect([...(await productFrom(session, { operands, gemm: beside })).c.data]).toEqual([23, 3]);
  await session.close?.();
});

test.runIf(hasNumPy)(
  'a function gets views with general strides, and batches by addresses as lists',
  async () => {
    const text = `import numpy as np
import paranoia

@paranoia.kernel(accepts={"alpha": True, "beta": True, "batch": True, "strides": True, "addresses": True})
def f(a, b, alpha, beta, c):
    one = lambda a, b, c: np.float32(alpha) * (a @ b) + (0 if c is None else np.float32(beta) * c)
    if not isinstance(a, list):
        assert a.strides == (12, 36) and b.strides == (8, 20) and c.strides == (32, 8)
        return one(a, b, c)
    starts = [x.__array_interface__["data"][0] for x in a]
    assert [start - starts[1] for start in starts] == [32, 0, 76]
    return [one(*each) for each in zip(a, b, c)]
`;
    const kernel = await pythonKernel(put('lists.py', text));
    const session = openProgram(kernel, { cwd: '/' });
    for (const [what, gemm] of specialGemms) {
      const operands = makeTestOperands(gemm);
      const { c } = await productFrom(session, { operands, gemm });
      expect([...c.data], what).toEqual(computeExpected(operands, gemm));
    }
    await session.close?.();
  },
);

test.runIf(isWhole && hasNumPy)('entries of A that a function changes are counted', async () => {
  const text = 'def matmul(a, b):\n    c = a @ b\n    a[0, 0] += 1\n    return c\n';
  const session = openProgram(await pythonKernel(put('changes.py', text)), { cwd: '/' });
  const [[, gemm]] = gemms;
  expect((await productFrom(session, { operands: makeTestOperands(gemm), gemm })).changed).toBe(1);
  await session.close?.();
});

test.runIf(hasNumPy).each(
  inShort(
    [
      ['raises', 'raise RuntimeError("no luck")', 'cannot be used: RuntimeError: no luck (line 1).'],
      ['syntax', 'def f(:\n', 'cannot be used: SyntaxError: '],
      ['imports', 'import nowhere_to_be_found.part', ' has no nowhere_to_be_found. Run: '],
      [
        'lacks',
        'import paranoia\n@paranoia.kernel(array="nowhere_at_all")\ndef f(a, b): pass',
        /cannot be used: .* has no nowhere_at_all\. Run: .* -m pip install nowhere_at_all\./,
      ],
      [
        'claims',
        'import paranoia\n@paranoia.kernel(claims={"levels": len})\ndef f(a, b): pass',
        'cannot be used: TypeError: claims and accepts of f must be JSON values. Write functions of sizes in a config',
      ],
      ['exits', 'import sys\nsys.exit("enough")', 'and its standard error ends with "enough".'],
      ['empty', '', 'has no function.'],
    ],
    4,
  ),
)('a file that %s is refused in a sentence', async (name, text, why) => {
  await expect(pythonKernel(put(`${name}.py`, text))).rejects.toThrow(why);
});
