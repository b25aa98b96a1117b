"""``judgekit.toml``: the judges of a project, its policy and its paths."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from judgekit.calibration.policy import Policy
from judgekit.errors import InputError, UnknownName, suggest
from judgekit.fingerprint import canonical_json
from judgekit.rubric.scale import Frozen
from judgekit.running.secrets import Secrets, looks_secret
from judgekit.storage.configuration_measures import SIZES, measured
from judgekit.storage.disk import shown

FILE = "judgekit.toml"


class Price(Frozen):
    """What a model costs, in US dollars for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class PanelEntry(Frozen):
    """One model of a panel; what it does not say is the judge's own.

    A ``price`` is that of the model: one that is named twice, at two addresses, has one.
    """

    model: str
    api_base: str | None = None
    api_key_env: str | None = None
    params: dict[str, Any] = Field(default_factory=dict)
    price: Price | None = None


class JudgeEntry(Frozen):
    """One ``[judges.NAME]`` table.

    Attributes:
        rubric: The rubric file, relative to the project.
        model: Any litellm model string, ``local/smollm2-135m`` or ``local/PATH.gguf``. May be
            left out for judges that are only ever read from recorded judgments.
        temperature: Sampling temperature.
        max_tokens: Room for the reply, thinking included.
        replicates: How often each item is asked.
        labels: The labelled set, relative to the project.
        items: The labelled items, where the labels do not carry their text.
        api_base: Endpoint of an OpenAI-compatible server.
        api_key_env: Name of the environment variable that holds the key; never the key.
        transport: How the model is reached.
        concurrency: Calls in flight at once.
        timeout: Seconds one call may take.
        output: What is asked for: a reply that follows a schema, or free text.
        scoring: How a level is got; local models are read by likelihood unless this says other.
        slices: Columns of the items by which agreement is told apart, named before anybody looked.
        params: Any other model parameter.
        panel: Several models that judge as one, instead of ``model``.
        rule: How several levels for one item become one: by ``majority``, or their ``median``.
        orders: Pairs only: show them in ``both`` orders, or as ``given``.
        inconsistent: Pairs only: where the two orders disagree, a ``tie`` or ``unjudged``.
        system: Where the rubric stands: in a ``system`` message, or in front of the ``user``'s;
            ``auto`` moves it there for a model that takes no system message.
        probabilities: Ask for token probabilities, where the model gives them.
        requests_per_minute: Most requests sent in any minute.
        tokens_per_minute: Most tokens, prompt and reply room, in any minute.
        run_timeout: Seconds a whole run may take; what is not answered by then fails.
        price: What the model costs, where litellm's list does not know or is wrong.
    """

    rubric: str
    model: str | None = None
    temperature: float | None = 0.0
    max_tokens: int = Field(4096, ge=1)
    replicates: int = Field(1, ge=1, le=99)
    labels: str | None = None
    items: str | None = None
    api_base: str | None = None
    api_key_env: str | None = None
    transport: Literal["auto", "litellm", "direct"] = "auto"
    concurrency: int = Field(16, ge=1, le=1024)
    timeout: float = Field(120.0, gt=0)
    output: Literal["schema", "text"] = "schema"
    scoring: Literal["generation", "likelihood"] | None = None
    slices: list[str] = Field(default_factory=list)
    params: dict[str, Any] = Field(default_factory=dict)
    panel: list[str | PanelEntry] = Field(default_factory=list)
    rule: Literal["majority", "median"] = "majority"
    orders: Literal["both", "given"] = "both"
    inconsistent: Literal["tie", "unjudged"] = "tie"
    system: Literal["auto", "system", "user"] = "auto"
    probabilities: bool = False
    requests_per_minute: int | None = Field(None, ge=1)
    tokens_per_minute: int | None = Field(None, ge=1)
    run_timeout: float | None = Field(None, gt=0)
    price: Price | None = None

    @field_validator("params")
    @classmethod
    def _sendable(cls, params: dict[str, Any]) -> dict[str, Any]:
        try:
            canonical_json(params)
        except (TypeError, ValueError) as error:
            raise ValueError("a model parameter must be plain JSON: no dates, no nan") from error
        for name in _names(params):
            if name in _OURS:
                raise ValueError(f"{name} is not a parameter: judgekit sets it")
            if looks_secret(name):
                raise ValueError(f"{name} looks like a secret, and parameters are kept in git")
        told = canonical_json(params)
        if Secrets().hide_values(told) != told:
            raise ValueError("a secret of the environment is in it; parameters are kept in git")
        return params


_OURS = {"model", "messages", "stream", "n", "response_format", "api_base", "base_url"}


def _names(value: Any) -> list[str]:
    """Return every key in plain JSON, however deep."""
    if isinstance(value, dict):
        return [n for k, v in value.items() for n in (str(k), *_names(v))]
    return [n for v in value for n in _names(v)] if isinstance(value, list) else []


class Paths(Frozen):
    """The ``[paths]`` table."""

    certificates: str = "certificates"
    cache: str = ".judgekit/cache"
    runs: str = ".judgekit/runs"
    batches: str = ".judgekit/batches"


class CacheSettings(Frozen):
    """The ``[cache]`` table.

    Attributes:
        max_bytes: The size above which the oldest replies are taken out after a run, in bytes or
            as text such as ``"500 MB"``; at least 1 MB. None keeps every reply for good.
    """

    max_bytes: int | None = None

    @field_validator("max_bytes", mode="before")
    @classmethod
    def _roomy(cls, said: Any) -> int | None:
        size = measured(said, SIZES) if isinstance(said, str) else said
        if isinstance(size, bool) or not isinstance(size, int | float) or not size == size // 1:
            raise InputError(f"{said!r} is no size", hint=_SIZE_HINT)
        if size < LEAST_CACHE:
            raise InputError(
                f"{said!r} is less than 1 MB: the cache would be emptied after every run",
                hint=_SIZE_HINT,
            )
        return int(size)


