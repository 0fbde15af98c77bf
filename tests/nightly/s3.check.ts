import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/farm/node/open-store.ts';
import { workplace } from '../farm/commands.ts';

/**
 * A store in a bucket of s3rver. That server ignores `If-None-Match: *`, so a proxy answers 412, as S3 is documented to. Without
 * the proxy the store must be refused.
 */
const { folder, remove } = workplace('s3');

interface S3rver {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;

const servers: Server[] = [];

/** @param answers412 true if it supports conditional writes */
async function bucketOn(name: string, answers412: boolean): Promise<void> {
  const buckets = [{ name }];
  const s3 = new S3rver({ directory: `${folder}/${name}`, silent: true, configureBuckets: buckets });
  await s3.configureBuckets();
  const answer = s3.callback();
  const there = new Set<string>();
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    if (answers412 && method === 'PUT' && request.headers['if-none-match'] === '*') {
      const path = url.replace(/\?.*/, '');
      if (there.has(path)) {
        response.writeHead(412, { 'content-type': 'application/xml' });
        response.end('<Error><Code>PreconditionFailed</Code><Message>It is there.</Message></Error>');
        return;
      }
      there.add(path);
    }
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

beforeAll(() => {
  for (const [name, value] of Object.entries({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }))
    vi.stubEnv(name, value);
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const server of servers) server.close();
  remove();
});

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a bucket', () => {
  it('is a store whose files are written once', async () => {
    await bucketOn('kept', true);
    const store = await openStore('--store', 's3://kept/some/where');
    expect(await store.add('a.json.gz', bytes('one'))).toBe(true);
    expect(await store.add('a.json.gz', bytes('two'))).toBe(false);
    expect(Buffer.from((await store.read('a.json.gz')) as Uint8Array).toString()).toBe('one');
    expect(await store.read('b.json.gz')).toBeUndefined();
    expect(await store.list('a')).toEqual(['a.json.gz']);
    const other = await openStore('--store', 's3://kept/else');
    expect(await other.list('a')).toEqual([]);
  });

  it('whose server writes over what is there is refused', async () => {
    await bucketOn('lost', false);
    await expect(openStore('--store', 's3://lost/some')).rejects.toMatchObject({
      code: 'store-unusable',
      message: expect.stringContaining('its server ignores If-None-Match'),
    });
  });

  it('that is not there is told', async () => {
    await expect(openStore('--store', 's3://none/some', false)).rejects.toMatchObject({
      code: 'store-unusable',
      message: expect.stringContaining('NoSuchBucket'),
    });
    await expect(openStore('--store', 's3://')).rejects.toMatchObject({ code: 'bad-place' });
  });
});
