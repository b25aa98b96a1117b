"""The golden cases: expected values with tolerances, kept beside the checkout."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judgekit.stats import (
    Estimate,
    Pairs,
    Undefined,
    agreement,
    contingency,
    identity,
    kappa,
    linear,
    mean_signed_error,
    newcombe_paired,
    path_score,
    precision,
    quadratic,
    raw_agreement,
    recall,
    standard_error,
    wilson,
)
from judgekit.stats.arrays import FloatArray
from tests.stats.strategies import pairs_of

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
if not GOLDEN.is_dir():
    pytest.skip("the golden cases are not beside this checkout", allow_module_level=True)

Inputs = dict[str, Any]
Outcome = float | str | None

# What no function computes yet, by the group of its cases. Patterns match whole keys.
UNSUPPORTED = {
    "agreement-table": (
        r"kappa_se0|kappa_se_jackknife|bca_acceleration|scott_pi|gwet_ac[12].*|bennett_s|pabak",
        r"alpha_\w+|kappa_max|mcc|f1\[.*\]|prevalence_index|bias_index|kappa_from_byrt_identity",
    ),
    "alt-test": (r".*",),
    "bias": (r"partial_\w+|spread_ratio_sd|paired_t_p",),
    "bootstrap": (r".*",),
    "correction": (r".*",),
    "correlation": (r"pearson|spearman|kendall_tau_b|mae|lin_ccc_n",),
    "edge": (
        r"gwet_ac1|bennett_s|clopper_pearson_.*|fallback_lower_fixed_margins|gate",
        r"pearson|spearman|kendall_tau_b|mae|n_invalid_judge",
    ),
    "multi-rater": (r".*",),
    "paired": (r"exact_p|midp|chi2_p_\w+|stuart_maxwell_\w+|bhapkar_chi2|bowker_\w+",),
    "pairwise": (r".*",),
    "probability": (r".*",),
    "proportion": (r"clopper_pearson_\w+|jeffreys_\w+|rule_of_three_\w+",),
    "replicates": (r".*",),
    "sample-size": (r".*",),
    "scale": (r"gwet_ac1_.*|bennett_s_rubric|kappa_\w+_observed_WRONG",),
    "sequential": (r".*",),
}


def load() -> list[tuple[dict[str, Any], str]]:
    """Every expected value of every case that is not listed as unsupported."""
    cases = [json.loads(p.read_text()) for p in sorted(GOLDEN.glob("*.json"))]
    return [
        (case, key)
        for case in cases
        if isinstance(case, dict)
        for key in case["expected"]
        if not is_unsupported(case["group"], key)
    ]


def is_unsupported(group: str, key: str) -> bool:
    """Whether the key is on the list of what is still to be built."""
    return any(re.fullmatch(pattern, key) for pattern in UNSUPPORTED.get(group, ()))


def scale(inputs: Inputs) -> list[Any]:
    """The declared scale; the correlation cases declare none and use levels of 1 to 5."""
    return list(inputs.get("scale", [1, 2, 3, 4, 5] if "human" in inputs else []))


def pairs(inputs: Inputs) -> Pairs:
    """The case's pairs, as codes of its scale."""
    levels = scale(inputs)
    if "human" not in inputs:
        return pairs_of(table(inputs))
    codes = {level: code for code, level in enumerate(levels)}
    missing = len(levels)
    human, judge = (
        np.array([codes.get(level, missing) for level in inputs[who]]) for who in ("human", "judge")
    )
    return Pairs(human, judge, len(levels))


def table(inputs: Inputs) -> FloatArray:
    """The case's table, given or counted."""
    for name in ("table_rows_rater1_cols_rater2", "table"):
        if name in inputs:
            return np.array(inputs[name], dtype=float)
    found = pairs(inputs)
    return contingency(found.human, found.judge, found.k)


def weights(inputs: Inputs, name: str) -> FloatArray:
    """Agreement weights by the name of the statistic."""
    size = len(table(inputs))
    if "custom" in name:
        cost = np.array(inputs["disagreement_weights"], dtype=float)
        return 1 - cost / cost.max()
    if "linear" in name:
        return linear(scale(inputs))
    return quadratic(scale(inputs)) if "quadratic" in name else identity(size)


