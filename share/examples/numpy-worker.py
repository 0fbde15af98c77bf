"""A kernel in Python that is started once: NumPy's product, asked for over standard input and output.

It is asked for A·B of dense matrices. A kernel whose accepts says more gets more: "problem" has batch, alpha and beta, C.npy
comes behind B.npy where beta is not 0, and a matrix with gaps, or of a batch, is a list of all entries of its memory, in which
problem["a"] says op, order, ld, offset and stride; share/programs/gemm_worker.py of gemm-paranoia takes all of it.
"""
import io
import json
import sys

import numpy as np

requests, answers = sys.stdin.buffer, sys.stdout.buffer


def answer(header, matrix=b""):
    answers.write(json.dumps(header).encode() + b"\n" + matrix)
    answers.flush()


# Time that passes before this line is no product's; the versions go into the report.
answer({"ready": True, "versions": {"python": sys.version.split()[0], "numpy": np.__version__}, "pings": True})

for line in requests:
    request = json.loads(line)
    if "ping" in request:
        answer({"pong": request["ping"]})
        continue
    a = np.load(io.BytesIO(requests.read(request["a"])))
    b = np.load(io.BytesIO(requests.read(request["b"])))
    try:
        file = io.BytesIO()
        np.save(file, a @ b)
        answer({"id": request["id"], "d": file.tell()}, file.getvalue())
    except Exception as error:
        answer({"id": request["id"], "error": str(error)})
