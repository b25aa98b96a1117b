"""Correlations, errors, confusion and probabilities, against other people's code."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from statsmodels.regression.linear_model import OLS
from statsmodels.tools.tools import add_constant

from judgekit.stats import Undefined
from judgekit.stats.arrays import FloatArray
from judgekit.stats.bradley_terry import BradleyTerry, bradley_terry
from judgekit.stats.confusion import balanced_accuracy_of, f1_of, mcc
from judgekit.stats.correlation import kendall_tau_b, pearson, spearman
from judgekit.stats.estimate import Estimate
from judgekit.stats.level_errors import mean_absolute_error
from judgekit.stats.partial import partial_pearson, partial_spearman
from judgekit.stats.probability import Forecasts, brier, log_loss
from judgekit.stats.probability_maps import Isotonic, fit_isotonic
from judgekit.stats.reliability import Binning, ece, reliability
from judgekit.stats.scored import Kind, Scored, score_correlation, score_squared_error

TABLES = 300


def random_tables(seed: int, count: int = TABLES) -> Iterator[FloatArray]:
    """Tables of two to six levels, from sparse to full, from chance to near perfection."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        k, n = int(rng.integers(2, 7)), int(rng.integers(5, 300))
        skew = rng.dirichlet(np.full(k, rng.choice([0.3, 1, 5])))
        lean = rng.dirichlet(np.full(k, rng.choice([0.3, 1, 5])))
        shares = (1 - (t := rng.random())) * np.outer(skew, lean) + t * np.diag(skew)
        yield rng.multinomial(n, shares.ravel()).reshape(k, k).astype(float)


