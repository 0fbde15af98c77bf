import { describe, expect, it, test } from 'vitest';
import { ParanoiaError } from '../base/errors.ts';
import { matrix } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import type { Entries } from '../matrix/operands.ts';
import { openFunctionKernel } from './function-kernel.ts';
import { callFromAfar } from './host/node/call-from-afar.ts';
import { peerMissing } from './messages.ts';
import { advanceClock, startClock, stopClock, waitUntilGivenUp } from './stopped-clock.testing.ts';
import { productFrom } from './tampered.testing.ts';
import type { FunctionKernel } from './user-kernel.ts';
import {
  computeExpected,
  eachEntry,
  gemms,
  makeTestOperands,
  withSeparateResult,
} from './whole-gemm.testing.ts';

const A = matrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6));
const B = matrix(3, 2, Float32Array.of(1, 0, 0, 1, 1, 1));
const C = Float32Array.of(4, 5, 10, 11);
/** Multiplies any product, and returns D in the layout requested. */
function right(a: Entries, b: Entries, gemm: Gemm, c: Entries, d: Entries): Entries {
  eachEntry(a, b, gemm, c, (entry, place) => {
    d[place(gemm.d)] = entry;
  });
  return d;
}

const open = (multiply: unknown, rest: Partial<FunctionKernel> = {}) =>
  openFunctionKernel({ name: 'mine', ...rest, multiply: multiply as typeof right });

const ask = (session: ReturnType<typeof open>, a = A, b = B, gemm?: Gemm) =>
  productFrom(session, { operands: { a, b }, gemm });

const turn = () => new Promise((resolve) => setTimeout(resolve));
const never = () => new Promise<never>(() => {});

test('a product, its time, and operands that nobody touched', async () => {
  stopClock();
  const slow = async (...given: Parameters<typeof right>) => {
    await advanceClock(7);
    return right(...given);
  };
  const { seconds, ...rest } = await ask(open(slow));
  expect(rest).toEqual({ c: matrix(2, 2, C), unwritten: 0, overwritten: 0, changed: 0 });
  expect(seconds).toBe(7);
});

const isNaNs = (entries: Entries) => entries.length > 0 && entries.every(Number.isNaN);

describe.each([
  ['D over C', (gemm: Gemm) => gemm],
  ['D apart', (gemm: Gemm) => withSeparateResult(gemm)],
])('the whole GEMM, %s', (_, placed) => {
  it.each(gemms)('with %s', async (_, plain) => {
    const gemm = placed(plain);
    const operands = makeTestOperands(gemm);
    const session = open(right, { accepts: 'everything' });
    const { c, seconds, ...seen } = await productFrom(session, { operands, gemm });
    expect([...c.data]).toEqual(computeExpected(operands, gemm));
    expect([c.rows, c.cols]).toEqual([gemm.batch * gemm.m, gemm.n]);
    expect(seen).toEqual({ unwritten: 0, overwritten: 0, changed: 0 });
  });
});

