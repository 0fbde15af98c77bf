import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inShort, itWhole } from '../../src/base/in-short.testing.ts';
import { openInHost } from '../../src/kernels/host/node/open-in-host.ts';
import type { KernelSession } from '../../src/kernels/kernel.ts';
import { productFrom } from '../../src/kernels/tampered.testing.ts';
import { sandboxBackends } from '../../src/sandbox/node/backends.ts';
import { openSandbox } from '../../src/sandbox/node/open-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/node/sandbox.ts';
import { lackOf, lacks } from '../support/needs.ts';

/**
 * Kernels that attack the judge, in every lane that works on this system. Each computes a product of one row correctly, and
 * attacks at any other. A successful attack throws, so that the test sees it. The next product of one row must pass.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = pathToFileURL(join(root, 'dist/kernels/function-kernel.js')).href;
const koffi = pathToFileURL(join(root, 'node_modules/koffi/index.js')).href;

/** Folders of the kernels, of files that they must not reach, and of temporary folders. */
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const kernels = join(folder, 'kernels');
const secrets = join(folder, '.ssh');
const temporary = join(folder, 'tmp');
for (const path of [kernels, secrets, temporary]) mkdirSync(path);
const secret = join(secrets, 'id_x');
writeFileSync(secret, 'the key', { mode: 0o600 });

/** A mark in the command line of a process, by which it is found. */
const mark = String(7e8 + process.pid);

/** These attacks need a system with a sandbox. */
const isLinux = process.platform === 'linux';

