"""Exported judges: files that work as they stand, and give no number once the judge is another."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judgekit.adapters.table import PROVIDERS, RUNNERS
from judgekit.testing import StubServer
from tests.e2e.house import RUBRIC, House, echo, spread

LEVELS = ["rude", "cold", "polite", "friendly"]
ADAPTERS = Path(__file__).resolve().parents[2] / "judgekit" / "adapters"


def two_criteria() -> str:
    """The rubric with a second criterion like the first."""
    head, body, _ = RUBRIC.split("---\n")
    one = body.partition("criteria:\n")[2].partition("        anchors:\n")[0]
    return f"{head}---\n{body}{one.replace('criterion: tone', 'criterion: manner')}---\n"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A project whose judge is certified."""
    with StubServer(reply=echo()) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-of-the-test")
        made = House(tmp_path_factory.mktemp("certified"), server)
        made.judge()
        made.labels(spread(LEVELS, 60))
        assert made.run("calibrate", "tone").code == 0
        yield made


@pytest.fixture
def certified(house: House, template: House) -> House:
    """The same project, in a folder of the test's own."""
    shutil.copytree(template.root, house.root, dirs_exist_ok=True)
    return House(house.root, template.server)


def called(file: Path, *calls: tuple[Any, ...]) -> list[Any]:
    """What the one function of a file answers, loaded by its path from another folder."""
    spec = importlib.util.spec_from_file_location("exported", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with contextlib.chdir("/"):
        spec.loader.exec_module(module)
        call = getattr(module, "get_assert", None) or module.call_api
        return [call(*given) for given in calls]


def asked(i: int) -> tuple[str, dict]:
    """What promptfoo calls an assertion with."""
    return f"answer {i} is {LEVELS[i * 7 % 4]}", {"vars": {"input": f"question {i}"}}


def test_each_line_of_the_table_says_how_its_adapter_is_called(certified: House) -> None:
    """The file compiles, and calls what the adapter has, in the way the adapter takes it."""
    for runner in (*RUNNERS, *PROVIDERS):
        flags = ["--provider"] if runner in PROVIDERS else []
        words = ["export", runner.name, "tone", "--out", "made.py", "--force", *flags]
        assert certified.run(*words).code == 0
        tree = ast.parse((certified.root / "made.py").read_text())
        adapter = ast.parse((ADAPTERS / f"{runner.module}.py").read_text())

        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        place = f"judgekit.adapters.{runner.module}"
        assert (imports[-1].module, imports[-1].names[0].name) == (place, runner.factory)
        (made,) = [node for node in adapter.body if getattr(node, "name", None) == runner.factory]
        starred = [n.kwarg.arg for n in ast.walk(made) if isinstance(n, ast.arguments) and n.kwarg]
        assert "how" in starred, runner.name


def test_values_are_those_of_score(certified: House) -> None:
    """From any working directory, with the certificate beside each."""
    items = certified.items([LEVELS[i * 7 % 4] for i in range(12)])
    assert certified.run("score", "tone", str(items), "--out", "scores.jsonl").code == 0
    rows = [json.loads(x) for x in (certified.root / "scores.jsonl").read_text().splitlines()]
    (certified.root / "evals").mkdir()
    assert certified.run("export", "promptfoo", "tone", "--out", "evals/judge.py").code == 0
    graded = called(certified.root / "evals" / "judge.py", *map(asked, range(12)))

    assert [one["score"] for one in graded] == [row["value"] for row in rows]
    assert {one["metadata"]["judgekit_certificate"] for one in graded} == {rows[0]["certificate"]}


def test_a_folder_moved_as_a_whole_works_on(certified: House, tmp_path_factory: Any) -> None:
    """The project is named as seen from the file."""
    certified.run("export", "promptfoo", "tone")
    elsewhere = tmp_path_factory.mktemp("moved") / "project"
    shutil.copytree(certified.root, elsewhere)
    shutil.rmtree(certified.root / "rubrics")
    (graded,) = called(elsewhere / "judgekit_tone.py", asked(3))

    assert graded["namedScores"] == {"tone": 2}


@pytest.mark.parametrize("change", ["rubric", "renewed"])
def test_another_certificate_is_refused(certified: House, change: str) -> None:
    """One that is void, and a new one that the file does not carry."""
    certified.run("export", "promptfoo", "tone")
    path = certified.root / "rubrics" / "tone.jinja"
    if change == "rubric":
        path.write_text(path.read_text().replace("says nothing kind", "says nothing nice"))
    else:
        (certificate,) = certified.root.glob("certificates/*.json")
        certificate.unlink()
        text = path.read_text().replace("says nothing kind", "says nothing nice")
        path.write_text(text.replace("version: 1", "version: 2"))
        assert certified.run("calibrate", "tone").code == 0
    (graded,) = called(certified.root / "judgekit_tone.py", asked(2))

    assert (graded["pass"], graded["namedScores"]) == (False, {})
    code = {"rubric": "rubric_changed", "renewed": "certificate_invalid"}[change]
    assert graded["reason"].startswith(f"judgekit[{code}]: ")


def test_behind_the_rubrics_of_promptfoo(certified: House) -> None:
    """It answers for the judge's own name; any other rubric, and any refusal, is an error."""
    certified.run("export", "promptfoo", "tone", "--provider")
    file = certified.root / "judgekit_tone_provider.py"
    given = [
        {"input": "q 1", "output": "answer 1 is polite", "rubric": r} for r in ("tone", "kind")
    ]
    good, other = called(file, *(("prompt", {}, {"vars": one}) for one in given))

    assert json.loads(good["output"]) == {"pass": True, "score": 3, "reason": "as it says"}
    assert good["metadata"]["judgekit"]["tone"]["judgekit_status"] == "scored"
    assert other == {"error": "judgekit: this judge has a rubric of its own; write value: tone"}
    shutil.rmtree(certified.root / "certificates")
    (refused,) = called(file, ("prompt", {}, {"vars": given[0]}))
    assert refused["error"].startswith("judgekit[no_certificate]: ")


def test_an_answer_in_json_stays_json(certified: House) -> None:
    """Handed over as data, it is shown to the judge as the text that it was."""
    certified.run("export", "promptfoo", "tone", "--provider")
    certified.run("export", "promptfoo", "tone")
    data = {"text": "answer 1 is polite, naïve"}
    text = json.dumps(data, ensure_ascii=False)
    given = {"vars": {"input": "q", "output": data, "rubric": "tone"}}
    (behind,) = called(certified.root / "judgekit_tone_provider.py", ("prompt", {}, given))
    (beside,) = called(certified.root / "judgekit_tone.py", (text, {"vars": {"input": "q"}}))
    facts = behind["metadata"]["judgekit"]["tone"]

    assert facts["judgekit_item"] == beside["metadata"]["judgekit_item"]


def test_several_criteria(served: House) -> None:
    """One variable for each, or one for all, where the runner has room for several."""
    served.judge(two_criteria())
    served.labels(spread(LEVELS, 120), criterion=["tone", "manner"] * 60)
    assert served.run("calibrate", "tone").code == 0
    one_each = served.run("export", "deepeval", "tone", "--json").json
    together = served.run("export", "promptfoo", "tone", "--out", "all.py", "--json").json
    some = served.run(
        "export", "promptfoo", "tone", "--criterion", "manner", "--out", "some.py", "--json"
    ).json

    assert one_each["variables"] == ["tone_tone", "tone_manner"]
    assert together["variables"] == ["get_assert"]
    assert together["certificates"] == ["+".join(one_each["certificates"])]
    assert some["certificates"] == [one_each["certificates"][1]]
    (graded,) = called(served.root / "all.py", asked(2))
    assert graded["namedScores"] == {"tone_tone": 3, "tone_manner": 3}
    (graded,) = called(served.root / "some.py", asked(2))
    assert graded["namedScores"] == {"tone_manner": 3}


def test_a_rubric_file_with_a_model(served: House) -> None:
    """A judge that stands in no configuration is written down with its model and endpoint."""
    who = ["rubrics/tone.jinja", "--model", "openai/stub-2025-01-01"]
    who += ["--api-base", served.server.base_url]
    assert served.run("calibrate", *who, "--labels", "labels.csv").code == 0
    assert served.run("export", "promptfoo", *who, "--out", "made.py").code == 0
    (graded,) = called(served.root / "made.py", asked(2))

    assert graded["score"] == 3


def test_names_that_are_no_names_in_python(served: House) -> None:
    """Quotes, backslashes and blanks in a judge's name stay text."""
    toml = (served.root / "judgekit.toml").read_text()
    names = ['"""; raise SystemExit(1); """', "it's mine\\"]
    tables = [toml.replace("[judges.tone]", f"[judges.{json.dumps(name)}]") for name in names]
    served.write("judgekit.toml", "\n".join(tables))
    for i, name in enumerate(names):
        assert served.run("calibrate", name).code == 0
        file = served.root / f"made{i}.py"
        assert served.run("export", "promptfoo", name, "--out", file.name).code == 0
        (graded,) = called(file, asked(2))
        assert graded["score"] == 3
        assert served.run("export", "mlflow", name, "--out", "m.py", "--force").code == 0
        compile((served.root / "m.py").read_text(), "m.py", "exec")
