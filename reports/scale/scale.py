"""Measures the throughput of commands against cores, each confined to as many cores as it may use.

python3 reports/scale/scale.py OUT.json [--cores 1,2,4,8,16] [--seconds 40] [--rounds 1] [--size 4096] [--gate-cases 600]
                              [--farm-cases 4096] [--main dist/cli/main.js]

gate   cases a second of `gate --cases g --jobs n`, start to verdict
fuzz   cases a second of n shards in parallel, `fuzz --time`, start to verdict
check  multiplications a second of `check` of size³ in f32, in units of 10⁹, start to verdict
farm   cases a second of n workers on files, from `farm submit` until they end
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

KERNEL = """export function matmul(a, b, { m, k, n }) {
  const c = new Float32Array(m * n);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      let s = 0;
      for (let p = 0; p < k; p++) s = Math.fround(s + a[i * k + p] * b[p * n + j]);
      c[i * n + j] = s;
    }
  return c;
}
"""
CONFIG = """import { matmul } from './loop.mjs';
export default { kernels: [{ name: 'loop', multiply: matmul }], seed: 1 };
"""

parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("--cores", default="1,2,4,8,16")
parser.add_argument("--seconds", default=40, type=int)
parser.add_argument("--rounds", default=1, type=int)
parser.add_argument("--size", default=4096, type=int)
parser.add_argument("--gate-cases", default=600, type=int)
parser.add_argument("--farm-cases", default=4096, type=int)
parser.add_argument("--main", default="dist/cli/main.js")
parser.add_argument("--only", default="gate,fuzz,check,farm")
given = parser.parse_args()
given.out = str(Path(given.out).resolve())
main = str(Path(given.main).resolve())
folder = Path(tempfile.mkdtemp())
os.chdir(folder)
Path("package.json").write_text('{"name": "scale", "type": "module"}')
Path("loop.mjs").write_text(KERNEL)
Path("paranoia.config.mjs").write_text(CONFIG)


def start(cores, *words):
    """Starts a command on the first cores; its output goes to a file of its own."""
    log = tempfile.NamedTemporaryFile(dir=folder, suffix=".log", delete=False)
    line = ["taskset", "-c", f"0-{cores - 1}", "node", main, *words]
    return subprocess.Popen(line, stdout=log, stderr=log, env={**os.environ, "NO_COLOR": "1"}), log.name


def finish(process, log, allowed=(0,)):
    if process.wait() not in allowed:
        raise SystemExit(f"{process.args}: exit code {process.returncode}\n{Path(log).read_text()[-2000:]}")


def cases_of(out):
    summary = json.loads(Path(out, "results.json").read_text())["summary"]
    return sum(summary[key] for key in ("pass", "fail", "inconclusive"))


def gate(cores):
    begin = time.monotonic()
    finish(*start(cores, "gate", "loop.mjs", "--cases", str(given.gate_cases), "--jobs", str(cores), "--seed", "1",
                  "--plain", "--reporter", "json", "--out", "gate"))
    return cases_of("gate") / (time.monotonic() - begin)


def fuzz(cores):
    begin = time.monotonic()
    shards = [start(cores, "fuzz", "loop.mjs", "--time", f"{given.seconds}s", "--shard", f"{at + 1}/{cores}", "--seed", "1",
                    "--reporter", "json", "--out", f"fuzz-{at}", "--corpus", f"corpus-{at}") for at in range(cores)]
    for shard in shards:
        finish(*shard, allowed=(0, 4))
    return sum(cases_of(f"fuzz-{at}") for at in range(cores)) / (time.monotonic() - begin)


def check(cores):
    begin = time.monotonic()
    finish(*start(cores, "check", "--a", "a.npy", "--b", "b.npy", "--d", "d.npy"))
    return given.size**3 / (time.monotonic() - begin) / 1e9


def farm(workers):
    shutil.rmtree("reports", ignore_errors=True)
    begin = time.monotonic()
    finish(*start(workers, "farm", "submit", "--fuzz", str(given.farm_cases), "--max-size", "256", "--seed", "1"))
    for worker in [start(workers, "farm", "work", "--no-wait") for _ in range(workers)]:
        finish(*worker)
    return given.farm_cases / (time.monotonic() - begin)


if "check" in given.only:
    random = np.random.default_rng(1)
    a, b = (random.uniform(-1, 1, (given.size, given.size)).astype(np.float32) for _ in range(2))
    for name, matrix in (("a", a), ("b", b), ("d", a @ b)):
        np.save(f"{name}.npy", matrix)

measures = {measure.__name__: measure for measure in (gate, fuzz, check, farm) if measure.__name__ in given.only}
found = {name: {} for name in measures}
for _ in range(given.rounds):
    for cores in map(int, given.cores.split(",")):
        for name, measure in measures.items():
            found[name].setdefault(cores, []).append(round(measure(cores), 2))
            print(name, cores, found[name][cores], flush=True)
            Path(given.out).write_text(json.dumps(found, indent=1) + "\n")
shutil.rmtree(folder)
