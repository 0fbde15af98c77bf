import { EXIT } from '../base/errors.ts';
import { oneLine } from '../base/printable.ts';
import type { Flags } from '../config/flags.ts';
import { deviceOf } from '../config/flags.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { probeDevice } from '../gpu/probe/probe.ts';
import { probeTable } from '../pages/sections/device.ts';
import { printTables } from './print-tables.ts';

/** @returns the exit code. */
export async function runProbe(flags: Flags): Promise<number> {
  const open = await openNodeDevice(deviceOf(flags));
  const answers = await probeDevice(open);
  open.close();
  const { fingerprint, arithmetic } = open;
  if (flags.json === true)
    console.log(JSON.stringify({ adapter: fingerprint, arithmetic, answers }, undefined, 2));
  else {
    console.log(`${oneLine(fingerprint.name)} (${fingerprint.kind}, ${oneLine(fingerprint.driver)})\n`);
    printTables(probeTable(answers));
  }
  return answers.some(({ standing }) => standing === 'broken') ? EXIT.fail : EXIT.pass;
}
