"""The decorator of kernels in files, as `share/programs/paranoia.py` of the npm package has it."""

from __future__ import annotations

import json
from typing import Any, Callable, Optional


def kernel(
    function: Optional[Callable[..., Any]] = None,
    *,
    claims: Any = None,
    precision: Optional[str] = None,
    accepts: Any = None,
    scales: Optional[str] = None,
    array: Optional[str] = None,
    device: Optional[str] = None,
    time_limit: Optional[float] = None,
) -> Any:
    """Marks a function as a kernel for `npx gemm-paranoia gate file.py#function`, and says what it promises."""

    def mark(target: Callable[..., Any]) -> Callable[..., Any]:
        said = {"claims": claims, "precision": precision, "accepts": accepts, "scales": scales, "timeLimit": time_limit}
        said = {name: value for name, value in said.items() if value is not None}
        try:
            json.dumps(said, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"what {target.__name__} claims or accepts is no JSON; what depends on sizes belongs in a config"
            ) from error
        target.paranoia = {"kernel": said, "array": array, "device": device}  # type: ignore[attr-defined]
        return target

    return mark if function is None else mark(function)