describe('what is not to be read', () => {
  const given = async (gemm: Gemm) => {
    const operands = makeTestOperands(gemm);
    const found: Entries[] = [];
    const keep = (a: Entries, b: Entries, _: Gemm, c: Entries, d: Entries) => {
      found.push(a.slice(), b.slice(), c.slice(), d.slice());
      return d;
    };
    await productFrom(open(keep), { operands, gemm });
    return found;
  };
  const plain = gemms[0][1];

  it('is NaN: C and D without beta, A and B without alpha, and D apart from C', async () => {
    expect((await given(plain)).map(isNaNs)).toEqual([false, false, true, true]);
    expect((await given({ ...plain, alpha: 0 })).map(isNaNs)).toEqual([true, true, true, true]);
    expect((await given({ ...plain, beta: 1 })).map(isNaNs)).toEqual([false, false, false, false]);
    expect((await given(withSeparateResult({ ...plain, beta: 1 }))).map(isNaNs)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('is NaN between the lines, and before the first', async () => {
    const b = { op: 't', order: 'row', ld: 5, offset: 1, stride: 0 } as const;
    const [, entries] = await given({ ...plainGemm({ m: 1, k: 2, n: 2 }), b });
    expect([...entries]).toEqual([
      NaN,
      expect.any(Number),
      expect.any(Number),
      NaN,
      NaN,
      NaN,
      expect.any(Number),
      expect.any(Number),
      NaN,
      NaN,
      NaN,
    ]);
  });
});

it.each<[string, (d: Entries) => void, { unwritten: number; overwritten: number }]>([
  ['between the lines', (d) => d.fill(0, 5, 6), { unwritten: 0, overwritten: 1 }],
  ['before the first', (d) => d.fill(0, 0, 1), { unwritten: 0, overwritten: 1 }],
  ['behind the last', (d) => d.fill(0, -1), { unwritten: 0, overwritten: 1 }],
])('counts what is written %s', async (_, write, seen) => {
  const c = { op: 'n', order: 'row', ld: 6, offset: 1, stride: 0 } as const;
  const gemm = { ...gemms[0][1], c, d: c };
  const multiply = (...given: Parameters<typeof right>) => {
    const d = right(...given);
    write(d);
    return d;
  };
  const operands = makeTestOperands(gemm);
  expect(await productFrom(open(multiply), { operands, gemm })).toMatchObject({ ...seen, changed: 0 });
});

it.each(gemms.filter(([, { m, n, batch }]) => m * n * batch > 0))(
  'counts entries that are left, with %s',
  async (_, plain) => {
    const gemm = withSeparateResult(plain);
    const left: unknown[] = [];
    for (const forgotten of [0, 3]) {
      const multiply = (a: Entries, b: Entries, asked: Gemm, c: Entries, d: Entries) => {
        eachEntry(a, b, asked, c, (entry, place, e) => {
          if (e >= forgotten) d[place(asked.d)] = entry;
        });
        return d;
      };
      left.push((await productFrom(open(multiply), { operands: makeTestOperands(gemm), gemm })).unwritten);
    }
    expect(left).toEqual([0, 3]);
  },
);

it('calls with nothing of ours among those that called', async () => {
  const stacks: string[] = [];
  const multiply = (...given: Parameters<typeof right>) => {
    stacks.push(new Error('here').stack ?? '');
    return right(...given);
  };
  await ask(open(multiply));
  await ask(open(async (...given: Parameters<typeof right>) => multiply(...given)));
  expect(stacks.length).toBe(2);
  for (const stack of stacks) expect(stack).not.toMatch(/function-kernel\.ts|deadline|answerOf|callOf/);
});

describe('operands', () => {
  it.each<[string, (a: Entries, b: Entries) => void, number]>([
    ['one entry of each', (a, b) => [a, b].map((x) => x.fill(9, 1, 2)), 2],
    ['the padding', (a) => a.fill(0, 3, 4), 1],
    ['zero to minus zero', (_, b) => b.fill(-0, 1, 2), 1],
    ['all of A, given away', (a) => structuredClone(a, { transfer: [a.buffer as ArrayBuffer] }), 8],
  ])('says how many entries changed: %s', async (_, change, changed) => {
    const multiply = (a: Entries, b: Entries) => {
      change(a, b);
      return C;
    };
    const a = { op: 'n', order: 'row', ld: 4, offset: 0, stride: 0 } as const;
    expect(await ask(open(multiply), A, B, { ...plainGemm({ m: 2, k: 3, n: 2 }), a })).toMatchObject({
      changed,
    });
    expect(A.data[1]).toBe(2);
  });

  it('are binary64 for f64, and C too', async () => {
    const kinds: string[] = [];
    const multiply = (...given: Parameters<typeof right>) => {
      kinds.push(given[0].constructor.name, given[1].constructor.name);
      return Float64Array.from(right(...given), (x) => x + 2 ** -40);
    };
    const { c } = await ask(open(multiply, { precision: 'f64' }));
    expect(kinds).toEqual(['Float64Array', 'Float64Array']);
    expect(c.data).toEqual(Float64Array.from(C, (x) => x + 2 ** -40));
  });

  it('may be what is returned: the answer is a copy', async () => {
    const a = matrix(2, 2, Float32Array.of(1, 2, 3, 4));
    let mine: Entries = C;
    const session = open((x: Entries) => {
      mine = x;
      return x;
    });
    const { c, changed } = await ask(session, a, a);
    mine.fill(0);
    expect([...c.data, changed]).toEqual([1, 2, 3, 4, 0]);
  });
});

const throwing = () => {
  throw new TypeError('oh no.');
};
const shared = new Float32Array(new SharedArrayBuffer(16));
shared.set(C);

describe('answers', () => {
  it.each<[string, unknown, Partial<FunctionKernel>?]>([
    ['binary64 entries that are binary32 numbers', Float64Array.from(C)],
    ['a promise', Promise.resolve(C)],
    ['shared memory', shared],
    ['entries of a subclass that lies', Object.defineProperty(Float32Array.from(C), 'length', { value: 1 })],
    ['binary32 for f64', C, { precision: 'f64' }],
    ['halves for f16', C, { precision: 'f16' }],
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    ['a thenable that resolves twice', { then: (f: (x: unknown) => void) => [f(C), f(0)] }],
  ])('may be %s', async (_, answer, rest) => {
    const { c } = await ask(open(() => answer, rest));
    expect([...c.data]).toEqual([...C]);
    expect(c.data).toBeInstanceOf(rest?.precision === 'f64' ? Float64Array : Float32Array);
  });

  it('may be NaN everywhere: that is for the checks', async () => {
    const { c } = await ask(open(() => new Float32Array(4).fill(Number.NaN)));
    expect([...c.data]).toEqual([NaN, NaN, NaN, NaN]);
  });

  const detached = new Float32Array(4);
  structuredClone(detached, { transfer: [detached.buffer] });
  const sly = new Proxy(C, {
    get: (_, key) => (key === 'then' ? undefined : throwing()),
  });
  it.each<[string, unknown, string, Partial<FunctionKernel>?]>([
    ['nothing', undefined, 'it returned undefined, not a Float32Array or Float64Array'],
    ['a number', 7, 'it returned a number'],
    ['a plain array', [4, 5, 10, 11], 'it returned a plain array of 4 entries'],
    ['whole numbers', Int32Array.of(4, 5, 10, 11), 'it returned an Int32Array'],
    ['memory', new ArrayBuffer(16), 'it returned an ArrayBuffer'],
    ['an object', { data: C }, 'it returned a plain object'],
    ['a proxy that throws', sly, 'it returned an object that throws when it is inspected'],
    ['too few entries', Float32Array.of(1), 'it returned a Float32Array of 1 entry, but 4 are needed (2×2)'],
    ['too many', new Float32Array(5), 'it returned a Float32Array of 5 entries, but 4 are needed (2×2)'],
    ['memory given away', detached, 'it returned a Float32Array with detached memory'],
    [
      'bits that binary32 has not',
      Float64Array.of(4, 5, 0.1, 11),
      'C holds 0.1 at (1, 0), which is not a number of f32',
    ],
    ['too large numbers', Float64Array.of(4, 1e300, 0, 0), 'C holds 1e+300 at (0, 1)'],
    [
      'bits that halves have not',
      Float32Array.of(2049, 0, 0, 0),
      'C holds 2049 at (0, 0)',
      { precision: 'f16' },
    ],
  ])('must not be %s', async (_, answer, says, rest) => {
    const error = await ask(open(() => answer, rest)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ParanoiaError);
    expect(error.code).toBe('kernel-answer');
    expect(error.message).toContain(`mine returned no valid product for 2×3×2: ${says}`);
    expect(error.message).toMatch(/[^.]\.$/);
  });
});

it('takes an answer as it was when it was returned, whatever becomes of it when it is waited for', async () => {
  let asked = 0;
  const lazy = (a: Entries, b: Entries, gemm: Gemm, c: Entries, d: Entries) => {
    const answer = new Float32Array(d.length);
    const then = () => {
      asked++;
      answer.set(right(a, b, gemm, c, d));
    };
    return Object.defineProperty(answer, 'then', { get: then });
  };
  const wary = { settle: async () => {}, call: callFromAfar('mine.js') };
  const session = openFunctionKernel({ name: 'mine', multiply: lazy as typeof right }, wary);
  expect(await ask(session)).toMatchObject({ c: { data: new Float32Array(4) } });
  expect(asked).toBe(0);
});

describe('failures', () => {
  it.each<[string, () => unknown, string]>([
    ['an error', throwing, 'mine threw an error for 2×3×2: oh no.'],
    ['an error later', async () => throwing(), 'mine threw an error for 2×3×2: oh no.'],
    ['nothing', () => Promise.reject(undefined), 'mine threw an error for 2×3×2: undefined.'],
    ['a text of two lines', () => Promise.reject('one.\ntwo'), 'mine threw an error for 2×3×2: one.'],
    ['what cannot be shown', () => Promise.reject(Object.create(null)), 'a value that cannot be shown.'],
    ['nothing to say', () => Promise.reject(new Error('')), 'mine threw an error for 2×3×2: Error.'],
    // biome-ignore lint/suspicious/noThenProperty: that is the point
    ['from a thenable', () => ({ then: throwing }), 'mine threw an error for 2×3×2: oh no.'],
    [
      'from a getter',
      () => Object.defineProperty({}, 'then', { get: throwing }),
      'mine threw an error for 2×3×2: oh no.',
    ],
  ])('throws %s', async (_, multiply, message) => {
    const error = await ask(open(multiply)).catch((thrown) => thrown);
    expect(error.code).toBe('kernel-threw');
    expect(error.message).toContain(message);
  });

  it('passes problems on as they are', async () => {
    const own = peerMissing({
      kernel: 'mine',
      peer: 'x',
      why: 'it is not there',
      install: 'npm i x',
    });
    await expect(ask(open(() => Promise.reject(own)))).rejects.toBe(own);
  });

  it('hangs, and what comes later disturbs no other product', async () => {
    const late: ((x?: unknown) => void)[] = [];
    let calls = 0;
    const session = open((...given: Parameters<typeof right>) => {
      calls++;
      if (calls > 2) return right(...given);
      return new Promise((resolve, reject) => late.push(calls === 1 ? resolve : reject));
    });
    const hangs = { code: 'kernel-hangs', message: expect.stringContaining('for 2×3×2 within 60 s') };
    stopClock();
    expect(await waitUntilGivenUp(ask(session))).toMatchObject(hangs);
    expect(await waitUntilGivenUp(ask(session))).toMatchObject(hangs);
    startClock();
    for (const settle of late) settle(new Float32Array(4));
    await turn();
    expect((await ask(session)).c.data).toEqual(C);
  });
});

describe('getting ready', () => {
  it('is done once, before the first product, and undone after the last', async () => {
    const log: string[] = [];
    const hook = (name: string) => async () => {
      await turn();
      log.push(name);
    };
    const session = open((...given: Parameters<typeof right>) => log.push('multiply') && right(...given), {
      prepare: hook('prepare'),
      release: hook('release'),
      versions: () => ({ lib: '1.2', wrong: 3 }) as unknown as Record<string, string>,
    });
    expect(await session.versions?.()).toEqual({ lib: '1.2' });
    expect(log).toEqual([]);
    await ask(session);
    await ask(session);
    await session.close?.();
    expect(log).toEqual(['prepare', 'multiply', 'multiply', 'release']);
  });

  it('fails for every product where it fails', async () => {
    let tries = 0;
    const prepare = () => {
      tries++;
      throwing();
    };
    const session = open(right, { prepare, release: throwing });
    for (let i = 0; i < 2; i++) await expect(ask(session)).rejects.toThrow('oh no.');
    expect(tries).toBe(1);
    await session.close?.();
  });

  it('hangs for every product where it hangs, but is waited for once', async () => {
    const session = open(right, { timeLimit: 10, prepare: never, release: never });
    const hangs = { code: 'kernel-hangs', message: expect.stringContaining('within 120 s') };
    stopClock();
    expect(await waitUntilGivenUp(ask(session))).toMatchObject(hangs);
    const waited = performance.now();
    for (let i = 0; i < 4; i++) await expect(ask(session)).rejects.toMatchObject(hangs);
    expect(performance.now()).toBe(waited);
    const closed = session.close?.();
    await advanceClock(10);
    await closed;
  });
});

describe('what is left behind', () => {
  /** Returns a kernel that keeps the data it prepares, and logs its calls. */
  function keeping() {
    const log: string[] = [];
    let fails = false;
    const session = open(
      (...given: Parameters<typeof right>) => {
        log.push('multiply');
        if (fails) throw new Error('oh no');
        return right(...given);
      },
      { prepare: () => void log.push('prepare'), release: () => void log.push('release') },
    );
    const failing = (next: boolean) => {
      fails = next;
    };
    return { log, session, failing };
  }

  it('is released, and prepared again, when that is asked for', async () => {
    const { log, session } = keeping();
    await session.renew?.();
    await ask(session);
    await session.renew?.();
    expect(log).toEqual(['prepare', 'multiply', 'release']);
    await ask(session);
    expect(log.slice(3)).toEqual(['prepare', 'multiply']);
    await session.renew?.();
    await session.close?.();
    expect(log.slice(5)).toEqual(['release']);
  });

  it('is none of the next product after an error', async () => {
    const { log, session, failing } = keeping();
    failing(true);
    await expect(ask(session)).rejects.toThrow('oh no.');
    expect(log).toEqual(['prepare', 'multiply']);
    failing(false);
    await ask(session);
    expect(log.slice(2)).toEqual(['release', 'prepare', 'multiply']);
  });
});

describe('several products', () => {
  const twice = {
    operands: {
      a: matrix(
        2,
        3,
        A.data.map((x) => 2 * x),
      ),
      b: B,
    },
  };

  it('are asked for without waiting, in their order, where they are in flight together', async () => {
    const begun: number[] = [];
    const waiting: (() => void)[] = [];
    const session = open(async (...given: Parameters<typeof right>) => {
      begun.push(given[0][0]);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return right(...given);
    });
    const asked = productFrom(session, {
      operands: { a: A, b: B },
      inFlight: { before: [twice], after: [twice] },
    });
    while (waiting.length < 3) await turn();
    expect(begun).toEqual([2, 1, 2]);
    for (const go of waiting.reverse()) {
      go();
      await turn();
    }
    expect((await asked).c.data).toEqual(C);
  });

  it('fail together', async () => {
    const session = open((...given: Parameters<typeof right>) => {
      if (given[0][0] === 2) throw new Error('oh no');
      return right(...given);
    });
    const asked = { operands: { a: A, b: B }, inFlight: { before: [], after: [twice] } };
    await expect(productFrom(session, asked)).rejects.toThrow('oh no.');
    expect((await ask(session)).c.data).toEqual(C);
  });
});
