import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { say } from '../../src/base/node/say.ts';
import type { GroupAnswers } from './ask.ts';
import type { SpecimenGroup } from './groups.ts';

/** A part of the cases of a group, for one process. */
export interface KillsTask {
  readonly group: SpecimenGroup;
  readonly part: number;
  readonly parts: number;
}

/** The time limit of a task in seconds. */
const LIMIT = 1500;

/**
 * Answers tasks in several processes, in their order. A task whose process crashes, hangs or throws is left out with a sentence.
 * @param told receives each answer
 */
export async function answerInJobs(
  tasks: readonly KillsTask[],
  { jobs, stop }: { readonly jobs: number; readonly stop: () => boolean },
  told: (task: KillsTask, answers: GroupAnswers) => void,
): Promise<void> {
  const left = tasks.values();
  const answering = async () => {
    let child: ChildProcess | undefined;
    for (let next = left.next(); next.done !== true && !stop(); next = left.next()) {
      child ??= await started();
      const said = await answerOf(child, next.value);
      if ('lost' in said) {
        const { spec, specimens } = next.value.group;
        say(
          `Part ${next.value.part} of ${specimens[0].name} and others (${spec.precision ?? 'f32'}) failed: ${said.lost}`,
        );
        if (!said.isAlive) child = undefined;
      } else told(next.value, said);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, answering));
}

interface Lost {
  readonly lost: string;
  readonly isAlive: boolean;
}

function answerOf(child: ChildProcess, task: KillsTask): Promise<GroupAnswers | Lost> {
  return new Promise((resolve) => {
    const settle = (said: GroupAnswers | Lost) => {
      clearTimeout(clock);
      child.removeAllListeners();
      resolve(said);
    };
    const clock = setTimeout(() => {
      settle({ lost: `it did not finish within ${LIMIT} s`, isAlive: false });
      child.kill('SIGKILL');
    }, LIMIT * 1000);
    child.once('exit', (code, signal) =>
      settle({ lost: `its process ended with ${signal ?? code}`, isAlive: false }),
    );
    child.once('message', (said: GroupAnswers | { readonly error: string }) =>
      settle('error' in said ? { lost: said.error, isAlive: true } : said),
    );
    child.send(task);
  });
}

/** Starts a process that is ready for tasks. */
function started(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('job.ts', import.meta.url));
  const child = fork(script, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--import', 'jiti/register'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', () => {
      child.removeAllListeners();
      resolve(child);
    });
    child.once('exit', (code) => reject(new Error(`A process failed to start (exit code ${code}).`)));
  });
}
