"""Every golden case through the public names of the statistics; nothing is left out.

A golden case is a file beside the checkout: inputs, expected values with tolerances, and the
references each value was made with. A key is computed by the one handler whose pattern fits.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judgekit import stats
from judgekit.stats import Estimate, Pairs, Ratings, Undefined
from judgekit.stats.arrays import FloatArray
from tests.stats.strategies import pairs_of

GOLDEN = Path(__file__).resolve().parents[2].parent / "shared" / "golden"
if not GOLDEN.is_dir():
    pytest.skip("the golden cases are not beside this checkout", allow_module_level=True)

Inputs = dict[str, Any]
Outcome = float | str | bool | None
CASES = [
    case
    for p in sorted(GOLDEN.glob("*.json"))
    if isinstance(case := json.loads(p.read_text()), dict)
]


def plain(found: Any) -> Any:
    """The number in a result; None where it is undefined."""
    if isinstance(found, Undefined):
        return None
    return found.value if isinstance(found, Estimate) else found


def end(found: Estimate | Undefined, key: str) -> float:
    """The end of an interval that the key asks for."""
    assert isinstance(found, Estimate)
    return found.low if "lower" in key else found.high


# --- inputs ---


def scale(inputs: Inputs) -> list[Any]:
    """The declared scale; the correlation cases declare none and use levels of 1 to 5."""
    if "scale" in inputs:
        return list(inputs["scale"])
    if "units_by_rater" in inputs:
        return sorted({x for unit in inputs["units_by_rater"] for x in unit if x is not None})
    return [1, 2, 3, 4, 5] if "human" in inputs else list(range(1, len(table(inputs)) + 1))


def pairs(inputs: Inputs) -> Pairs:
    """The case's pairs, as codes of its scale; a level off the scale has no code."""
    levels = scale(inputs)
    if "human" not in inputs:
        return pairs_of(table(inputs))
    codes = {level: code for code, level in enumerate(levels)}
    off = len(levels)
    human, judge = (
        np.array([codes.get(level, off) for level in inputs[who]]) for who in ("human", "judge")
    )
    return Pairs(human, judge, len(levels))


def table(inputs: Inputs) -> FloatArray:
    """The case's table, given or counted."""
    for name in ("table_rows_rater1_cols_rater2", "confusion_human_rows_judge_cols", "table"):
        if name in inputs:
            return np.array(inputs[name], dtype=float)
    found = pairs(inputs)
    return stats.contingency(found.human, found.judge, found.k)


def observed(inputs: Inputs) -> FloatArray:
    """The table over the levels that occur, re-indexed: what goes wrong without a scale."""
    seen = sorted({*inputs["human"], *inputs["judge"]})
    human, judge = ([seen.index(x) for x in inputs[who]] for who in ("human", "judge"))
    return stats.contingency(human, judge, len(seen))


def ratings(inputs: Inputs) -> Ratings:
    """The case's units by raters, or its counts."""
    if "counts_subject_by_category" in inputs:
        return Ratings.from_counts(inputs["counts_subject_by_category"])
    levels = scale(inputs)
    codes = [
        [-1 if x is None else levels.index(x) for x in unit] for unit in inputs["units_by_rater"]
    ]
    return Ratings(np.array(codes), len(levels))


def weights(inputs: Inputs, name: str) -> FloatArray:
    """Agreement weights by the name of the statistic."""
    if "custom" in name:
        cost = np.array(inputs["disagreement_weights"], dtype=float)
        return 1 - cost / cost.max()
    if "linear" in name:
        return stats.linear(scale(inputs))
    levels = len(scale(inputs))
    return stats.quadratic(scale(inputs)) if "quadratic" in name else stats.identity(levels)


# --- two raters ---


def kappas(inputs: Inputs, key: str) -> Outcome:
    """Kappa, or one of its standard errors, with the weights in the key."""
    w = weights(inputs, key)
    if key.endswith("_se_jackknife"):
        return plain(stats.jackknife_error(table(inputs), partial(stats.kappa_of, weights=w)))
    function = stats.kappa
    if key.endswith("_se0"):
        function = stats.null_standard_error
    elif key.endswith("_se"):
        function = stats.standard_error
    return plain(function(table(inputs), w))


