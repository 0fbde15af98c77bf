import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileReason } from '../../base/node/read-file.ts';
import { reportUnopened } from '../messages.ts';

/** Commands that open a file as a user's click does, by platform. Other platforms have the freedesktop command. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer'],
};
const ELSEWHERE = ['xdg-open'] as const;

/** Opens a report by its absolute path: {@link openInBrowser}. */
export const openReport = (
  path: string,
  say: (sentence: string) => void,
  command?: readonly [string, ...string[]],
): Promise<void> => openInBrowser(path, say, command, resolve(path));

/** Opens an address in its default program without waiting. A failure is reported in a sentence and has no other effect. */
export async function openInBrowser(
  path: string,
  say: (sentence: string) => void,
  [command, ...args]: readonly [string, ...string[]] = OPENERS[process.platform] ?? ELSEWHERE,
  address = path,
): Promise<void> {
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  const why = await new Promise<string | undefined>((done) => {
    child.once('spawn', () => done(undefined));
    child.once('error', (error) => done(`${command}: ${fileReason(error)}`));
  });
  if (why === undefined) child.unref();
  else say(reportUnopened({ path, why }).message);
}
