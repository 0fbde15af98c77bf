import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { noCases } from '../fuzz/messages.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { builtinKernel } from '../kernels/builtin.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { type Case, parseCase } from '../problem/case.ts';
import { compileAheadOfCases } from './foresee.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const original = open.device.createComputePipelineAsync.bind(open.device);
const compiled = vi.spyOn(open.device, 'createComputePipelineAsync').mockImplementation(original);
beforeEach(() => {
  compiled.mockClear();
});

const kernel = builtinKernel('strassen:naive', open);
const caseOf = (size: number, rest = ''): Case =>
  parseCase(
    `kernel=strassen:naive;levels=1;fringe=pad;tail=mask;input=uniform;m=${size};k=4;n=8;seed=1${rest}`,
  );

test('pipelines of the cases to come are begun, once', () => {
  const cases = [caseOf(8), caseOf(12)];
  const asked = vi.fn(() => kernel);
  compileAheadOfCases(cases, open, asked);
  expect(asked.mock.calls).toEqual([[cases[0]]]);
  expect(compiled.mock.calls.length).toBeGreaterThan(1);
  const begun = compiled.mock.calls.length;
  compileAheadOfCases(cases, open, () => kernel);
  expect(compiled).toHaveBeenCalledTimes(begun);
});

test('cases with planted faults, of kernels that are not there yet or that refuse are left alone', () => {
  const executable = vi.fn(() => {
    throw noCases();
  });
  const refusing: Kernel = { ...kernel, executable };
  compileAheadOfCases([caseOf(16, ';fault=dropped-k-tail')], open, () => refusing);
  expect(executable).not.toHaveBeenCalled();
  const one = [caseOf(16)];
  compileAheadOfCases(one, open, () => undefined);
  compileAheadOfCases(one, open, () => refusing);
  compileAheadOfCases(one, open, () => refusing);
  expect(executable).toHaveBeenCalledTimes(1);
  expect(compiled).not.toHaveBeenCalled();
});
