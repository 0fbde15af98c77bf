"""Kernels that tests judge."""


def off_by_one(a, b):
    """Leaves out the last term of each sum."""
    return a[:, :-1] @ b[:-1]
