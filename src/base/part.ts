import { partMissing } from './messages.ts';

/**
 * Loads a part of this program that not every run needs. In a page it comes over the network, which may be gone by then.
 * @param what its purpose, as the end of "the part that …".
 * @throws ParanoiaError `part-missing`
 */
export async function loadPart<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw partMissing({ what, why: String((error as Error).message) }, error);
  }
}
