"""Counts which products the six tests pass, and which assert_matmul does.

    python python/examples/replace_assert_close/measure.py reports/replace-assert-close

Names of tests after the folder measure these alone, and keep the folder's numbers of the others.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List

from six_tests import EXAMPLES, Example


def passes(assertion: Callable[..., None], *product: Any) -> bool:
    """True if the assertion does not fail."""
    try:
        assertion(*product)
    except AssertionError:
        return False
    return True


def measured(example: Example) -> List[Dict[str, Any]]:
    """A row per kernel: of how many products each comparison passes how many."""
    comparisons = {**example.before, "assert_matmul": example.after}
    rows: List[Dict[str, Any]] = []
    for name, kernel in {"honest": example.honest, **example.wrong}.items():
        seeds = example.seeds if kernel is example.honest else min(example.seeds, max(3, example.seeds // 10))
        passed = dict.fromkeys(comparisons, 0)
        for seed in range(seeds):
            a, b = example.draw(seed)
            d = kernel(a, b)
            for how, assertion in comparisons.items():
                passed[how] += passes(assertion, d, a, b)
        rows.append({"kernel": name, "products": seeds, "passed": passed})
    return rows


def table_of(name: str, rows: List[Dict[str, Any]]) -> str:
    """A Markdown table of a test: how many products of each kernel each comparison passes."""
    comparisons = [how if how != "assert_matmul" else "`assert_matmul`" for how in rows[0]["passed"]]
    lines = [f"## {name}", "", f"| kernel | {' | '.join(comparisons)} |", f"| --- |{' --- |' * len(comparisons)}"]
    for row in rows:
        cells = [f"{count} of {row['products']}" for count in row["passed"].values()]
        lines.append(f"| {row['kernel']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(folder: str, *names: str) -> None:
    to = Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    file = to / "results.json"
    results: Dict[str, List[Dict[str, Any]]] = json.loads(file.read_text()) if names and file.exists() else {}
    for name in names or EXAMPLES:
        with tempfile.TemporaryDirectory() as saved:
            os.environ["GEMM_PARANOIA_SAVE"] = saved
            results[name] = measured(EXAMPLES[name])
        print(table_of(name, results[name]), flush=True)
        file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    tables = "\n".join(table_of(name, results[name]) for name in EXAMPLES if name in results)
    (to / "table.md").write_text(f"# Products that pass\n\n{tables}")


if __name__ == "__main__":
    main(*sys.argv[1:])