LEAST_CACHE = 1_000_000
"""Bytes; an empty database takes some 30,000 of them."""
_SIZE_HINT = 'write for example max_bytes = "500 MB", or leave it out to keep every reply'


class Configuration(Frozen):
    """The whole of ``judgekit.toml``."""

    judges: dict[str, JudgeEntry] = Field(default_factory=dict)
    policy: Policy = Field(default_factory=Policy)
    paths: Paths = Field(default_factory=Paths)
    cache: CacheSettings = Field(default_factory=CacheSettings)


@dataclass(frozen=True)
class Project:
    """A folder with a ``judgekit.toml``, or the current folder with every default."""

    root: Path
    configuration: Configuration
    file: str | None = None

    @property
    def policy(self) -> Policy:
        """Return what the gate asks in this project."""
        return self.configuration.policy

    @property
    def certificates(self) -> Path:
        """Return the folder of certificates, evidence and the ledger."""
        return self.root / self.configuration.paths.certificates

    @property
    def cache(self) -> Path:
        """Return the folder of cached replies."""
        return self.root / self.configuration.paths.cache

    @property
    def runs(self) -> Path:
        """Return the folder of run records."""
        return self.root / self.configuration.paths.runs

    @property
    def batches(self) -> Path:
        """Return the folder of batches that providers work on."""
        return self.root / self.configuration.paths.batches

    def entry(self, name: str) -> JudgeEntry:
        """Return the judge of that name.

        Raises:
            UnknownName: the project has none of that name.
        """
        judges = self.configuration.judges
        if name not in judges:
            hint = None if judges else "judgekit init writes a project with one judge"
            raise UnknownName("judge", name, judges, file=self.file, hint=hint)
        return judges[name]

    def path(self, name: str) -> Path:
        """Return a path of the configuration, seen from the project's folder."""
        return self.root / name


def open_project(start: str | Path = ".") -> Project:
    """Return the project that holds ``start``: the nearest folder upwards with a judgekit.toml.

    Without any, the defaults, with ``start`` for a root.

    Raises:
        InputError: the file is there and cannot be used; names the line.
    """
    here = Path(start).resolve()
    for folder in (here, *here.parents):
        file = folder / FILE
        if file.is_file():
            return Project(folder, read_configuration(file), shown(file))
    return Project(here, Configuration())


def read_configuration(path: Path) -> Configuration:
    """Read a judgekit.toml.

    Raises:
        InputError: with file and line.
    """
    name = shown(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise InputError("this file is not UTF-8 text", file=name) from error
    except tomllib.TOMLDecodeError as error:
        said = re.match(r"(.*) \(at line (\d+), column \d+\)$", str(error), re.DOTALL)
        message, line = (said[1], int(said[2])) if said else (str(error), None)
        raise InputError(f"not valid TOML: {message}", file=name, line=line) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=name) from error
    try:
        return Configuration.model_validate(data)
    except ValidationError as error:
        raise _readable(error, text, name) from None  # its text holds what was written there


def _readable(error: ValidationError, text: str, name: str) -> InputError:
    problems = error.errors()
    # A misspelt key is told before the right one is missed.
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    where = [str(part) for part in first["loc"]]
    dotted = ".".join(where)
    hint = None
    if first["type"] == "extra_forbidden":
        message = f"unknown key {dotted!r}"
        near = suggest(where[-1], _keys_beside(where))
        hint = f"Did you mean {near!r}?" if near else f"known: {', '.join(_keys_beside(where))}"
    elif first["type"] == "missing":
        message = f"{'.'.join(where[:-1])} has no {where[-1]!r}"
    elif first["type"] == "value_error":
        message = f"{dotted}: {first['ctx']['error']}"
        hint = getattr(first["ctx"]["error"], "hint", None)
    else:
        message = f"{dotted}: {first['msg'].lower()}, not {first['input']!r}"
    others = error.error_count() - 1
    if others:
        message += f" (and {others} more problem{'s' * (others > 1)})"
    return InputError(message, file=name, line=_line_of(where, text), hint=hint)


def _keys_beside(where: list[str]) -> list[str]:
    tables: dict[str, type[Frozen]] = {"policy": Policy, "paths": Paths, "cache": CacheSettings}
    model: type[Frozen] = Configuration
    if where[0] == "judges" and len(where) > 2:
        inside: dict[str, type[Frozen]] = {"price": Price, "panel": PanelEntry}
        model = inside.get(where[2], JudgeEntry) if len(where) > 3 else JudgeEntry
    elif len(where) > 1:
        model = tables.get(where[0], Configuration)
    return list(model.model_fields)


def _line_of(where: list[str], text: str) -> int | None:
    """Find the line a key or a table stands on; good enough for one key a line."""
    lines, start, found = text.split("\n"), 0, None
    for depth in range(len(where), 0, -1):
        header = re.compile(r"\s*\[\s*" + r"\s*\.\s*".join(map(_key, where[:depth])) + r"\s*\]")
        found = next((i for i, line in enumerate(lines) if header.match(line)), None)
        if found is not None:
            start = found
            break
    key = re.compile(rf"(?:[^#]*[\s.{{,])?{_key(where[-1])}\s*=")  # a.key = 1, a = {{ key = 1 }}
    for number in range(start, len(lines)):
        if key.match(lines[number]):
            return number + 1
    return None if found is None else start + 1


def _key(name: str) -> str:
    return rf"[\"']?{re.escape(name)}[\"']?"
