import type { Worker } from 'node:worker_threads';

/** Sends a message to a worker and waits for its answer, or for its end. The worker keeps the process alive only meanwhile. */
export function askWorker<T>(worker: Worker, message: unknown): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAnswer = (answer: T) => settle(() => resolve(answer));
    const onError = (error: unknown) => settle(() => reject(error));
    const onExit = (code: number) => settle(() => reject(new Error(`it ended with exit code ${code}`)));
    const settle = (finish: () => void) => {
      worker.off('message', onAnswer).off('error', onError).off('messageerror', onError).off('exit', onExit);
      worker.unref();
      finish();
    };
    worker.on('message', onAnswer).on('error', onError).on('messageerror', onError).on('exit', onExit);
    worker.ref();
    worker.postMessage(message);
  });
}
