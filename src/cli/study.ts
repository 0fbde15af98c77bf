import { EXIT } from '../base/errors.ts';
import type { Flags } from '../config/flags.ts';
import { optionsOf } from '../config/node/options-of.ts';
import { defineStudy } from '../study/define-study.ts';
import { studies } from '../study/studies.ts';
import type { Study } from '../study/study.ts';
import { trialOptions } from './bench-options.ts';
import { runErrors } from './study-errors.ts';
import { errorRequest, studyRequest } from './study-options.ts';
import { runSpeeds, speedOptions } from './study-speeds.ts';

/** @returns the exit code: that of the part which came out worst. */
export async function runStudy(name: string, flags: Flags): Promise<number> {
  const { config, adapter, toggle, verbose } = flags;
  const command = await optionsOf({ config, adapter, toggle, verbose });
  const own = (command.options.studies ?? []) as readonly Study[];
  const known = command.ofConfig('studies', () => studies.with(own.map(defineStudy)));
  const study = known.find(name);
  const request = studyRequest(study, flags);
  const [errors, speeds] = (['errors', 'speeds'] as const).map((part) => request.parts.includes(part));
  const asked = study.errors && errorRequest(study.errors, flags);
  // What is wrong with the options of the second part is said before the first one takes hours.
  if (speeds) {
    trialOptions(flags);
    speedOptions(request, flags, command.catalogue, false);
  }
  const codes: number[] = [];
  if (errors && study.errors && asked) {
    const { code, stopped } = await runErrors(study, study.errors, { ...request, ...asked, flags, command });
    codes.push(code);
    if (stopped) return code;
  }
  if (speeds && study.speeds) codes.push(await runSpeeds(study, study.speeds, { request, flags, command }));
  return codes.includes(EXIT.fail) ? EXIT.fail : (codes.find((code) => code !== EXIT.pass) ?? EXIT.pass);
}