def wrong_kappa(inputs: Inputs, key: str) -> Outcome:
    """What a kappa over the levels seen would be; the scale is ours to give, so it can be shown."""
    seen = observed(inputs)
    name = "linear" if "linear" in key else "quadratic"
    return plain(stats.kappa(seen, stats.by_name(name, range(len(seen)))))


def score_end(inputs: Inputs, key: str) -> Outcome:
    """One end of the path-score interval at the confidence in the key."""
    confidence = int(re.findall(r"ci(\d\d)", key)[0]) / 100
    return end(stats.path_score(table(inputs), weights(inputs, key), confidence=confidence), key)


def acceleration(inputs: Inputs, key: str) -> Outcome:
    """How the BCa interval bends."""
    w = weights(inputs, "identity")
    return plain(stats.acceleration(table(inputs), partial(stats.kappa_of, weights=w)))


def two_raters(inputs: Inputs, key: str) -> Outcome:
    """A coefficient of one table, by name."""
    name = {
        "gwet_ac1_rubric": "gwet_ac1",
        "bennett_s_rubric": "bennett_s",
        "gwet_ac2_quadratic": "gwet_ac2",
    }.get(key, key)
    more = (weights(inputs, "quadratic"),) if name == "gwet_ac2" else ()
    if "units_by_rater" in inputs or "counts_subject_by_category" in inputs:
        return many_raters(inputs, key)
    return plain(getattr(stats, name)(table(inputs), *more))


def wrong_ac1(inputs: Inputs, key: str) -> Outcome:
    """AC1 with the number of levels seen."""
    return plain(stats.gwet_ac1(observed(inputs)))


def alphas(inputs: Inputs, key: str) -> Outcome:
    """Krippendorff's alpha, of raters or of the two sides of a table."""
    metric = key.removeprefix("alpha_")
    if "units_by_rater" in inputs or "counts_subject_by_category" in inputs:
        rated = ratings(inputs)
    else:
        found = pairs(inputs)
        rated = Ratings.from_raters([found.human, found.judge], found.k)
    values = scale(inputs) if metric in ("interval", "ratio") else None
    return plain(stats.krippendorff_alpha(rated, metric, values))  # type: ignore[arg-type]


def byrt(inputs: Inputs, key: str) -> Outcome:
    """Kappa from its parts."""
    t = table(inputs)
    parts = [stats.pabak(t), stats.prevalence_index(t), stats.bias_index(t)]
    return plain(stats.kappa_by_byrt(*parts))  # type: ignore[arg-type]


def per_level(inputs: Inputs, key: str) -> Outcome:
    """Recall, precision or F1 of the level in brackets."""
    name, level = re.fullmatch(r"(\w+)\[(.*)\]", key).groups()  # type: ignore[union-attr]
    found = getattr(stats, name)(pairs(inputs))[scale(inputs).index(int(level))]
    return plain(found)


def correlations(inputs: Inputs, key: str) -> Outcome:
    """A correlation or an error on the values of the levels."""
    name = {"mae": "mean_absolute_error", "lin_ccc_n": "lin_ccc"}.get(key, key)
    return plain(getattr(stats, name)(table(inputs), scale(inputs)))


def mean_error(inputs: Inputs, key: str) -> Outcome:
    """Judge minus human, on the values of the scale."""
    return plain(stats.mean_signed_error(pairs(inputs), scale(inputs)))


def edge_n(inputs: Inputs, key: str) -> Outcome:
    """The count an undefined estimate still carries."""
    found = stats.agreement(pairs(inputs), weights(inputs, ""))
    assert isinstance(found, Undefined)
    return found.n


def gate(inputs: Inputs, key: str) -> Outcome:
    """An undefined agreement is refused: there is no low end to hold against a bar."""
    found = stats.agreement(pairs(inputs), weights(inputs, ""))
    return "refuse" if isinstance(found, Undefined) else "decide"


def off_the_scale(inputs: Inputs, key: str) -> Outcome:
    """A level that is not on the scale is counted as invalid, and never clamped."""
    if key == "n_invalid_judge":
        return sum(level not in scale(inputs) for level in inputs["judge"])
    try:
        pairs(inputs)
    except ValueError:
        return "error_or_invalid_not_clamped"
    return "clamped"


# --- shares, and two sides of the same items ---


