import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { inShort, itWhole } from '../../base/in-short.testing.ts';
import { matrix } from '../../matrix/dense.ts';
import { exactProduct } from '../exact.ts';
import { emptyTally } from '../exact-product.ts';

/** The build, since threads load compiled modules. The address is not a literal, because types are checked before the build. */
const built = new URL('../../../dist/node.js', import.meta.url).href;
const { exactProductParallel, openExactPool }: typeof import('./pool.ts') = await import(built);

const [m, k, n] = [131, 700, 190];
const a = matrix(
  m,
  k,
  new Float32Array(m * k).map((_, at) => Math.sin(at) * 2 ** (at % 50)),
);
const b = matrix(
  k,
  n,
  new Float64Array(k * n).map((_, at) => Math.cos(at)),
);

const pool = openExactPool({ workers: 3 });
afterAll(() => pool.close());
afterEach(() => vi.unstubAllGlobals());

describe('entries that threads share', () => {
  const side = 2200;
  const [row, column] = [
    matrix(side, 1, new Float64Array(side).fill(3)),
    matrix(1, side, new Float64Array(side).fill(0.5)),
  ];
  /** Makes the product of row and column in the pool's memory. */
  async function made() {
    const [value, low] = [await pool.zeros(side * side), await pool.zeros(side * side)];
    const certificate = { ...emptyTally(), entries: side * side, byBigInt: side * side };
    return { product: matrix(side, side, value.fill(1.5)), low, certificate };
  }

  it('keep what is written while pages are touched', async () => {
    const { product, low } = await made();
    await pool.product(a, b);
    expect([product.data, low].map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual([
      true,
      true,
    ]);
    expect(product.data.every((x) => x === 1.5)).toBe(true);
    expect(low.every((x) => x === 0)).toBe(true);
  });

  it.each([0, 65535, 65536, side * side - 1])('are found where entry %i is not rounded', async (at) => {
    const computed = await made();
    await expect(pool.requireAllRounded(row, column, computed)).resolves.toBeUndefined();
    computed.low[at] = 1;
    await expect(pool.requireAllRounded(row, column, computed)).rejects.toThrow(
      `entry (${Math.floor(at / side)}, ${at % side}) is 1.5 with the remainder 1`,
    );
  });

  it('are the calling thread’s where there are few', async () => {
    expect((await pool.zeros(5)).buffer).toBeInstanceOf(ArrayBuffer);
    await expect(pool.requireAllRounded(a, b, exactProduct(a, b))).resolves.toBeUndefined();
  });
});

describe('exact product on threads', () => {
  it('is the same, bit for bit, as on one', async () => {
    const alone = exactProduct(a, b);
    const together = await pool.product(a, b);
    expect(together).toEqual(alone);
    expect(together.product.data.buffer).toBeInstanceOf(ArrayBuffer);
  });

  itWhole('has the same bits from either engine, and says which computed', async () => {
    const plain = openExactPool({ workers: 2, engine: 'typescript' });
    const { product, low } = await plain.product(a, b);
    const fast = await pool.product(a, b);
    expect({ product, low }).toEqual({ product: fast.product, low: fast.low });
    expect(plain.how()).toEqual({ engine: 'typescript', threads: 2 });
    expect(pool.how()).toEqual({ engine: 'simd', threads: 3 });
    await plain.close();
  });

  itWhole('computes alone where memory cannot be shared or threads cannot start, and says why', async () => {
    const alone = exactProduct(a, b);
    const noThreads = openExactPool({ workers: 2, script: new URL('http://localhost/worker.js') });
    expect(await noThreads.product(a, b)).toEqual(alone);
    expect(noThreads.how()).toMatchObject({
      engine: 'simd',
      threads: 1,
      why: expect.stringMatching(/^threads cannot be started: /),
    });
    vi.stubGlobal('SharedArrayBuffer', undefined);
    const noSharing = openExactPool({ workers: 2 });
    expect(await noSharing.product(a, b)).toEqual(alone);
    expect(noSharing.how()).toEqual({
      engine: 'simd',
      threads: 1,
      why: 'threads cannot be started: this runtime has no SharedArrayBuffer',
    });
  });

  itWhole('can be used again, and queues what is asked at once', async () => {
    const [first, second] = await Promise.all([pool.product(a, b), pool.product(b, transposeOf(b))]);
    expect(first).toEqual(exactProduct(a, b));
    expect(second.product.rows).toBe(k);
  });

  itWhole('shows nothing of a product in the next, whose memory may be the same', async () => {
    const fill = (rows: number, cols: number, entry: (at: number) => number) =>
      matrix(
        rows,
        cols,
        new Float64Array(rows * cols).map((_, at) => entry(at)),
      );
    const wide = (at: number) => (at % 701 === 3 ? Number.NaN : Math.sin(at) * 2 ** (at % 60));
    const narrow = (at: number) => Math.round(2 ** 52 * Math.cos(at));
    const shapes = [
      [260, 257, 260, wide],
      [260, 257, 260, narrow],
      [256, 260, 257, wide],
      [257, 260, 256, narrow],
      [520, 257, 130, narrow],
      [260, 300, 260, narrow],
    ] as const;
    const kept = openExactPool({ workers: 2 });
    for (const [m, k, n, entry] of shapes) {
      const [x, y] = [fill(m, k, entry), fill(k, n, entry)];
      expect(await kept.product(x, y)).toEqual(exactProduct(x, y));
    }
    await kept.close();
  });

  it('computes small products without threads', async () => {
    const one = matrix(1, 1, Float64Array.of(3));
    const nowhere = openExactPool({ workers: 2, script: new URL('file:///nowhere.js') });
    expect((await nowhere.product(one, one)).product.data).toEqual(Float64Array.of(9));
    expect(nowhere.how()).toEqual({ engine: 'typescript', threads: 1 });
  });

  it('refuses a number of threads that is none, and shapes that do not match', async () => {
    expect(() => openExactPool({ workers: 0 })).toThrow('workers must be a whole number of at least 1');
    await expect(pool.product(a, a)).rejects.toThrow('The shapes do not match');
  });

  it.each(
    inShort(
      [
        ['throws', 'throw new Error("out of cheese")', 'out of cheese'],
        ['ends', 'process.exit(7)', 'it ended with exit code 7'],
      ],
      2,
    ),
  )('says why when a thread %s', async (_, code, why) => {
    const script = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    await expect(exactProductParallel(a, b, { workers: 2, script })).rejects.toMatchObject({
      code: 'reference-stopped',
      exitCode: 4,
      message: expect.stringContaining(why),
    });
  });

  it.each(
    inShort(
      [
        ['leaves blocks out', '', 'is 0 with the remainder 0, but computed alone'],
        ['gives NaN', 'value.fill(NaN);', 'is NaN with the remainder 0, but computed alone'],
        [
          'finds out',
          'return parentPort.postMessage({ wrong: "entry (1, 2) is NaN" });',
          'wrong: entry (1, 2) is NaN',
        ],
        ['certifies too little', 'all.entries--;', `it has ${m * n} entries, but certifies ${m * n - 1}`],
      ],
      2,
    ),
  )('is found out when a thread %s', async (_, code, why) => {
    const script = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (task) => {
        if ('share' in task) return parentPort.postMessage({ rows: 24, cols: 53 });
        const value = new Float64Array(task.value.memory);
        const all = { ...${JSON.stringify(emptyTally())}, entries: ${m * n}, byExactSum: ${m * n} };
        ${code}
        parentPort.postMessage({ certificate: Atomics.add(task.handedOut, 0, 1) === 0 ? all : { ...all, entries: 0, byExactSum: 0 } });
      });`;
    const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    await expect(exactProductParallel(a, b, { workers: 2, script: url })).rejects.toMatchObject({
      name: 'ReferenceFault',
      message: expect.stringContaining(why),
    });
  });

  it('says so when its module is not there', async () => {
    const script = new URL('file:///nowhere/worker.js');
    await expect(exactProductParallel(a, b, { workers: 2, script })).rejects.toThrow('nowhere/worker.js');
  });
});

function transposeOf(x: typeof b) {
  return matrix(x.cols, x.rows, new Float64Array(x.data.length).fill(1));
}
