import type { OpenDevice } from '../gpu/device.ts';
import type { ProbeAnswer } from '../gpu/probe/answer.ts';

/** What adapters answered, by all that decides their results. */
const answers = new Map<string, readonly ProbeAnswer[]>();

/**
 * What a device answers to the probe, as every other of its adapter does: a process that judges again and again asks once.
 * @throws ParanoiaError device-lost, or what else the device reports.
 */
export async function probed(open: OpenDevice): Promise<ProbeAnswer[]> {
  const { id } = open.fingerprint;
  const known = open.probe ?? answers.get(id);
  if (known !== undefined) return [...known];
  // Its questions are many, and only devices are asked them.
  const { probeDevice } = await import('../gpu/probe/probe.ts');
  const found = await probeDevice(open);
  answers.set(id, found);
  return found;
}
