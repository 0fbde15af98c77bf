import { byDistance } from '../../base/nearest.ts';
import { noKernelIn } from '../messages.ts';
import type { FileOrigin } from './file-origin.ts';

/** The most names that a message lists. */
const MOST = 8;

/**
 * Chooses a kernel of a file: the one that is named, else the one of the usual name, else the only one.
 * @param known the names of all kernels in the file.
 * @param what their kind, for messages: "exported function".
 * @throws ParanoiaError `no-kernel-in`, which lists the known names
 */
export function chooseKernel(
  { file, symbol }: Pick<FileOrigin, 'file' | 'symbol'>,
  known: readonly string[],
  { what, usual }: { readonly what: string; readonly usual: string },
): string {
  const wanted = symbol ?? (known.length === 1 ? known[0] : usual);
  if (known.includes(wanted)) return wanted;
  if (known.length === 0) throw noKernelIn({ file, why: `has no ${what}` });
  const near = byDistance(wanted, known).slice(0, MOST);
  const list = `${near.join(', ')}${known.length > MOST ? ', …' : ''}`;
  throw noKernelIn({
    file,
    why:
      symbol === undefined
        ? `has several kernels: ${list}. Name one, as in ${file}#${near[0]}`
        : `has no ${what} "${symbol}". It has ${list}`,
  });
}
