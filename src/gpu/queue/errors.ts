import { ParanoiaError } from '../../base/errors.ts';
import type { OpenDevice } from '../device.ts';
import { badShader, deviceLost, gpuError, outOfGpuMemory } from '../messages.ts';
import type { GpuBuffer, GpuShaderModule } from '../web-gpu.ts';

/** The work in progress on the device, as error messages name it. */
export interface CurrentWork {
  /** The kernel under test, or the check that needs the device. */
  readonly kernel: string;
  readonly step: string;
}

/** The part of an open device through which errors are observed. */
export type ErrorSource = Pick<OpenDevice, 'device' | 'lostReason'>;

const SCOPES = ['validation', 'out-of-memory', 'internal'] as const;
type Scope = (typeof SCOPES)[number];

/**
 * Runs work on the device, and turns errors that the device reports into errors that name the kernel and the step. The device has one stack
 * of error scopes, so calls must not overlap.
 * @throws ParanoiaError device-lost, out-of-gpu-memory or gpu-error; errors of `work` itself pass through.
 */
export async function withScopes<T>(
  open: ErrorSource,
  running: CurrentWork,
  work: () => T | Promise<T>,
): Promise<T> {
  const { outcome, reported } = await observe(open.device, work);
  // A destroyed device accepts every call and does nothing, so its return values are no results.
  const thrown: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
  await throwIfLost(open, running, thrown);
  if (thrown instanceof ParanoiaError) throw thrown;
  for (const scope of ['out-of-memory', 'validation', 'internal'] as const) {
    const error = reported.get(scope);
    if (error !== undefined) throw deviceProblem(scope, running, error);
  }
  if (outcome.status === 'fulfilled') return outcome.value;
  throw isDeviceError(thrown) ? deviceProblem('internal', running, thrown) : thrown;
}

/**
 * Compiles WGSL.
 * @throws ParanoiaError bad-shader with the line and column of the first error, or as {@link withScopes}.
 */
export async function compileShader(
  open: ErrorSource,
  code: string,
  running: CurrentWork,
): Promise<GpuShaderModule> {
  return withScopes(open, running, async () => {
    const module = open.device.createShaderModule({ code, label: `${running.kernel}: ${running.step}` });
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter(({ type }) => type === 'error');
    const [first] = errors;
    if (first === undefined) return module;
    throw badShader({
      ...running,
      line: first.lineNum,
      column: first.linePos,
      source: code.split('\n')[first.lineNum - 1] ?? '',
      why: first.message,
      more: errors.length - 1,
    });
  });
}

/**
 * Maps a buffer and returns a copy of its contents; the buffer is unmapped again.
 * @throws ParanoiaError gpu-error if the buffer cannot be mapped, or as {@link withScopes}.
 */
export async function readMapped(
  open: ErrorSource,
  buffer: GpuBuffer,
  running: CurrentWork,
): Promise<ArrayBuffer> {
  return useMapped(open, buffer, running, (contents) => contents.slice(0));
}

/**
 * Maps a buffer and returns the callback's result on its contents; the buffer is unmapped again, and its contents are then invalid.
 * @throws ParanoiaError gpu-error if the buffer cannot be mapped, or as {@link withScopes}.
 */
export async function useMapped<T>(
  open: ErrorSource,
  buffer: GpuBuffer,
  running: CurrentWork,
  use: (contents: ArrayBuffer) => T,
): Promise<T> {
  return withScopes(open, running, async () => {
    await buffer.mapAsync(GPUMapMode.READ);
    const made = use(buffer.getMappedRange());
    buffer.unmap();
    return made;
  });
}

async function observe<T>(
  device: GPUDevice,
  work: () => T | Promise<T>,
): Promise<{ outcome: PromiseSettledResult<T>; reported: Map<Scope, GPUError> }> {
  for (const scope of SCOPES) device.pushErrorScope(scope);
  const [outcome] = await Promise.allSettled([(async () => work())()]);
  const reported = new Map<Scope, GPUError>();
  // All scopes are popped at once: each answer takes a turn of the event loop.
  const answers = SCOPES.toReversed().map(async (scope) => {
    // A lost device may refuse to answer; the loss is reported then.
    const error = await device.popErrorScope().catch(() => null);
    if (error !== null) reported.set(scope, error);
  });
  await Promise.all(answers);
  return { outcome, reported };
}

/** The longest delay, in milliseconds, between calls that a loss aborted and the news of the loss. */
const LOSS_TRAILS = 100;

async function throwIfLost(open: ErrorSource, running: CurrentWork, thrown: unknown): Promise<void> {
  if (isNamed(thrown, 'AbortError')) {
    const tooLate = new Promise((resolve) => setTimeout(resolve, LOSS_TRAILS));
    await Promise.race([open.device.lost, tooLate]);
  }
  const why = open.lostReason();
  if (why === undefined) return;
  throw deviceLost({ ...running, why }, thrown);
}

function deviceProblem(scope: Scope, running: CurrentWork, error: unknown): ParanoiaError {
  const why = essence(error);
  if (scope === 'out-of-memory') return outOfGpuMemory({ ...running, why }, error);
  return gpuError({ ...running, why }, error);
}

const DEVICE_ERRORS = ['GPUPipelineError', 'OperationError', 'AbortError'];

function isDeviceError(error: unknown): boolean {
  return DEVICE_ERRORS.some((name) => isNamed(error, name));
}

function isNamed(error: unknown, name: string): boolean {
  return (error as Error | undefined)?.name === name;
}

// Dawn appends its call stack and its own source lines; the cause keeps the whole text.
function essence(error: unknown): string {
  const { message, name } = error as Error;
  const lines = (message || name).split('\n');
  const end = lines.findIndex((line) => /^\s*(- While|at )/.test(line));
  return lines
    .slice(0, end < 0 ? undefined : Math.max(end, 1))
    .join('\n')
    .trim();
}
