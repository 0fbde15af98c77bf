import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { BASELINES_SCHEMA, type Baselines, noBaselines } from '../baselines.ts';
import { baselineFile, readBaselines, writeBaselines } from './baseline-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baselines-'));
});
afterAll(() => rm(folder, { recursive: true }));

const some: Baselines = { ...noBaselines('gpu-1'), cases: { a: { maxError: 2, meanError: 1 } } };

describe('a file of baselines', () => {
  it('is read as it was written, and nothing is left beside it', async () => {
    const own = join(folder, 'made', 'here');
    await writeBaselines(own, some);
    expect(await readBaselines(own, 'gpu-1')).toEqual(some);
    expect(await readdir(own)).toEqual(['gpu-1.json']);
  });

  it('that does not exist holds none', async () => {
    expect(await readBaselines(join(folder, 'none'), 'gpu-2')).toEqual(noBaselines('gpu-2'));
  });

  it.each([
    ['cut short', JSON.stringify(some).slice(0, -5), /it is not JSON/],
    ['null', 'null', /: its content must be an object, but is \S+\. Fix or remove the file\.$/],
    ['of another kind', JSON.stringify({ ...some, schema: 'gemm-paranoia/results/3' }), /schema: /],
    [
      'of a newer schema',
      JSON.stringify({ ...some, schema: 'gemm-paranoia/baselines/2' }),
      new RegExp(`its schema is gemm-paranoia/baselines/2, this version reads ${BASELINES_SCHEMA}`),
    ],
    ['with a missing field', JSON.stringify({ ...some, cases: undefined }), /cases: /],
    [
      'with null',
      JSON.stringify({ ...some, cases: { a: { maxError: Number.NaN, meanError: 1 } } }),
      /cases\.a\.maxError: /,
    ],
    [
      'of another adapter',
      JSON.stringify({ ...some, adapter: '../elsewhere' }),
      /they were recorded on another adapter/,
    ],
  ])('that is %s is refused in one sentence', async (_, text, why) => {
    const file = baselineFile(folder, 'gpu-1');
    await writeFile(file, text);
    const refused = readBaselines(folder, 'gpu-1');
    await expect(refused).rejects.toMatchObject({ code: 'bad-baselines', exitCode: EXIT.usage });
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(file);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('that cannot be read or written is refused', async () => {
    await mkdir(baselineFile(folder, 'gpu-3'));
    await expect(readBaselines(folder, 'gpu-3')).rejects.toMatchObject({ code: 'bad-baselines' });
    await writeFile(join(folder, 'file'), '');
    await expect(writeBaselines(join(folder, 'file', 'below'), some)).rejects.toMatchObject({
      code: 'report-unwritable',
      exitCode: EXIT.usage,
    });
  });
});
