"""A kernel in Python that starts for every product: once.py A.npy B.npy C.npy"""
import sys

import numpy as np

a, b = np.load(sys.argv[1]), np.load(sys.argv[2])
np.save(sys.argv[3], a @ b)
