import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Matrix, matrix, productShape } from '../../matrix/dense.ts';
import { roundInteger } from '../bigint.ts';
import { type ExponentProfile, profile } from '../profile.ts';

const SOURCE = fileURLToPath(new URL('../../../share/programs/flint-product.c', import.meta.url));

/** FLINT's product of integer matrices (fmpz_mat_mul), for matrices whose entries are multiples of a power of two. */
export interface Flint {
  /** Computes the product, with every entry correctly rounded to binary64. All entries must be finite. */
  product(a: Matrix, b: Matrix): Promise<Matrix<Float64Array>>;
  /** Returns the seconds of `runs` products, one after another, without reading and rounding. */
  time(a: Matrix, b: Matrix, threads: number, runs: number): Promise<number[]>;
  /** Removes the program. */
  close(): Promise<void>;
}

/** Compiles our program against the installed FLINT. @returns the reason, in words, if it cannot. */
export async function openFlint(compiler = 'cc'): Promise<Flint | string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemm-paranoia-flint-'));
  const program = join(folder, 'flint-product');
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await run(compiler, ['-O2', '-o', program, SOURCE, '-lflint', '-lm']);
  } catch (error) {
    await close();
    return whyNotCompiled(compiler, error as Failure);
  }

  const start = async (a: Matrix, b: Matrix, out: string, threads: number, runs: number) => {
    const { m, k, n } = productShape(a, b);
    const grids = [gridOf(profile(a, 'rows')), gridOf(profile(b, 'columns'))];
    const input = join(folder, 'operands');
    const parts = [Int32Array.of(m, k, n, ...grids), Float64Array.from(a.data), Float64Array.from(b.data)];
    await writeFile(input, Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer))));
    const { stdout } = await run(program, [input, out, String(threads), String(runs)]);
    return { seconds: stdout.trim().split('\n').map(Number), grid: grids[0] + grids[1] };
  };

  return {
    async product(a, b) {
      const out = join(folder, 'product');
      const { grid } = await start(a, b, out, 1, 1);
      const entries = (await readFile(out, 'utf8')).split('\n').slice(0, a.rows * b.cols);
      const values = entries.map((text) => roundInteger(fromHexadecimal(text), grid).value);
      return matrix(a.rows, b.cols, Float64Array.from(values));
    },
    time: async (a, b, threads, runs) => (await start(a, b, '-', threads, runs)).seconds,
    close,
  };
}

const run = promisify(execFile);

type Failure = Error & { readonly code?: unknown; readonly stderr?: string };

function whyNotCompiled(compiler: string, { code, stderr = '', message }: Failure): string {
  if (code === 'ENOENT') return `the C compiler "${compiler}" is not installed`;
  if (/flint\/\S+\.h|-lflint/.test(stderr))
    return 'FLINT is not installed (on Debian: apt-get install libflint-dev)';
  return `"${compiler}" cannot compile ${SOURCE}: ${(stderr || message).trim().split('\n')[0]}`;
}

/** Returns an exponent g such that all entries are multiples of 2^g; 0 if all are zero. */
function gridOf({ top, grid }: ExponentProfile): number {
  const used = grid.filter((least, line) => least <= top[line]);
  return used.length === 0 ? 0 : used.reduce((a, b) => Math.min(a, b));
}

function fromHexadecimal(text: string): bigint {
  return text.startsWith('-') ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
}
