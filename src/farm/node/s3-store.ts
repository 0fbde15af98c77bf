import type { S3Client } from '@aws-sdk/client-s3';
import { toOneLine } from '../../base/printable.ts';
import { findPeer } from '../../kernels/clients/node/peer.ts';
import { badPlace, storeUnusable, storeUnwritable } from '../messages.ts';
import type { Store } from '../queue.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

const PLACE = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]+)(?:\/(?<prefix>.*))?$/;
/** HTTP status codes of S3: a file to be created exists, two writes collided, a file is absent. */
const [EXISTS, CONFLICT, ABSENT] = [412, 409, 404];
/** The name and the contents of a file that is written twice, to test conditional writes. */
const [PROBE, EMPTY] = ['written-once', new Uint8Array()];
/** The most attempts at a write that collides with another. */
const TRIES = 5;

/**
 * Opens a store in a bucket of S3, or of a compatible server. Region, endpoint and keys come from the environment, as for all AWS
 * clients (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`, …). Files are put with `If-None-Match: *`; this is tested first, since some
 * servers do not support it.
 * @param isWritten true if it will be written to
 * @throws ParanoiaError `bad-place`, `peer-missing`, `store-unusable`
 */
export async function s3Store(option: string, given: string, isWritten: boolean): Promise<Store> {
  const { bucket: Bucket, prefix = '' } = PLACE.exec(given)?.groups ?? {};
  if (Bucket === undefined) throw badPlace({ option, given, need: 's3://bucket/prefix' });
  const peer = { name: '@aws-sdk/client-s3', version: '3' };
  const sdk = findPeer(`${option} ${given}`, peer).load() as Sdk;
  // Self-hosted servers rarely have a host name for each bucket.
  const forcePathStyle =
    process.env.AWS_ENDPOINT_URL_S3 !== undefined || process.env.AWS_ENDPOINT_URL !== undefined;
  const folder = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
  const client = new sdk.S3Client({ forcePathStyle });
  const store = storeIn(client, sdk, { Bucket, folder, where: given });
  if (!isWritten) await store.list('');
  else if ((await store.add(PROBE, EMPTY)) && (await store.add(PROBE, EMPTY)))
    throw storeUnusable({
      store: given,
      why: 'its server ignores If-None-Match, which the store needs to write each file once',
    });
  return store;
}

function storeIn(
  client: S3Client,
  { GetObjectCommand, ListObjectsV2Command, PutObjectCommand }: Sdk,
  { Bucket, folder, where }: { readonly Bucket: string; readonly folder: string; readonly where: string },
): Store {
  const unusable = (error: unknown) => storeUnusable({ store: where, why: whyNot(error) }, error);
  return {
    where,
    async read(name) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: folder + name }));
        return await Body?.transformToByteArray();
      } catch (error) {
        if (statusOf(error) === ABSENT && (error as Error).name !== 'NoSuchBucket') return undefined;
        throw unusable(error);
      }
    },
    async add(name, Body) {
      for (let tries = 1; ; tries++) {
        try {
          await client.send(new PutObjectCommand({ Bucket, Key: folder + name, Body, IfNoneMatch: '*' }));
          return true;
        } catch (error) {
          const status = statusOf(error);
          if (status === EXISTS) return false;
          if (status !== CONFLICT || tries === TRIES)
            throw storeUnwritable({ store: where, why: whyNot(error) }, error);
        }
      }
    },
    async list(prefix) {
      const names: string[] = [];
      let ContinuationToken: string | undefined;
      try {
        do {
          const found = await client.send(
            new ListObjectsV2Command({
              ...{ Bucket, Prefix: folder + prefix },
              ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
            }),
          );
          names.push(...(found.Contents ?? []).map(({ Key = '' }) => Key.slice(folder.length)));
          ContinuationToken = found.IsTruncated === true ? found.NextContinuationToken : undefined;
        } while (ContinuationToken !== undefined);
      } catch (error) {
        throw unusable(error);
      }
      return names.sort();
    },
  };
}

const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** The most characters shown of a server's error. */
const LONGEST = 160;

function whyNot(error: unknown): string {
  const { name, message, code } = error as Error & { readonly code?: string };
  return toOneLine(`${name}${code === undefined ? '' : ` ${code}`}: ${message}`, LONGEST).replace(/\.$/, '');
}
