"""What can be wrong with a marked test is said in one sentence, and never passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.house import House

Run = Callable[..., pytest.RunResult]
Properties = Callable[..., dict[str, str]]
CHECK = 'judge.check(input="q", output="answer 1 is friendly")'
NO_LINE = "    passes_at: 3\n"


WRONG = {
    'judge("tune")': "*no judge named 'tune'*",
    'judge("tone", at_least=1)': "at_least=1 is no share that checks can show*",
    'judge("tone", at_least="0.9")': "at_least='0.9' is no share*",
    'judge("tone", replays=0)': "replays=0 is no number of runs*",
    'judge("tone", population="mine")': "there is no population 'mine'*",
    'judge("tone", criterion="tune")': "*no criterion named 'tune'*",
    'judge("tone", modle="x")': "unknown key 'modle': did you mean 'model'*",
    'judge("tone", "politeness")': "the marker names one judge*",
    "judge": "the marker names one judge*",
    "usefixtures()": "the fixture `judge` needs to know which judge",
}


def test_markers_that_cannot_be(run: Run, project: House) -> None:
    """Said when the test begins, before anything is asked, without a traceback."""
    before = project.server.stats.requests
    tests = [
        f"@pytest.mark.{marker}\ndef test_{i}(judge):\n    {CHECK}\n"
        for i, marker in enumerate(WRONG)
    ]
    result = run("\n".join(tests))

    result.assert_outcomes(errors=len(WRONG))
    result.stdout.fnmatch_lines([*WRONG.values()])
    result.stdout.no_fnmatch_line("*During handling*")
    result.stdout.no_fnmatch_line("*pytest_checks.py*")
    assert project.server.stats.requests == before


NOTHING = {
    "judge": ("pass", "the judge was asked nothing: call judge.check(...)"),
    "": ("pass", "marked with a judge, and never asks it:*"),
    "judge, tmp_path": (
        'judge.check(output="answer 1 is rude")',
        "judgekit?missing?: *needs input*",
    ),
}


def test_a_test_that_asks_nothing_does_not_pass(run: Run) -> None:
    """Nor one that hands over too little."""
    tests = [
        f'@pytest.mark.judge("tone")\ndef test_{i}({signature}):\n    {body}\n'
        for i, (signature, (body, _)) in enumerate(NOTHING.items())
    ]
    result = run("\n".join(tests))

    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines([says for _, says in NOTHING.values()])


def test_markers_and_fixtures_of_others(run: Run, pytester: pytest.Pytester) -> None:
    """A suite that has a marker or a fixture of that name goes on as before."""
    pytester.makeconftest("import pytest\n@pytest.fixture\ndef judge():\n    return 'theirs'\n")
    result = run(
        "@pytest.mark.judge\ndef test_bare():\n    pass\n"
        "@pytest.mark.judge\ndef test_theirs(judge):\n    assert judge == 'theirs'\n"
    )

    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*judges*")


def test_a_fixture_may_ask(run: Run) -> None:
    """A test that takes the judge through a fixture of its own is no test that never asks."""
    result = run(
        "@pytest.fixture\ndef polite(judge):\n    return lambda text: judge.check(input='q', "
        "output=text).passed\n"
        '@pytest.mark.judge("tone")\ndef test_it(polite):\n    assert polite("reply 1 is polite")\n'
        '@pytest.mark.judge("tone")\ndef test_late(request):\n'
        '    judge = request.getfixturevalue("judge")\n    ' + CHECK
    )

    result.assert_outcomes(passed=2)


def test_a_failed_assertion_of_the_test_comes_first(run: Run, properties: Properties) -> None:
    """What was judged before stands among the properties, without a verdict."""
    code = f"""
@pytest.mark.judge("tone", at_least=0.9)
def test_it(judge):
    {CHECK}
    assert 1 == 2
"""
    result = run(code)
    found = properties("test_it")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E       assert 1 == 2"])
    assert (found["level"], found["values"]) == ("friendly", "1")
    assert "verdict" not in found


def test_an_unusable_reply_is_no_number(run: Run, properties: Properties) -> None:
    """With too many of them there is no verdict, whatever the rest says."""
    result = run(
        """
@pytest.mark.judge("tone", at_least=0.5)
def test_it(judge):
    for i in range(18):
        judge.check(input=f"q {i}", output=f"answer {i} is polite")
    for i in range(2):
        assert judge.check(input=f"r {i}", output=f"answer {i} is unheard_of").value is None
"""
    )
    found = properties("test_it")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["tone NO VERDICT: 18 of 20 items judged (2 out_of_scale);*"])
    assert (found["unjudged"], found["values"], found["verdict"]) == ("2", "18", "undefined")
    assert found["reason_code"] == "too_many_unjudged"
    assert "rate" not in found


def test_a_criterion_without_a_pass_line(run: Run, project: House, properties: Properties) -> None:
    """It has values, and no rate: the test looks at them itself."""
    path = project.root / "rubrics" / "tone.jinja"
    text = path.read_text().replace(NO_LINE, "").replace("version: 1", "version: 2")
    path.write_text(text)
    assert project.run("calibrate", "tone").code == 0
    result = run(
        f"""
@pytest.mark.judge("tone")
def test_value(judge):
    assert {CHECK}.value == 4

@pytest.mark.judge("tone", at_least=0.5)
def test_rate(judge):
    {CHECK}
"""
    )

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["no level of 'tone' passes or fails, so there is no rate*"])
    assert properties("test_value")["value"] == "4"
    assert "rate" not in properties("test_value")


def test_the_project_may_be_elsewhere(run: Run, project: House, pytester: pytest.Pytester) -> None:
    """By default the one that the test's file is in; else the one that is named."""
    elsewhere = pytester.path.parent / f"{pytester.path.name}-judges"
    pytester.path.rename(elsewhere)
    pytester.path.mkdir()
    code = f'@pytest.mark.judge("tone")\ndef test_it(judge):\n    {CHECK}\n'
    pytester.chdir()

    run(code).assert_outcomes(errors=1)
    run(code, f"--judge-project={elsewhere}").assert_outcomes(passed=1)
    run(code, f"--judge-project=../{elsewhere.name}").assert_outcomes(passed=1)


LATE = """
@pytest.fixture
def late(judge):
    yield
    judge.check(input="q", output="answer 2 is rude")

@pytest.mark.judge("tone")
def test_late(late, judge):
    judge.check(input="q", output="answer 1 is polite")
"""


def test_a_check_after_the_verdict(run: Run) -> None:
    """It would be in no rate, or in another test's: it is an error."""
    result = run(LATE)

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*test_late is over, and has its verdict*"])
