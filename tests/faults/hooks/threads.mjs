import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { step } from './trigger.mjs';

/** Hooks starts of threads, and messages to them. */
export function hookThreads() {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(...args) {
      const how = step('thread', 'start');
      if (how === 'fails')
        throw Object.assign(new Error('Worker initialization failure: EAGAIN'), {
          code: 'ERR_WORKER_INIT_FAILED',
        });
      super(...args);
      if (how === 'dies') this.terminate();
    }

    postMessage(...args) {
      const how = step('thread', 'message');
      if (how === 'fails') throw new DOMException('Data cannot be cloned, out of memory.', 'DataCloneError');
      if (how === 'dies') this.terminate();
      super.postMessage(...args);
    }
  };
  syncBuiltinESMExports();
}
