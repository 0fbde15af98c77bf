import type { Problem } from '../../problems.ts';

/**
 * Waits for work, but not for ever: by the clock, since waiting for Dawn keeps this thread busy. The work itself goes on: neither a promise nor a shader can be stopped from here.
 * @throws What the work throws, or the problem of its not ending in so many seconds.
 */
export async function within<T>(seconds: number, work: Promise<T>, hanging: () => Problem): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(hanging()), 1000 * seconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
