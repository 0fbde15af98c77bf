import { EXIT } from '../../base/errors.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import { defineStudy } from '../../study/define-study.ts';
import { studies } from '../../study/studies.ts';
import type { Study } from '../../study/study.ts';
import { runErrors } from './errors.ts';
import { errorTask, type StudyRequest, studyTask } from './options.ts';
import { runSpeeds, speedOptions } from './speeds.ts';

/** @returns the exit code: that of the part which came out worst. */
export async function runStudy(name: string, request: StudyRequest): Promise<number> {
  const { config, adapter, toggles, verbose } = request;
  const command = await optionsOf({ config, adapter, toggles, verbose });
  const own = (command.options.studies ?? []) as readonly Study[];
  const known = command.ofConfig('studies', () => studies.with(...own.map(defineStudy)));
  const study = known.find(name);
  const task = studyTask(study, request);
  const [errors, speeds] = (['errors', 'speeds'] as const).map((part) => task.parts.includes(part));
  const asked = study.errors && errorTask(study.errors, request);
  // What is wrong with the options of the second part is said before the first one takes hours.
  if (speeds) speedOptions(task, request, command.catalogue, false);
  const codes: number[] = [];
  if (errors && study.errors && asked) {
    const { code, stopped } = await runErrors(study, study.errors, { ...task, ...asked, request, command });
    codes.push(code);
    if (stopped) return code;
  }
  if (speeds && study.speeds) codes.push(await runSpeeds(study, study.speeds, { task, request, command }));
  return codes.includes(EXIT.fail) ? EXIT.fail : (codes.find((code) => code !== EXIT.pass) ?? EXIT.pass);
}
