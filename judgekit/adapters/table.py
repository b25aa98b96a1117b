"""The runners a judge can be lent to: one line each."""

from __future__ import annotations

from typing import NamedTuple

from judgekit.errors import UnknownName


class Runner(NamedTuple):
    """One runner.

    Attributes:
        name: What it is called on the command line.
        module: The adapter, in ``judgekit.adapters``.
        factory: What makes a judge of that runner: called with the judge's name and how to lend it.
        variable: What an exported file must call it; None for the judge's own name.
        several: Whether one such judge may have several criteria.
        packages: What has to be installed.
        unscored: How the runner says that there is no score.
        decorator: Where the runner goes by functions, the line that an exported file puts over
            one, and the names of the adapter in it.
    """

    name: str
    module: str
    factory: str
    packages: tuple[str, ...]
    unscored: str
    variable: str | None = None
    several: bool = False
    decorator: tuple[str, ...] = ()


RUNNERS: tuple[Runner, ...] = (
    Runner(
        *("inspect", "inspect", "judge", ("inspect-ai",), "refused before it begins, or unscored"),
        decorator=("@scorer(metrics=[judged()])", "judged", "scorer"),
    ),
    Runner("promptfoo", "promptfoo", "assertion", (), "fails", "get_assert", several=True),
    Runner("deepeval", "deepeval", "Judge", ("deepeval",), "a metric error"),
    Runner("mlflow", "mlflow", "judge", ("mlflow",), "a feedback error, and the run does not pass"),
    Runner(
        *("pydantic-evals", "pydantic_evals", "Judge", ("pydantic-evals",), "a failure"),
        several=True,
    ),
    Runner(
        *("langsmith", "langsmith", "judge", ("langsmith", "openevals"), "refused, or score None"),
        several=True,
    ),
    Runner("phoenix", "phoenix", "Judge", ("arize-phoenix-evals",), "score None", several=True),
    Runner("braintrust", "braintrust", "Judge", ("autoevals", "braintrust"), "score None"),
)

PROVIDERS: tuple[Runner, ...] = (
    Runner(
        *("promptfoo", "promptfoo_provider", "provider", (), "an error", "call_api"), several=True
    ),
)
"""What takes the place of the model behind a runner's own rubrics, where there is such a place."""


def runner_named(name: str) -> Runner:
    """Return the runner of that name.

    Raises:
        UnknownName: there is none; the hint offers the nearest.
    """
    for runner in RUNNERS:
        if runner.name == name:
            return runner
    raise UnknownName("runner", name, [runner.name for runner in RUNNERS])
