"""A kernel in Python that starts once: NumPy's product, over standard input and output.

It computes A·B of dense matrices. A kernel that accepts more gets more: "problem" has batch, alpha and beta, and C.npy follows
B.npy if beta is not 0. A matrix with gaps, or a batch, is a list of all entries of its memory; problem["a"] has its op, order,
ld, offset and stride. share/programs/gemm_worker.py of gemm-paranoia accepts all of this.
"""
import io
import json
import sys

import numpy as np

requests, answers = sys.stdin.buffer, sys.stdout.buffer


def answer(header, matrix=b""):
    answers.write(json.dumps(header).encode() + b"\n" + matrix)
    answers.flush()


# Time before this line is not counted for a product. The versions go into the report.
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