def share_end(inputs: Inputs, key: str) -> Outcome:
    """One end of an interval of a share."""
    if key.startswith("clopper_pearson_po"):
        t = table(inputs)
        return end(stats.clopper_pearson(t.trace(), t.sum()), key)
    function = getattr(stats, key.rpartition("_")[0])
    return end(function(inputs["successes"], inputs["n"], confidence=inputs["conf"]), key)


def fixed_margins(inputs: Inputs, key: str) -> Outcome:
    """The low end with the margins held."""
    return end(stats.kappa_fixed_margins(table(inputs)), key)


def no_events(inputs: Inputs, key: str) -> Outcome:
    """What none of n says."""
    return plain((stats.rule_of_three if "approx" in key else stats.zero_events)(inputs["n"]))


def newcombe_end(inputs: Inputs, key: str) -> Outcome:
    """One end of the paired difference."""
    return end(stats.newcombe_paired(inputs["table"]), key)


def mcnemar_p(inputs: Inputs, key: str) -> Outcome:
    """A p-value of McNemar's test."""
    variants = {"exact_p": "exact", "midp": "midp", "chi2_p_uncorrected": "chi2"}
    found = stats.mcnemar(inputs["table"], variants.get(key, "edwards"))  # type: ignore[arg-type]
    return None if isinstance(found, Undefined) else found.p


def symmetry(inputs: Inputs, key: str) -> Outcome:
    """Stuart-Maxwell, Bhapkar or Bowker."""
    name, _, part = key.rpartition("_")
    name = name.removesuffix("_df")
    found = getattr(stats, name)(inputs["table"])
    assert isinstance(found, stats.HypothesisTest)
    return {"chi2": found.statistic, "p": found.p, "nonempty": found.df}[part]


# --- many raters, replicates, bootstrap ---


def many_raters(inputs: Inputs, key: str) -> Outcome:
    """A coefficient of units by raters."""
    rated = ratings(inputs)
    if key.startswith("gwet_"):
        w = stats.quadratic(scale(inputs)) if "ac2" in key else None
        return plain(stats.raters_estimate(rated, "gwet_ac2" if "ac2" in key else "gwet_ac1", w))
    name = {"randolph_free_marginal": "brennan_prediger", "fleiss_kappa_missing": "fleiss_kappa"}
    return plain(getattr(stats, name.get(key, key))(rated))


def reliability(inputs: Inputs, key: str) -> Outcome:
    """An intra-class correlation, or how many replicates reach 0.9."""
    scores = np.array(inputs["units_by_rater"], dtype=float)
    if key.startswith("spearman_brown"):
        rho = stats.icc(scores, "1,1")  # type: ignore[arg-type]
        assert isinstance(rho, Estimate)
        return plain(stats.spearman_brown(rho.value, 0.9))
    return plain(stats.icc(scores, key.removeprefix("icc_").replace("_", ",")))  # type: ignore[arg-type]


def enumerated(inputs: Inputs, key: str) -> Outcome:
    """The bootstrap of six items, all tables of it."""
    kappa = partial(stats.kappa_of, weights=stats.identity(2))
    found = stats.exact_bootstrap(table(inputs), kappa)
    if key.startswith("quantile"):
        return float(found.quantile(float(re.findall(r"\[(.*)\]", key)[0])))
    return {"undefined_mass": found.undefined, "boot_mean": found.mean, "boot_sd": found.sd}[key]


def stand_in(inputs: Inputs, key: str) -> Outcome:
    """The alternative annotator test."""
    names, items = list(inputs["humans"]), list(inputs["llm"])
    levels = sorted(
        {*inputs["llm"].values(), *(x for h in inputs["humans"].values() for x in h.values())}
    )
    codes = np.array(
        [[levels.index(h[i]) if i in h else -1 for h in inputs["humans"].values()] for i in items]
    )
    judge = np.array([levels.index(inputs["llm"][i]) for i in items])
    ordinal = inputs.get("scoring", inputs.get("score", "accuracy")) != "accuracy"
    epsilon = inputs.get("epsilon", inputs.get("eps"))
    found = stats.alternative_annotator(
        Ratings(codes, len(levels)), judge, epsilon=epsilon, values=levels if ordinal else None
    )
    assert isinstance(found, stats.AlternativeAnnotator)
    if key.startswith("p["):
        rater = names.index(key[2:-1])
        return next(v.p for v in found.versus if v.rater == rater)
    wanted = {
        "winning_rate": found.winning_rate,
        "avg_advantage_probability": found.advantage.value,
        "passes": found.passes,
    }
    return wanted[key]


