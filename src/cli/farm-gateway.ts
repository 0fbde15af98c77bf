import { readFileSync } from 'node:fs';
import { EXIT } from '../base/errors.ts';
import { lookUp } from '../base/look-up.ts';
import { fileReason } from '../base/node/file-reason.ts';
import { Random } from '../base/random.ts';
import { type Flags, parseNumber, parseText } from '../config/flags.ts';
import { missingOption } from '../config/messages.ts';
import { runGateway } from '../farm/gateway/node/gateway.ts';
import { MARKS } from '../farm/gateway/planting.ts';
import { badPlace, notListening } from '../farm/messages.ts';
import { chosenCampaign, shownId } from '../farm/node/campaign-file.ts';
import { askedCampaign, openFarm } from './farm-options.ts';
import { type GatewayJudge, gatewayJudge } from './gateway-judge.ts';
import { say } from './say.ts';
import { signalled } from './signalled.ts';

const LISTEN = '127.0.0.1:8711';
const PLACE = /^(?<host>\[[0-9a-f:]+\]|[^:[\]]+):(?<port>\d{1,5})$/i;
/** Cases of each batch that are judged here as well, and that are known to fail; the percentage of batches that two strangers judge. */
const [SPOTS, PLANTED, AGAIN] = [1, 1, 3];

/**
 * Leases batches of a campaign to strangers over HTTP until it is done, or a signal comes.
 * @returns the exit code: inconclusive where something is left, or two workers disagree
 */
export async function runFarmGateway(flags: Flags): Promise<number> {
  const { host, port } = placeOf(flags);
  const tls = tlsOf(flags, `${host}:${port}`);
  const spots = numberOr(flags, 'spots', SPOTS, {
    least: 0,
    most: 512,
    whole: true,
    need: 'a whole number from 0 to 512',
  });
  const planted = numberOr(flags, 'planted', PLANTED, {
    least: 0,
    most: MARKS,
    whole: true,
    need: `a whole number from 0 to ${MARKS}`,
  });
  const again =
    numberOr(flags, 'again', AGAIN, {
      least: 0,
      most: 100,
      whole: false,
      need: 'a percentage from 0 to 100',
    }) / 100;
  const { store, queue, leaseSeconds } = await openFarm(flags, false);
  const stop = signalled();
  let here: GatewayJudge | undefined;
  try {
    const campaign = await chosenCampaign(store, askedCampaign(flags));
    if (!queue.isFed)
      await queue.offer(
        campaign.id,
        campaign.batches.map((batch) => batch.id),
      );
    here = gatewayJudge(flags, campaign, say);
    const { judge } = here;
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const { settled, disputed, doubtful, isWhole, banned } = await runGateway({
      ...{ store, queue, campaign, leaseSeconds, host, port, tls, spots, planted, again, judge, say },
      ...{ stopped: stop.signal, random: new Random([seed, 1, 2, 3]) },
      onListen: ({ url }) =>
        void process.stdout.write(
          `Campaign ${shownId(campaign.id)}: ${campaign.batches.length} batches for strangers at ${url}${tls === undefined ? ', by plain HTTP: this machine alone, or a proxy on it that ends TLS' : ''}.\n`,
        ),
    });
    const others = [
      ...(disputed === 0 ? [] : [`two workers disagree on ${disputed}`]),
      ...(doubtful === 0 ? [] : [`${doubtful} waited for a second worker`]),
      ...(banned.length === 0 ? [] : [`${banned.length} workers were found to lie`]),
    ].map((text) => `, ${text}`);
    process.stdout.write(`${settled} batches of strangers are in ${store.where}${others.join('')}.\n`);
    return isWhole && disputed === 0 ? EXIT.pass : EXIT.inconclusive;
  } finally {
    await here?.close();
    await queue.close();
    stop.release();
  }
}

/** @throws ParanoiaError `bad-place`, `missing-option` */
function placeOf({ listen }: Flags): { host: string; port: number } {
  const given = listen === undefined ? LISTEN : parseText('--listen', listen);
  const { host, port } = PLACE.exec(given)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535)
    throw badPlace({ option: '--listen', given, need: 'host:port, as 127.0.0.1:8711' });
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
}

/** @throws ParanoiaError `missing-option` of one without the other, `not-listening` of a file that cannot be read */
function tlsOf({ cert, key }: Flags, listen: string): { cert: string; key: string } | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw cert === undefined
      ? missingOption({ option: '--cert', need: 'the certificate of --key' })
      : missingOption({ option: '--key', need: 'the key of --cert' });
  const read = (option: string, given: unknown) => {
    const path = parseText(option, given);
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw notListening({ listen, why: `${path} cannot be read (${fileReason(error)})` }, error);
    }
  };
  return { cert: read('--cert', cert), key: read('--key', key) };
}

const numberOr = (
  flags: Flags,
  name: string,
  usual: number,
  range: Parameters<typeof parseNumber>[2],
): number => {
  const given = lookUp(flags, name);
  return given === undefined ? usual : parseNumber(`--${name}`, given, range);
};