def kappa_value(inputs: Inputs, key: str) -> Outcome:
    """Kappa, or its standard error, with the weights in the key."""
    statistic = standard_error if key.endswith("_se") else kappa
    found = statistic(table(inputs), weights(inputs, key))
    return None if isinstance(found, Undefined) else found


def interval_end(inputs: Inputs, key: str) -> Outcome:
    """One end of the path-score interval at the confidence in the key."""
    confidence = int(re.findall(r"ci(\d\d)", key)[0]) / 100
    found = path_score(table(inputs), weights(inputs, key), confidence=confidence)
    return None if isinstance(found, Undefined) else end(found, key)


def end(found: Estimate | Undefined, key: str) -> float:
    """The end the key asks for."""
    assert isinstance(found, Estimate)
    return found.low if "lower" in key else found.high


def per_level(inputs: Inputs, key: str) -> Outcome:
    """Recall or precision of the level in brackets."""
    name, level = re.fullmatch(r"(\w+)\[(.*)\]", key).groups()  # type: ignore[union-attr]
    statistic = recall if name == "recall" else precision
    found = statistic(pairs(inputs))[scale(inputs).index(int(level))]
    return found.value if isinstance(found, Estimate) else None


def raw(inputs: Inputs, _key: str) -> Outcome:
    """Raw agreement."""
    found = raw_agreement(table(inputs))
    return None if isinstance(found, Undefined) else found


def proportion_end(inputs: Inputs, key: str) -> Outcome:
    """One end of Wilson's interval."""
    return end(wilson(inputs["successes"], inputs["n"], confidence=inputs["conf"]), key)


def newcombe_end(inputs: Inputs, key: str) -> Outcome:
    """One end of the paired difference."""
    return end(newcombe_paired(inputs["table"]), key)


def mean_error(inputs: Inputs, _key: str) -> Outcome:
    """Judge minus human, on the values of a 1-5 scale."""
    found = mean_signed_error(pairs(inputs), [1, 2, 3, 4, 5])
    return found.value if isinstance(found, Estimate) else None


def size_of_undefined(inputs: Inputs, _key: str) -> Outcome:
    """The count an undefined estimate still carries."""
    found = agreement(pairs(inputs), identity(len(scale(inputs))))
    assert isinstance(found, Undefined)
    return found.n


def off_the_scale(inputs: Inputs, _key: str) -> Outcome:
    """What happens to a level that is not on the scale."""
    try:
        pairs(inputs)
    except ValueError:
        return "error_or_invalid_not_clamped"
    return "clamped"


HANDLERS: dict[str, Callable[[Inputs, str], Outcome]] = {
    r"raw_agreement": raw,
    r"kappa(_custom|_linear|_quadratic)?(_se)?|kappa_\w+_rubric|kappa_unweighted": kappa_value,
    r"score_ci\d\d_(lower|upper)(_quadratic)?": interval_end,
    r"(precision|recall)\[\w+\]": per_level,
    r"wilson_(lower|upper)": proportion_end,
    r"lower|upper": newcombe_end,
    r"bias_judge_minus_human|leniency_mean_diff": mean_error,
    r"n": size_of_undefined,
    r"behaviour": off_the_scale,
}


@pytest.mark.parametrize(("case", "key"), load(), ids=lambda part: getattr(part, "get", str)("id"))
def test_golden(case: dict[str, Any], key: str) -> None:
    """Each expected value of this stage, to the tolerance of its case."""
    (handler,) = (f for pattern, f in HANDLERS.items() if re.fullmatch(pattern, key))
    expected = case["expected"][key]
    found = handler(case["inputs"], key)

    if isinstance(expected, float | int):
        assert found == pytest.approx(expected, abs=max(case["tolerance"][key], 1e-12), rel=0)
    else:
        assert found == expected


def test_the_list_of_what_is_missing_is_alive() -> None:
    """Every pattern of the unsupported list still matches some key of its group."""
    keys: dict[str, set[str]] = {}
    for path in GOLDEN.glob("*.json"):
        if isinstance(case := json.loads(path.read_text()), dict):
            keys.setdefault(case["group"], set()).update(case["expected"])

    stale = [
        f"{group}: {part}"
        for group, patterns in UNSUPPORTED.items()
        for part in "|".join(patterns).split("|")
        if not any(re.fullmatch(part, key) for key in keys.get(group, ()))
    ]

    assert stale == []