# --- correction, probabilities, planning ---


def rates(inputs: Inputs, key: str) -> Outcome:
    """Rogan and Gladen's rate, its error, and the interval of Lang and Reiczigel."""
    two = [[inputs["tn"], inputs["fp"]], [inputs["fn"], inputs["tp"]]]
    at = (two, inputs["unlabeled_pass"], inputs["unlabeled_n"])
    wanted: dict[str, Callable[[], Any]] = {
        "theta": lambda: stats.rogan_gladen(*at),
        "theta_unclipped": lambda: stats.rogan_gladen(*at, clip=False),
        "youden_j": lambda: stats.youden(two),
        "delta_se": lambda: stats.rogan_gladen_error(*at),
        "lang_reiczigel_point": lambda: stats.lang_reiczigel_point(*at),
    }
    if key in wanted:
        return plain(wanted[key]())
    return end(stats.lang_reiczigel(*at), key)


def powered(inputs: Inputs, key: str) -> Outcome:
    """A mean from labels and predictions, as ppi_py has it."""
    human, judge = inputs["human"], inputs["judge_on_labelled"]
    judged = inputs["judge_on_unlabelled"]
    if key.endswith("lambda_as_ppi_py"):
        return stats.ppi_lambda(human, judge, judged)
    classical = stats.classical_mean(human, large_sample=True)
    plus = stats.ppi_plus_mean(human, judge, judged, large_sample=True)
    if key == "effective_sample_size":
        assert isinstance(classical, Estimate)
        assert isinstance(plus, Estimate)
        spreads = [(e.high - e.low) ** 2 for e in (classical, plus)]
        return stats.effective_labels(len(human), *spreads)
    found = {
        "classical": classical,
        "ppi_plus": plus,
        "ppi": stats.ppi_mean(human, judge, judged, large_sample=True),
    }[re.sub(r"_(mean|ci_\w+)$", "", key)]
    return plain(found) if key.endswith("mean") else end(found, key)


def inverted(inputs: Inputs, key: str) -> Outcome:
    """Shares of the levels from what the judge says and how it errs."""
    shares = stats.class_shares(table(inputs), inputs["unlabelled_judge_counts"])
    if key == "condition_number":
        return plain(stats.condition_number(table(inputs)))
    assert not isinstance(shares, Undefined)
    if key.startswith("mean"):
        return float(shares @ [1, 2, 3])
    return float(shares[int(re.findall(r"\d", key)[0])])


def bias(inputs: Inputs, key: str) -> Outcome:
    """Length beside the human level; the judge's spread and mean."""
    human, judge = inputs["human"], inputs["judge"]
    if key.startswith("partial"):
        return plain(getattr(stats, key)(judge, np.log(inputs["length"]), human))
    if key == "spread_ratio_sd":
        return plain(stats.spread_ratio(pairs(inputs), scale(inputs)))
    found = stats.paired_t(judge, human)
    return None if isinstance(found, Undefined) else found.p


def expected(inputs: Inputs, key: str) -> Outcome:
    """The expected level of token probabilities."""
    names = [str(level) for level in inputs["scale"]]
    found = stats.expected_level(inputs["top_logprobs"].items(), names, inputs["scale"])
    return found.captured_mass if key == "captured_mass" else plain(found.value)


def strengths(inputs: Inputs, key: str) -> Outcome:
    """Bradley and Terry's model, the first one for reference."""
    found = stats.bradley_terry(inputs["wins_row_over_col"])
    assert isinstance(found, stats.BradleyTerry)
    return float(found.strengths[int(re.findall(r"\d", key)[0])])


def sequential(inputs: Inputs, key: str) -> Outcome:
    """The e-process for kappa with unknown margins."""
    found = stats.e_process(
        pairs(inputs),
        weights(inputs, ""),
        bar=inputs["k0"],
        batch=inputs["batch"],
        grid=inputs["lambda_grid"],
    )
    if key == "E_final":
        return float(np.exp(found.log_path[-1]))
    return float(found.scores[int(re.findall(r"\d", key)[0])])


