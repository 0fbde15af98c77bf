"""Times commands of built checkouts beside a bare node, and counts the files that their processes load.

python3 start.py 7 /path/to/before /path/to/after
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

KERNEL = """export const matmul = (a, b, { m, k, n }) =>
  Float32Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let p = 0; p < k; p++)
      sum = Math.fround(sum + Math.fround(a[Math.floor(at / n) * k + p] * b[p * n + (at % n)]));
    return sum;
  });
"""
MATCHER = """import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
const checkout = process.argv[2];
await import(pathToFileURL(createRequire(`${checkout}/package.json`).resolve('vitest').replace(/index.cjs$/, 'dist/index.js')));
const [m, k, n] = [64, 64, 64];
const matrix = (rows, cols, entry) => ({ rows, cols, data: Float32Array.from({ length: rows * cols }, (_, at) => entry(at)) });
const [a, b] = [matrix(m, k, (at) => Math.sin(at)), matrix(k, n, (at) => Math.cos(at))];
const c = matrix(m, n, (at) => {
  let sum = 0;
  for (let p = 0; p < k; p++)
    sum = Math.fround(sum + Math.fround(a.data[Math.floor(at / n) * k + p] * b.data[p * n + (at % n)]));
  return sum;
});
const start = process.cpuUsage();
const { toBeProductOf } = await import(`${checkout}/dist/vitest/index.js`);
if (!toBeProductOf.call({ isNot: false, utils: {} }, c, a, b).pass) throw new Error('refused');
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1e6);
"""
CASE = "kernel=k.mjs#matmul;input=integers;m=41;k=37;n=43;seed=1"
COMMANDS = {
    "--version": ["--version"],
    "gate --help": ["gate", "--help"],
    "a refused option": ["gate", "--no-such-option"],
    "list inputs": ["list", "inputs"],
    "gate --list, no kernel": ["gate", "--list"],
    "check of 64³": ["check", "--a", "a.npy", "--b", "b.npy", "--d", "d.npy"],
    "gate of a file, one case": ["gate", "k.mjs#matmul", "--case", CASE],
    "gate --ours --list": ["gate", "--ours", "--list", "--seed", "1"],
}


def seconds(command, folder, **env):
    """Returns the processor time of a command and its children."""
    process = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


def seconds_within(command, folder):
    """Returns the processor time that a command measures itself."""
    return float(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


def files(command, folder):
    """Returns how many files the processes of a command load."""
    with tempfile.TemporaryDirectory() as out:
        seconds(command, folder, NODE_V8_COVERAGE=out)
        reports = [json.loads(path.read_text())["result"] for path in Path(out).iterdir()]
    return sum(script["url"].startswith("file:") for report in reports for script in report)


runs, *checkouts = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    random = np.random.default_rng(1)
    a, b = (random.uniform(-1, 1, (64, 64)).astype("float32") for _ in range(2))
    for name, matrix in {"a": a, "b": b, "d": a @ b}.items():
        np.save(f"{folder}/{name}.npy", matrix)
    Path(folder, "k.mjs").write_text(KERNEL)
    Path(folder, "matcher.mjs").write_text(MATCHER)
    rows = {"node -e 0": ["node", "-e", "0"]}
    for name, words in COMMANDS.items():
        for checkout in checkouts:
            rows[f"{name}, {Path(checkout).name}"] = ["node", f"{checkout}/dist/cli/main.js", *words]
    for checkout in checkouts:
        rows[f"matcher, {Path(checkout).name}"] = ["node", "matcher.mjs", checkout]
    samples = {name: [] for name in rows}
    for _ in range(int(runs)):
        for name, command in rows.items():
            took = seconds_within if "matcher.mjs" in command else seconds
            samples[name].append(took(command, folder))
    for name, command in rows.items():
        found = samples[name]
        print(f"{name}: {statistics.median(found):.2f} ({min(found):.2f}) s, {files(command, folder)} files")