const servers = [join(folder, 'docker.sock'), { port: 0, host: '127.0.0.1' }].map((where) => {
  const server = createServer((socket) => socket.end('reached'));
  if (isLinux) server.listen(where as string);
  return server;
});
beforeAll(
  () => isLinux && Promise.all(servers.map((server) => server.listening || once(server, 'listening'))),
);
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
const pythonFile =
  python && execFileSync(python, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const pythonPrefix =
  pythonFile &&
  execFileSync(pythonFile, ['-c', 'import sys; print(sys.base_prefix)'], { encoding: 'utf8' }).trim();
const hasCompiler = isLinux && !lacks('gcc');

/** A kernel that runs this code when it attacks; `reach(what, work)` throws if a forbidden action succeeds. */
function kernel(name: string, attack: string): string {
  const path = join(kernels, `${name}.mjs`);
  const about = {
    secret,
    root,
    mark,
    python: pythonFile,
    kernels,
    gate: process.pid,
    port: (servers[1].address() as { port: number }).port,
    docker: join(folder, 'docker.sock'),
    path,
  };
  writeFileSync(
    path,
    `import * as fs from 'node:fs'; import * as net from 'node:net'; import * as child from 'node:child_process';
     import dgram from 'node:dgram'; import { join } from 'node:path';
     import { openFunctionKernel } from ${JSON.stringify(built)};
     const about = ${JSON.stringify(about)};
     const reach = async (what, work) => {
       let got;
       try { got = await work(); } catch { return; }
       if (got !== undefined) throw new Error('REACHED ' + what + ': ' + got);
     };
     const run = (file, ...words) => child.spawnSync(file, words, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
     const endless = () => { for (;;); };
     const attack = async () => { ${attack} };
     export const locate = async () => openFunctionKernel({ name: 'mine', async multiply(a, b, { m, n }) {
       if (m !== 1) await attack();
       return Float32Array.from({ length: m * n }, (_, i) => a[Math.floor(i / n)] * b[i % n]);
     } });`,
  );
  return path;
}

const PYTHON = (
  text: string,
) => `const { stdout, stderr, status } = run(about.python, '-c', ${JSON.stringify(text)}, about.mark, about.secret, String(about.gate));
  if (stdout.includes('REACHED')) throw new Error(stdout);`;

/** Attacks that must not reach anything; the product itself is correct. */
const reaching: Readonly<Record<string, string>> = {
  'reads secrets': `
    await reach('a secret', () => fs.readFileSync(about.secret, 'utf8'));
    await reach('names of secrets', () => fs.readdirSync(join(about.secret, '..')).join());
    await reach('the repository', () => fs.readFileSync(join(about.root, 'README.md'), 'utf8').length);
    await reach('shadow', () => fs.readFileSync('/etc/shadow', 'utf8').length);
    await reach('the environment', () => process.env.SECRET_TOKEN ?? process.env.CUDA_API_TOKEN);
    await reach('a link', () => { fs.symlinkSync(about.secret, 'link'); return fs.readFileSync('link', 'utf8'); });`,
  'looks into its parents': `
    for (const pid of [process.ppid, about.gate]) for (const name of ['environ', 'mem', 'maps', 'cwd/package.json', 'root/etc/shadow', 'fd/0'])
      await reach(pid + '/' + name, () => { const said = fs.readFileSync('/proc/' + pid + '/' + name, 'utf8'); return said.includes('SECRET') || name !== 'environ' ? 'read ' + (/SECRET/.exec(said) ?? (pid === about.gate || undefined)) : undefined; });`,
  'signals others': `
    await reach('the gate', () => process.kill(about.gate, 0));
    await reach('the gate', () => process.kill(about.gate, 'SIGSTOP'));`,
  'changes our files': `
    for (const path of ['dist/kernels/host/node/host.js', 'node_modules/x.js', 'results.json', 'package.json'].map((name) => join(about.root, name)).concat(about.path, about.secret, join(about.kernels, 'new'))) {
      await reach('writes ' + path, () => { fs.appendFileSync(path, ' '); return 'done'; });
      await reach('changes the mode of ' + path, () => { fs.chmodSync(path, 0o777); return 'done'; });
      await reach('removes ' + path, () => { fs.renameSync(path, path + '.old'); return 'done'; });
      await reach('changes the times of ' + path, () => { fs.utimesSync(path, 1, 1); return 'done'; });
      await reach('truncates ' + path, () => { fs.truncateSync(path, 0); return 'done'; });
      await reach('links ' + path, () => { fs.linkSync(path, 'hard'); return 'done'; });
    }`,
  'opens the network': `
    const connected = (...where) => new Promise((resolve, reject) => { const s = net.connect(...where); s.on('data', resolve); s.on('error', reject); });
    await reach('TCP', () => connected(about.port, '127.0.0.1'));
    await reach('a socket of others', () => connected(about.docker));
    await reach('a port', () => new Promise((resolve, reject) => net.createServer().on('error', reject).listen(0, '127.0.0.1', () => resolve('listening'))));
    await reach('UDP', () => new Promise((resolve, reject) => { const s = dgram.createSocket('udp4'); s.on('error', reject); s.send('x', 53, '127.0.0.1', (error) => error ? reject(error) : resolve('sent')); }));
    ${PYTHON(`
import socket, sys
for family, kind in [(socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_INET6, socket.SOCK_STREAM), (16, socket.SOCK_RAW), (17, socket.SOCK_RAW), (40, socket.SOCK_STREAM)]:
    try: socket.socket(family, kind); print('REACHED', family, kind)
    except OSError: pass
try: socket.getaddrinfo('example.com', 80); print('REACHED DNS')
except OSError: pass
try: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); print('REACHED datagrams')
except OSError: pass`)}`,
  'leaves links behind': `
    fs.mkdirSync('a'); fs.symlinkSync(join(about.secret, '..'), 'a/out'); fs.symlinkSync('/', 'b');
    ${PYTHON(`
import os
os.makedirs(b'bad-\\xff/x', exist_ok=True)
for i in range(3000):
    os.mkdir('deep'); os.chdir('deep')`)}`,
  'prints commands': `
    process.stdout.write('::error::forged\\n##[group]forged\\n\\u001b[2J\\u001b]0;x\\u0007PASS: all\\r\\n');
    process.stderr.write('PASS: All 23 cases passed\\n  ::set-output name=x::y\\n');`,
};

