import { EXIT } from '../base/errors.ts';
import { deviceOf, type Flags, parseText } from '../config/flags.ts';
import { ownJudge } from '../farm/gateway/own-judge.ts';
import { workFor } from '../farm/gateway/work-for.ts';
import { badPlace } from '../farm/messages.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { say } from './say.ts';
import { signalled } from './signalled.ts';

/** Judges batches that a gateway leases, until it has none or a signal comes. @returns the exit code */
export async function runWorkForGateway(flags: Flags): Promise<number> {
  const given = parseText('--gateway', flags.gateway);
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw badPlace({ option: '--gateway', given, need: 'https://host' });
  const stop = signalled();
  const judge = await ownJudge(() => openNodeDevice(deviceOf(flags)));
  try {
    const done = await workFor(given, { judge, signal: stop.signal, say });
    process.stdout.write(`The gateway has taken ${done} batches of this worker.\n`);
    return stop.signal.aborted ? EXIT.inconclusive : EXIT.pass;
  } finally {
    await judge.close();
    stop.release();
  }
}
