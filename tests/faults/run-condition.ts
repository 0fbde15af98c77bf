import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Condition } from './conditions.ts';
import { resultsIn } from './outputs.ts';
import { leftBehind } from './run-once.ts';
import { KERNELS } from './scenarios.ts';
import type { Found } from './table.ts';
import { filesIn, openWorkspace } from './workspace.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** The time limit of a script in seconds; its command takes less than four. */
const LIMIT = 90;

/** Enough cases for an event to happen while they are judged. */
const CASES = Array.from(
  { length: 12 },
  (_, at) => `--case 'kernel=k.mjs#f;input=uniform;m=16;k=16;n=16;seed=${at + 1}'`,
);

/** The name of a condition among faults, by which it can be run again. */
export const conditionId = (name: string): string => `gate/condition/${name}`;

/** Runs a gate under a condition of the operating system, and checks the outcome that the condition expects. */
export async function runCondition({ name, script, codes, says, keeps = false }: Condition): Promise<Found> {
  const workspace = openWorkspace();
  const { root, cwd, env } = workspace;
  const mark = join(root, 'steps');
  try {
    writeFileSync(join(cwd, 'k.mjs'), KERNELS);
    const command = `"${process.execPath}" "${MAIN}" gate k.mjs#f ${CASES.join(' ')} --reporter json,dots --out out "$@"`;
    const text = `run() { ${command}; }\nstart() { exec ${command}; }\n${script}\nexit $code\n`;
    const child = spawn('bash', ['-c', text], {
      ...{ cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
      env: { ...env, PARANOIA_FAULT: JSON.stringify({ log: mark, kinds: [] }) },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part) => {
        said += part;
      });
    let hung = false;
    const late = setTimeout(() => {
      hung = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, 1000 * LIMIT);
    const closed = new Promise((resolve) => child.on('close', resolve));
    const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
    clearTimeout(late);
    const left = await leftBehind(mark);
    await closed;
    const wrong = [
      ...(hung ? ['ends: it hangs'] : []),
      ...(left.length > 0 ? [`leaves no process: still running: ${left.join('; ')}`] : []),
      ...(code !== null && codes.includes(code)
        ? []
        : [`documented exit code: ${code}, not ${codes.join(' or ')}`]),
      ...(/^ {2,}at |node:internal|itself went wrong/m.test(said)
        ? ['one sentence: a stack or a fault of this program']
        : []),
      ...(says === undefined || says.test(said) ? [] : [`says why: it does not say ${says.source}`]),
      ...(keeps && !isKept(root) ? ['nothing finished is lost: there are no results'] : []),
      ...[...filesIn(root).keys()]
        .filter((path) => path.endsWith('.tmp'))
        .map((path) => `leaves no temporary file: ${path}`),
    ];
    return {
      id: conditionId(name),
      step: name,
      code,
      signal: null,
      wrong,
      strays: [],
      tail: said.trim().split('\n').slice(-4),
    };
  } finally {
    workspace.remove();
  }
}

/** True if all results are in their intended place, or in the temporary directory. */
function isKept(root: string): boolean {
  const temporary = readdirSync(join(root, 'tmp')).map((name) => join(root, 'tmp', name, 'results.json'));
  return [join(root, 'cwd/out/results.json'), ...temporary].some((path) => {
    try {
      return (resultsIn(readFileSync(path))?.cases.length ?? 0) > 0;
    } catch {
      return false;
    }
  });
}
