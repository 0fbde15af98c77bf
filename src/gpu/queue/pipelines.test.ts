import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openNodeDevice } from '../node/open.ts';
import {
  compileAhead,
  compileTogether,
  pipelineOf,
  preparePipelines,
  type ShaderRequest,
} from './pipelines.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const original = open.device.createComputePipelineAsync.bind(open.device);
const compiled = vi.spyOn(open.device, 'createComputePipelineAsync').mockImplementation(original);
beforeEach(() => {
  compiled.mockClear();
});

let texts = 0;
/** Returns a shader that the device has never seen. */
const fresh = (body = ''): ShaderRequest => ({
  label: 'step 1 of 1',
  shader: `var<private> number: u32 = ${texts++}u;
@compute @workgroup_size(1) fn main() { number++; ${body} }`,
});

test('what was begun ahead is waited for and not compiled again', async () => {
  const [one, two] = [fresh(), fresh()];
  expect(compileAhead(open, [one, two, one])).toBe(2);
  expect(compileAhead(open, [two])).toBe(2);
  const pipelines = await preparePipelines(open, [one], 'some');
  await compileTogether(open, [one, two]);
  expect([one, two].every((needed) => pipelines(needed) !== undefined)).toBe(true);
  expect(compiled).toHaveBeenCalledTimes(2);
  expect(compileAhead(open, [one, two])).toBe(0);
});

test('what does not compile ahead says so to who needs it, and to nobody else', async () => {
  const [good, bad] = [fresh(), fresh('x = 1;')];
  compileAhead(open, [bad, good]);
  expect((await preparePipelines(open, [good], 'some'))(good)).toBeDefined();
  await expect(preparePipelines(open, [bad], 'some')).rejects.toMatchObject({ code: 'bad-shader' });
});

test('who else needs a shader finds its pipeline; with other constants it is another', async () => {
  const { shader } = fresh();
  const running = { kernel: 'some', step: 'its step' };
  const made = await pipelineOf(open, shader, running);
  const needed = { shader, label: 'another' };
  expect((await preparePipelines(open, [needed], 'other'))(needed)).toBe(made);
  const entry = { entryPoint: 'main', constants: {} };
  const own = await pipelineOf(open, shader, running, entry);
  expect(own).not.toBe(made);
  expect(await pipelineOf(open, shader, running, { ...entry })).toBe(own);
  expect(compiled).toHaveBeenCalledTimes(2);
});
