import { EXIT } from '../../base/errors.ts';
import { toOneLine } from '../../base/printable.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { probeDevice } from '../../gpu/probe/probe.ts';
import { probeTable } from '../../pages/sections/device.ts';
import { printTables } from '../print-tables.ts';

interface ProbeRequest {
  readonly adapter?: string | undefined;
  readonly toggles?: readonly string[] | undefined;
  readonly json?: true | undefined;
}

/** Probes a device's arithmetic. @returns the exit code */
export async function runProbe({ adapter, toggles, json }: ProbeRequest): Promise<number> {
  const open = await openNodeDevice({ adapter, toggles });
  const answers = await probeDevice(open);
  open.close();
  const { fingerprint, arithmetic } = open;
  if (json === true) console.log(JSON.stringify({ adapter: fingerprint, arithmetic, answers }, undefined, 2));
  else {
    console.log(`${toOneLine(fingerprint.name)} (${fingerprint.kind}, ${toOneLine(fingerprint.driver)})\n`);
    printTables(probeTable(answers));
  }
  return answers.some(({ standing }) => standing === 'broken') ? EXIT.fail : EXIT.pass;
}
