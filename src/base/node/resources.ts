import { ParanoiaError } from '../errors.ts';
import { tooFewResources } from '../messages.ts';
import { fileReason } from './file-reason.ts';

/** What an operating system says that gives no more: files, processes, memory. */
const SHORT: readonly string[] = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];

/** The problem that this machine gives no more, if an error or what caused it says so: it is nobody's claim that fails. */
export function shortOfResources(error: unknown): ParanoiaError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code = '' } = one as NodeJS.ErrnoException;
    if (!(one instanceof ParanoiaError) && SHORT.includes(code))
      return tooFewResources({ code, why: fileReason(one) }, error);
  }
  return undefined;
}