/** Attacks that must be ended, and patterns of their messages. */
const ended: Readonly<Record<string, readonly [attack: string, says: RegExp]>> = {
  'allocates without end': [
    'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));',
    // A large allocation may be refused before the watcher sees its memory.
    /it used .* of memory|crashed while|Array buffer allocation failed/,
  ],
  'allocates beside the heap': [
    `${PYTHON('import mmap\nall = []\nwhile True:\n    m = mmap.mmap(-1, 2**24); m.write(bytes(2**24)); all.append(m)')} endless();`,
    /it used .* of memory|returned nothing|crashed while/,
  ],
  'fills the disk': [
    `for (let i = 0; ; i++) try { fs.writeFileSync('f' + i, Buffer.alloc(2 ** 24)); } catch { throw new Error('full'); }`,
    /threw an error( for .*)?: full|it wrote .* to files/,
  ],
  'fills the disk unseen': [
    `const all = []; for (let i = 0; ; i++) try { const f = fs.openSync('f', 'w'); fs.unlinkSync('f'); fs.writeSync(f, Buffer.alloc(2 ** 24)); } catch { throw new Error('full'); }`,
    /threw an error( for .*)?: full|it wrote .* to files/,
  ],
  'forks for ever': [
    `${PYTHON('import os\nwhile True:\n    try: os.fork()\n    except OSError: pass')} endless();`,
    /it ran \d+ processes|returned nothing/,
  ],
  'writes a gigabyte to its standard output': [
    `const chunk = 'x'.repeat(2 ** 20) + '\\n'; for (let i = 0; i < 1024; i++) await new Promise((done) => process.stdout.write(chunk, done)); process.exit(3);`,
    /exit code 3|returned nothing/,
  ],
  'writes a gigabyte to our pipe': [
    `const chunk = Buffer.alloc(2 ** 20, 'x'); for (let i = 0; i < 1024; i++) try { fs.writeSync(4, chunk); } catch {}`,
    /expected a line of JSON/,
  ],
  'never ends, and hears no signal': [
    `for (const s of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(s, () => {}); endless();`,
    /returned nothing/,
  ],
  'leaves its group twice, and sleeps': [
    `${PYTHON(`
import os, sys
for leave in (os.setsid, lambda: os.setpgid(0, 0), lambda: None):
    if os.fork() == 0:
        try: leave()
        except OSError: pass
        if os.fork() == 0:
            os.closerange(0, 64)
            os.execv('/bin/sleep', ['sleep', sys.argv[1]])
        os._exit(0)`)} process.exit(7);`,
    /exit code 7/,
  ],
};

/** Attacks of a shared library on its process. */
const C = `
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/resource.h>
#include <unistd.h>
static long refused(long result) { return result == -1; }
/* The number of the first attempt that was not refused; 0 where all were. */
int attempts(int gate) {
  char byte; struct iovec io = { &byte, 1 }; struct rlimit none = { 0, 0 };
  if (!refused(ptrace(PTRACE_ATTACH, gate, 0, 0))) return 1;
  if (!refused(ptrace(PTRACE_SEIZE, getppid(), 0, 0))) return 2;
  if (!refused(syscall(SYS_process_vm_readv, gate, &io, 1, &io, 1, 0))) return 3;
  if (!refused(syscall(SYS_prlimit64, gate, RLIMIT_CPU, &none, 0))) return 4;
  if (!refused(syscall(SYS_unshare, 0x10000000))) return 5;
  if (!refused(syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, 0))) return 6;
  if (!refused(syscall(425, 8, 0))) return 7;
  if (!refused(syscall(SYS_kill, gate, SIGKILL))) return 8;
  if (!refused(syscall(SYS_tgkill, gate, gate, SIGKILL))) return 9;
  if (!refused(syscall(SYS_bpf, 0, 0, 0))) return 10;
  if (!refused(syscall(438, syscall(434, gate, 0), 0, 0))) return 11;
  if (!refused(syscall(SYS_setpriority, PRIO_PROCESS, gate, 19))) return 12;
  return 0;
}
void close_all(void) { for (int fd = 0; fd < 4096; fd++) close(fd); for (;;) pause(); }
`;
const library = join(kernels, 'attack.so');
if (hasCompiler) {
  writeFileSync(join(kernels, 'attack.c'), C);
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, join(kernels, 'attack.c')]);
  const load = `const { default: koffi } = await import(${JSON.stringify(koffi)}); const lib = koffi.load(${JSON.stringify(library)});`;
  Object.assign(reaching, {
    'attaches to its parents': `${load} const which = lib.func('int attempts(int)')(about.gate); if (which !== 0) throw new Error('REACHED ' + which);`,
  });
  Object.assign(ended, {
    'closes all its descriptors': [
      `${load} lib.func('void close_all()')();`,
      /returned nothing|closed its output|crashed while/,
    ],
  });
}