def planned(inputs: Inputs, key: str) -> Outcome:
    """Labels for a test, and for a half-width of 0.10 at the null."""
    margins = (inputs["rate1"], inputs["rate2"])
    null, other = (planned_table(*margins, inputs[name]) for name in ("k0", "k1"))
    w = stats.identity(2)
    if key == "n":
        return plain(stats.n_for_test(null, other, w, alpha=inputs["alpha"], power=inputs["power"]))
    return plain(stats.n_for_half_width(other, w, 0.10))


def planned_table(first: float, second: float, kappa: float) -> FloatArray:
    """Two raters with these positive rates and this kappa."""
    chance = first * second + (1 - first) * (1 - second)
    agreed = kappa * (1 - chance) + chance
    both = (agreed - 1 + first + second) / 2
    return np.array([[both, first - both], [second - both, 1 - first - second + both]])


HANDLERS: dict[str, Callable[[Inputs, str], Outcome]] = {
    r"kappa(_custom|_linear|_quadratic)?(_se|_se0|_se_jackknife)?|kappa_\w+_rubric": kappas,
    r"kappa_unweighted": kappas,
    r"kappa_\w+_observed_WRONG": wrong_kappa,
    r"gwet_ac1_observed_WRONG": wrong_ac1,
    r"score_ci\d\d_(lower|upper)(_quadratic)?": score_end,
    r"bca_acceleration": acceleration,
    r"scott_pi|bennett_s(_rubric)?|pabak|gwet_ac1(_rubric)?|gwet_ac2_quadratic": two_raters,
    r"raw_agreement|mcc|prevalence_index|bias_index|kappa_max": two_raters,
    r"alpha_\w+": alphas,
    r"kappa_from_byrt_identity": byrt,
    r"(precision|recall|f1)\[\w+\]": per_level,
    r"pearson|spearman|kendall_tau_b|mae|lin_ccc_n": correlations,
    r"bias_judge_minus_human|leniency_mean_diff": mean_error,
    r"behaviour|n_invalid_judge": off_the_scale,
    r"gate": gate,
    r"(wilson|jeffreys|clopper_pearson)_(lower|upper)|clopper_pearson_po_\w+": share_end,
    r"fallback_lower_fixed_margins": fixed_margins,
    r"rule_of_three_\w+": no_events,
    r"lower|upper": newcombe_end,
    r"exact_p|midp|chi2_p_\w+": mcnemar_p,
    r"(stuart_maxwell|bhapkar|bowker)_\w+": symmetry,
    r"(fleiss_kappa|conger_kappa)(_missing)?|brennan_prediger|randolph_\w+": many_raters,
    r"icc_\w+|spearman_brown_\S+": reliability,
    r"boot_\w+|undefined_mass|quantile_inverse_cdf\[.*\]": enumerated,
    r"p\[\w+\]|winning_rate|avg_advantage_probability|passes": stand_in,
    r"theta(_unclipped)?|youden_j|delta_se|lang_reiczigel_\w+": rates,
    r"(ppi|ppi_plus|classical)_\w+|effective_sample_size": powered,
    r"class_share\[\d\]|condition_number|mean_score_1_3": inverted,
    r"partial_\w+|spread_ratio_sd|paired_t_p": bias,
    r"expected_score|captured_mass": expected,
    r"logit\[\d\]": strengths,
    r"Z\[\d\]|E_final": sequential,
    r"n_for_halfwidth_\S+": planned,
}


def handler(group: str, key: str) -> Callable[[Inputs, str], Outcome]:
    """The one function that computes a key; ``n`` is a size to plan or a count, by the group."""
    if key == "n":
        return planned if group == "sample-size" else edge_n
    (found,) = (f for pattern, f in HANDLERS.items() if re.fullmatch(pattern, key))
    return found


@pytest.mark.parametrize(
    ("case", "key"),
    [(case, key) for case in CASES for key in case["expected"]],
    ids=lambda part: part["id"] if isinstance(part, dict) else part,
)
def test_golden(case: dict[str, Any], key: str) -> None:
    """Each expected value, to the tolerance of its case."""
    wanted = case["expected"][key]
    found = handler(case["group"], key)(case["inputs"], key)

    if isinstance(wanted, bool) or not isinstance(wanted, float | int):
        assert found == wanted
    else:
        assert found == pytest.approx(wanted, abs=max(case["tolerance"][key], 1e-12), rel=0)


def test_nothing_is_left_out() -> None:
    """Fifty-three files hold an index and the cases; each case has values to meet."""
    assert len(CASES) >= 52
    assert all(case["expected"] for case in CASES)
