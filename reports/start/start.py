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
    rows = {"node -e 0": ["node", "-e", "0"]}
    for name, words in COMMANDS.items():
        for checkout in checkouts:
            rows[f"{name}, {Path(checkout).name}"] = ["node", f"{checkout}/dist/cli/main.js", *words]
    samples = {name: [] for name in rows}
    for _ in range(int(runs)):
        for name, command in rows.items():
            samples[name].append(seconds(command, folder))
    for name, command in rows.items():
        found = samples[name]
        print(f"{name}: {statistics.median(found):.2f} ({min(found):.2f}) s, {files(command, folder)} files")
