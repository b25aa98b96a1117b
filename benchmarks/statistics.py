"""Times of the statistics, beside what others need: ``python benchmarks/statistics.py [--quick]``.

The work is in :mod:`benchmarks.speed`. A script's folder comes first where Python looks for
modules, so every script of this folder that asks for the standard library's ``statistics`` meets
this file instead. Then it steps aside.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent

if __name__ == "statistics":
    elsewhere = [place for place in sys.path if Path(place or ".").resolve() != HERE]
    meant = PathFinder.find_spec(__name__, elsewhere)
    if meant is None or meant.loader is None:
        raise ImportError("the standard library has no statistics", name=__name__)
    sys.modules[__name__] = module = module_from_spec(meant)
    meant.loader.exec_module(module)

if __name__ == "__main__":
    sys.path[0] = str(HERE.parent)
    from benchmarks.speed import main

    main()
