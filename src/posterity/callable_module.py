"""Lets a stage's folder and the public function of the same name live together.

`posterity.extract` is a folder, and `posterity.extract(html)` is what people write. Python binds the folder to
the name as soon as any part of it is imported, so the folder itself has to answer the call.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def answer_calls(module_name: str, function: Callable[..., Any]) -> None:
    """Make the module callable: calling it calls `function`."""

    class CallableModule(ModuleType):
        __doc__ = sys.modules[module_name].__doc__
        __wrapped__ = staticmethod(function)

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

    sys.modules[module_name].__class__ = CallableModule