/**
 * The time limit of a product in seconds: short if the attack is never to answer, long if another limit must end it, even on a
 * busy machine.
 */
const secondsFor = (says: RegExp) => (says.source.includes('returned nothing') ? 20 : 600);
const x = (rows: number, cols: number) => ({ rows, cols, data: new Float32Array(rows * cols).fill(2) });
const ask = (session: KernelSession, m: number) =>
  productFrom(session, { operands: { a: x(m, 1), b: x(1, 1) } });

const left = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(mark);
      } catch {
        return false;
      }
    });

const notHeld = (lane: string) =>
  `${lane} holds no process here (it takes user namespaces, and of bwrap: apt-get install bubblewrap)`;

/** Runs an attack, and checks that it leaves nothing behind and that the next product is right. @returns the attack's message */
async function attacked(
  confinement: Sandbox,
  name: string,
  attack: string,
  timeLimit: number,
): Promise<string> {
  const path = kernel(name.replaceAll(/\W/g, '-'), attack);
  const reads = [kernels, ...(pythonPrefix ? [pythonPrefix] : [])];
  const session = openInHost(
    { name: 'mine', timeLimit },
    { module: pathToFileURL(path).href, args: {} },
    { confinement, reads },
  );
  const answered = (m: number) =>
    ask(session, m).then(
      ({ c }) => c.data.join(),
      ({ blames, message }) => `${blames}: ${message}`,
    );
  expect(await answered(1)).toBe('4');
  const said = await answered(2);
  const next = await answered(1);
  // Files of an attack may be noticed only during the next product, which is then ended with that message.
  if (next !== '4') expect(await answered(1)).toBe('4');
  await session.close?.();
  await vi.waitFor(() => expect([left(), readdirSync(temporary)]).toEqual([[], []]), { timeout: 600_000 });
  expect(readFileSync(secret, 'utf8')).toBe('the key');
  return next === '4' ? said : next;
}

describe.runIf(isLinux).each(sandboxBackends.map(({ name }) => name))('held by %s', (lane) => {
  let confinement: Sandbox | undefined;
  let printed = '';
  beforeAll(async () => {
    vi.stubEnv('TMPDIR', temporary);
    vi.stubEnv('SECRET_TOKEN', 'SECRET');
    vi.stubEnv('CUDA_API_TOKEN', 'SECRET');
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
    const limits = { memoryBytes: 2 ** 29, fileBytes: 2 ** 27, processes: 64 };
    confinement = await openSandbox('required', { lanes: [lane], limits }).catch(() => undefined);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it.for(Object.entries(reaching))('one that %s reaches nothing', async ([name, attack], { skip }) => {
    if (confinement === undefined) return skip(notHeld(lane));
    if (attack.includes('about.python') && lacks('python3')) return skip(lackOf('python3'));
    expect(await attacked(confinement, name, attack, 600)).toMatch(
      /^4,4$|it created folders that cannot be read/,
    );
  });

  it.for(inShort(Object.entries(ended), 8))(
    'one that %s is ended',
    async ([name, [attack, says]], { skip }) => {
      if (confinement === undefined) return skip(notHeld(lane));
      if (attack.includes('about.python') && lacks('python3')) return skip(lackOf('python3'));
      const said = await attacked(confinement, name, attack, secondsFor(says));
      expect(said).toMatch(/^kernel: /);
      expect(said).toMatch(says);
    },
  );

  itWhole('what was printed looks like nothing of ours, and is not much', () => {
    if (confinement === undefined) return;
    expect(printed.length).toBeGreaterThan(2 ** 19);
    expect(printed.length).toBeLessThan(2 ** 22);
    expect(printed.split('\n').filter((line) => !/^(mine( \| |, | )|$)/.test(line))).toEqual([]);
    expect(printed).not.toMatch(/\p{Cc}(?<!\n)|##\[/u);
  });
});

it('there was a compiler for the attacks that need one', ({ skip }) => {
  if (!hasCompiler) skip(lackOf('gcc'));
  expect(existsSync(library)).toBe(true);
});