def sides(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The codes of the pairs a table counts."""
    k = table.shape[0]
    cells = np.repeat(np.arange(k * k), table.astype(int).ravel())
    return cells // k, cells % k


def values_of(k: int) -> FloatArray:
    """Uneven level values."""
    return np.arange(1, k + 1) ** 1.5


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (pearson, stats.pearsonr),
        (spearman, stats.spearmanr),
        (kendall_tau_b, stats.kendalltau),
    ],
)
def test_correlations_are_scipys(
    ours: Callable[..., float | Undefined], theirs: Callable[..., tuple[float, float]]
) -> None:
    """From the table what scipy finds in the rows; undefined where scipy has nan."""
    undefined = 0
    for table in random_tables(11):
        v = values_of(table.shape[0])
        human, judge = (v[side] for side in sides(table))
        found = ours(table, v)
        if np.ptp(human) == 0 or np.ptp(judge) == 0:
            assert isinstance(found, Undefined)
            undefined += 1
            continue

        assert found == pytest.approx(theirs(human, judge)[0], abs=1e-12)
    assert 0 < undefined < TABLES / 3


@pytest.mark.parametrize(
    ("kind", "theirs"),
    [
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall_tau_b", stats.kendalltau),
    ],
)
def test_correlations_of_scores_are_scipys(
    kind: Kind, theirs: Callable[..., tuple[float, float]]
) -> None:
    """Scores between the levels, with ties and without."""
    rng = np.random.default_rng(12)
    for _ in range(100):
        k, n = int(rng.integers(2, 6)), int(rng.integers(6, 80))
        v, human = values_of(k), rng.integers(0, k, n)
        human[:2] = 0, k - 1
        score = np.clip(v[human] + rng.normal(size=n) * rng.choice([0.3, 3]), v[0], v[-1])
        score = np.round(score, int(rng.integers(0, 4))).clip(v[0], v[-1])
        score[2:4] = v[0], v[-1]
        found = score_correlation(Scored(human, score, v), kind)
        assert isinstance(found, Estimate)

        assert found.value == pytest.approx(theirs(v[human], score)[0], abs=1e-12)


def test_errors_are_sklearns() -> None:
    """Mean absolute error on level values; root mean squared error of scores."""
    for table in random_tables(13, 150):
        v = values_of(table.shape[0])
        human, judge = (v[side] for side in sides(table))
        expected = metrics.mean_absolute_error(human, judge)
        found = score_squared_error(Scored(sides(table)[0], judge, v))
        assert isinstance(found, Estimate)

        assert mean_absolute_error(table, v) == pytest.approx(expected, abs=1e-12)
        assert found.value == pytest.approx(metrics.root_mean_squared_error(human, judge))


def test_mcc_is_sklearns() -> None:
    """Where one side is constant sklearn says 0, and we say nothing."""
    undefined = 0
    for table in random_tables(14, 150):
        human, judge = sides(table)
        found, expected = mcc(table), metrics.matthews_corrcoef(human, judge)
        if isinstance(found, Undefined):
            assert expected == 0
            undefined += 1
            continue

        assert found == pytest.approx(expected, abs=1e-12)
    assert undefined > 0


def test_f1_and_balanced_accuracy_are_sklearns() -> None:
    """F1 of each level, nan where nobody gave it; the mean recall."""
    for table in random_tables(15, 150):
        human, judge = sides(table)
        levels = range(table.shape[0])
        expected = metrics.precision_recall_fscore_support(
            human, judge, labels=levels, zero_division=np.nan
        )[2]

        assert f1_of(table) == pytest.approx(expected, nan_ok=True)
        if (table.sum(axis=1) > 0).all():
            balanced = metrics.balanced_accuracy_score(human, judge)
            assert float(balanced_accuracy_of(table)) == pytest.approx(balanced)


def test_partial_correlations_are_those_of_residuals() -> None:
    """Regress both on the third by least squares and correlate what is left."""
    rng = np.random.default_rng(16)
    for _ in range(100):
        n = int(rng.integers(6, 60))
        given = rng.integers(1, 6, n).astype(float)
        given[:2] = 1, 5
        x, y = given + rng.normal(size=n), np.round(given + rng.normal(size=(n)), 1)
        for ours, kept in (
            (partial_pearson, (x, y, given)),
            (partial_spearman, tuple(stats.rankdata(a) for a in (x, y, given))),
        ):
            design = add_constant(kept[2])
            left = [OLS(side, design).fit().resid for side in kept[:2]]

            assert ours(x, y, given) == pytest.approx(stats.pearsonr(*left)[0], abs=1e-10)


def forecasts(seed: int, n: int) -> Forecasts:
    """Forecasts with ties, some of them certain."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.beta(0.7, 0.7, n), int(rng.integers(1, 4)))
    y = (rng.random(n) < p).astype(int)
    y[:2] = 0, 1
    return Forecasts(p, y)


def test_scores_of_probabilities_are_sklearns() -> None:
    """Brier score and log loss."""
    for seed in range(100):
        given = forecasts(seed, 40)
        found, loss = brier(given), log_loss(given)
        assert isinstance(found, Estimate)
        assert isinstance(loss, Estimate)
        clipped = np.clip(given.p, 1e-6, 1 - 1e-6)

        assert found.value == pytest.approx(metrics.brier_score_loss(given.y, given.p))
        assert loss.value == pytest.approx(metrics.log_loss(given.y, clipped))


@pytest.mark.parametrize(("binning", "strategy"), [("width", "uniform"), ("mass", "quantile")])
def test_the_diagram_is_sklearns(binning: Binning, strategy: str) -> None:
    """Shares and mean forecasts of the bins that are not empty, on either kind of bins."""
    for seed in range(100):
        given = forecasts(seed, 60)
        share, mean = calibration_curve(given.y, given.p, n_bins=10, strategy=strategy)
        bars = [bar for bar in reliability(given, binning=binning) if bar.n]
        shares = [bar.share.value for bar in bars if isinstance(bar.share, Estimate)]

        assert shares == pytest.approx(share)
        assert [bar.forecast for bar in bars] == pytest.approx(mean)
        weights = np.array([bar.n for bar in bars]) / 60
        assert ece(given, binning=binning) == pytest.approx(float(weights @ np.abs(share - mean)))


def test_the_isotonic_map_is_sklearns() -> None:
    """Fitted on one sample, asked of another."""
    for seed in range(20):
        train, test = forecasts(seed, 250), forecasts(seed + 1000, 50)
        found = fit_isotonic(train)
        assert isinstance(found, Isotonic)
        theirs = IsotonicRegression(out_of_bounds="clip").fit(train.p, train.y).predict(test.p)

        assert found(test.p) == pytest.approx(np.clip(theirs, 1e-6, 1 - 1e-6))


def test_bradley_terry_is_minorise_maximise() -> None:
    """Hunter's (2004) iteration, which knows no derivatives, ends at the same strengths."""
    rng = np.random.default_rng(17)
    for _ in range(30):
        m = int(rng.integers(2, 6))
        wins = rng.integers(1, 30, (m, m)).astype(float)
        np.fill_diagonal(wins, 0)
        met, power = wins + wins.T, np.ones(m)
        for _ in range(1500):
            power = wins.sum(axis=1) / (met / (power[:, None] + power[None, :])).sum(axis=1)
            power /= power[0]
        found = bradley_terry(wins)
        assert isinstance(found, BradleyTerry)

        assert found.strengths == pytest.approx(np.log(power), abs=1e-8)


def test_bradley_terry_errors_are_those_of_a_logistic_regression() -> None:
    """Statsmodels fits the same model to rows of +1 and -1."""
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    rng = np.random.default_rng(18)
    for _ in range(10):
        wins = rng.integers(1, 30, (4, 4)).astype(float)
        i, j = np.triu_indices(4, 1)
        design = np.zeros((i.size, 4))
        design[np.arange(i.size), i], design[np.arange(i.size), j] = 1, -1
        theirs = GLM(
            np.column_stack([wins[i, j], wins[j, i]]), design[:, 1:], family=Binomial()
        ).fit(tol=1e-12)
        found = bradley_terry(wins)
        assert isinstance(found, BradleyTerry)

        assert found.strengths[1:] == pytest.approx(theirs.params, abs=1e-6)
        assert np.sqrt(np.diag(found.covariance)[1:]) == pytest.approx(theirs.bse, abs=1e-6)
