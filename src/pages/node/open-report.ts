import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { fileReason } from '../../base/node/file-reason.ts';
import { reportUnopened } from '../messages.ts';

/** What opens a file as a user's click does, by platform; what is none of these has the freedesktop one. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer'],
};
const ELSEWHERE = ['xdg-open'] as const;

/** {@link openInBrowser} of a file, by its whole path. */
export const openReport = (
  path: string,
  say: (sentence: string) => void,
  command?: readonly [string, ...string[]],
): Promise<void> => openInBrowser(path, say, command, resolve(path));

/** Opens an address in whatever shows it, and does not wait for that; where that fails, a sentence says so and nothing else changes. */
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
