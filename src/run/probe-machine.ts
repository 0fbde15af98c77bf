import type { OpenDevice } from '../gpu/device.ts';
import type { ProbeAnswer } from '../gpu/probe/question.ts';

/** Answers of adapters, by everything that decides their results. */
const answers = new Map<string, readonly ProbeAnswer[]>();

/**
 * Returns a device's answers to the probe, which are the same for each device of its adapter. A process that judges repeatedly asks once.
 * @throws ParanoiaError `device-lost`, or another error that the device reports.
 */
export async function probeMachine(open: OpenDevice): Promise<ProbeAnswer[]> {
  const { id } = open.fingerprint;
  const known = open.probe ?? answers.get(id);
  if (known !== undefined) return [...known];
  // It has many questions, which only devices answer.
  const { probeDevice } = await import('../gpu/probe/probe.ts');
  const found = await probeDevice(open);
  answers.set(id, found);
  return found;
}
