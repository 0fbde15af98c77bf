import { thisRuntime } from '../../config/this-runtime.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { openOwnDevice } from '../../gpu/open-own.ts';
import { catalogueOf } from '../../kernels/catalogue.ts';
import { openHere } from '../../kernels/open-here.ts';
import { parseCase } from '../../problem/case.ts';
import { noBaselines } from '../../run/baselines.ts';
import { judgesOn } from '../../run/judge.ts';
import { openMachine } from '../../run/open-machine.ts';
import { runGate } from '../../run/run-gate.ts';
import { asJson } from './canonical.ts';
import { marked } from './marks.ts';
import type { Found } from './protocol.ts';
import type { GatewayJudge } from './work-for.ts';

/** A judge in this runtime, which needs nothing of Node: a page, a worker of one, Deno. */
export interface OwnJudge extends GatewayJudge {
  close(): Promise<void>;
}

/**
 * Judges batches in this runtime.
 * @param kernels one of ours at least, for which a device is opened.
 * @param openDevice opens it. @defaultValue that of `navigator.gpu`
 * @throws ParanoiaError `no-adapter`
 */
export async function ownJudge(
  openDevice: () => Promise<OpenDevice> = openOwnDevice,
  kernels: readonly string[] = ['classical:naive'],
): Promise<OwnJudge> {
  const opened = await openMachine(kernels, {
    ...{ catalogue: catalogueOf([]), openDevice, processor: thisRuntime, sessionOf: openHere },
  });
  const judges = judgesOn(opened, {});
  let open = opened.machine;
  const { fingerprint, arithmetic, chosenBecause } = open;
  const adapter = { ...fingerprint, chosenBecause };
  return {
    machine: asJson({ adapter, arithmetic }) as GatewayJudge['machine'],
    async judge({ cases, thresholds, marks, budget }, signal) {
      const start = performance.now();
      const results: CaseResult[] = [];
      const planned = cases.map(({ case: text, after = [], series = false, detailed = false }) => ({
        ...parseCase(text),
        ...{ after: after.map((other) => parseCase(other)), series, detailed },
      }));
      const outcome = await runGate(planned, {
        ...{ ...judges.options, open, thresholds, baselines: noBaselines(fingerprint.id) },
        ...{ budget, stop: () => signal.aborted },
        kernelOf: marked(judges.options.kernelOf, { marks: new Set(marks) }),
        onCase: (result) => void results.push(result),
      });
      open = outcome.open;
      if (outcome.summary.interrupted) return undefined;
      const judged = new Map(results.map((result) => [result.case, result]));
      const texts = cases.map(({ case: text }) => text);
      const found = {
        ...{ seconds: (performance.now() - start) / 1000, said: judges.said.splice(0) },
        ...{ versions: await opened.versions(), cases: texts.flatMap((text) => judged.get(text) ?? []) },
        leftOut: texts.filter((text) => !judged.has(text)),
      };
      return asJson(found) as Found;
    },
    close: () => judges.close(),
  };
}
