import { globals } from 'webgpu';
import { step } from './trigger.mjs';

/** A size beyond any device: its error scope reports it as out of memory. */
const TOO_LARGE = 2 ** 52;

/** The error of each call of the device, as Dawn would raise it. Calls without an error only lose the device. */
const CALLS = {
  GPUAdapter: { requestDevice: () => Promise.reject(named('OperationError', 'no device can be made')) },
  GPUDevice: {
    createBuffer(call, [descriptor]) {
      if (descriptor.mappedAtCreation) throw new RangeError('createBuffer failed, size is too large');
      return call({ ...descriptor, size: TOO_LARGE });
    },
    createShaderModule: (call, [descriptor]) => call({ ...descriptor, code: 'no shader' }),
    createComputePipelineAsync: () => Promise.reject(named('GPUPipelineError', 'no pipeline was made')),
    popErrorScope: () => Promise.resolve(named('GPUOutOfMemoryError', 'out of memory')),
    createCommandEncoder: undefined,
    createBindGroup: undefined,
  },
  GPUBuffer: {
    mapAsync: () => Promise.reject(named('OperationError', 'the buffer was not mapped')),
    getMappedRange() {
      throw named('OperationError', 'no range is mapped');
    },
  },
  GPUQueue: { submit: undefined, writeBuffer: undefined, onSubmittedWorkDone: undefined },
};

function named(name, message) {
  return Object.assign(new Error(message), { name });
}

/** Hooks the calls of the device; `lost` loses the device before one of them. */
export function hookGpu() {
  let device;
  const { requestDevice } = globals.GPUAdapter.prototype;
  globals.GPUAdapter.prototype.requestDevice = async function hooked(...args) {
    device = await requestDevice.apply(this, args);
    return device;
  };
  for (const [type, calls] of Object.entries(CALLS)) {
    const { prototype } = globals[type];
    for (const [name, fail] of Object.entries(calls)) {
      const call = prototype[name];
      prototype[name] = function hooked(...args) {
        const how = step('gpu', `${type}.${name}${fail === undefined ? ', which cannot fail' : ''}`);
        if (how === 'fails') return fail((...others) => call.apply(this, others), args);
        if (how === 'lost') device?.destroy();
        return call.apply(this, args);
      };
    }
  }
}
