"""Times exact products of built checkouts beside FLINT's fmpz_mat_mul, in turns. Needs numpy and python-flint.

python3 exact.py RUNS THREADS SIZE /path/to/checkout ...
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import flint
import numpy as np

SERVER = """
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
const [checkout, threads, size] = process.argv.slice(2);
const { openExactPool } = await import(pathToFileURL(`${checkout}/dist/node.js`).href);
const pool = openExactPool({ workers: Number(threads) });
const cols = Number(size);
const read = (path) => {
  const { buffer } = new Uint8Array(readFileSync(path));
  return { rows: cols, cols, data: path.endsWith('f32') ? new Float32Array(buffer) : new Float64Array(buffer) };
};
for await (const line of createInterface({ input: process.stdin })) {
  const [a, b] = line.split(' ').map(read);
  const [start, used] = [performance.now(), process.cpuUsage()];
  const { certificate } = await pool.product(a, b);
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify([(performance.now() - start) / 1e3, (user + system) / 1e6, certificate]));
}
await pool.close();
"""


def matrices(size):
    """Yields a name, a type and two matrices: uniform ones as 23-bit integers too."""
    random = np.random.default_rng(1)
    whole = [random.integers(-(2**23) + 1, 2**23, (size, size)) for _ in range(2)]
    yield "uniform f32", "f32", [x * 2.0**-23 for x in whole], whole
    grade = 2.0 ** np.round(np.linspace(-16, 16, size))
    wide = [random.uniform(-0.5, 0.5, (size, size)) * np.exp(4 * random.standard_normal((size, size))) for _ in range(2)]
    yield "wide exponents f32", "f32", [wide[0] * grade[:, None], wide[1] * grade], None
    yield "uniform f64", "f64", [np.trunc(random.uniform(-1, 1, (size, size)) * 2**53) * 2.0**-53 for _ in range(2)], None


def line(name, way, seconds):
    """Prints a row of the table: the medians, with the least."""
    wall, used = ([each[at] for each in seconds] for at in (0, 1))
    print(f"| {name} | {way} | {statistics.median(wall):.3f} ({min(wall):.3f}) | {statistics.median(used):.3f} ({min(used):.3f}) |")


def main(runs, threads, size, *checkouts):
    runs, size = int(runs), int(size)
    flint.ctx.threads = int(threads)
    print(f"FLINT {flint.__FLINT_VERSION__}, {threads} threads, {size}³, load {os.getloadavg()[0]:.0f}")
    print("| product | way | seconds, median (least) | processor time |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        open(f"{folder}/server.mjs", "w").write(SERVER)
        command = lambda checkout: ["node", f"{folder}/server.mjs", checkout, threads, str(size)]
        servers = {
            checkout: subprocess.Popen(command(checkout), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for checkout in checkouts
        }
        for name, kind, (a, b), whole in matrices(size):
            files = [f"{folder}/{side}.{kind}" for side in "ab"]
            for path, x in zip(files, (a, b)):
                x.astype(np.float32 if kind == "f32" else np.float64).tofile(path)
            exact = whole and [flint.fmpz_mat(size, size, x.ravel().tolist()) for x in whole]
            seconds = {way: [] for way in (*checkouts, *(["FLINT fmpz_mat_mul"] if exact else []))}
            for run in range(runs + 1):
                for checkout, server in servers.items():
                    print(*files, file=server.stdin, flush=True)
                    seconds[checkout].append(json.loads(server.stdout.readline())[:2])
                if exact:
                    start, used = time.perf_counter(), time.process_time()
                    exact[0] * exact[1]
                    seconds["FLINT fmpz_mat_mul"].append([time.perf_counter() - start, time.process_time() - used])
            for way, all_runs in seconds.items():
                line(name, os.path.basename(way), all_runs[1:])
        for server in servers.values():
            server.stdin.close()
            server.wait()


main(*sys.argv[1:])
