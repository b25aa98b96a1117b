"""Numbers and their doubt: agreement of judge and human, with intervals that hold when n is small.

This room knows arrays of codes, not rubrics: levels are ``0 .. k - 1`` in the order of the declared
scale. It has no clock and no dice. What cannot be computed is an :class:`Undefined` with a reason,
never nan and never 0.

- Data: :class:`Pairs` of human and judge, and the table they make (``table``); :class:`Ratings` of
  several raters (``ratings``).
- Two raters: ``kappa`` with ``weights``; ``chance`` (Scott, Bennett, PABAK, Gwet), ``correlation``,
  ``level_errors``, ``confusion``, ``levels``; what the margins do to kappa (``paradox``).
- Several raters: ``raters`` (Fleiss, Conger, Brennan and Prediger, Gwet), ``alpha``, ``icc``,
  ``rater_means`` (the human ceiling), ``alternative_annotator``; several judges: ``panel``.
- Intervals: ``path_score`` is the gate's, ``agreement`` puts kappa and its interval together;
  ``intervals`` has score, jackknife, percentile and BCa for any statistic; ``proportions`` and
  ``exact`` for shares. What clusters, weights and strata cost: ``clusters``.
- Comparisons: ``paired``, ``kappa_difference``, ``homogeneity``, ``one_sided``, ``multiplicity``.
- Taking known error out of rates and means: ``rogan_gladen``, ``prediction_powered``,
  ``inversion``.
- Probabilities: ``probability``, ``reliability``, ``calibration_error``, ``probability_maps``,
  ``token_levels``. Preferences: ``pairwise``, ``bradley_terry``.
- Planning: ``sample_size``, ``sequential``, ``group_sequential``.

A function of one table called ``name`` has a twin ``name_of`` for stacks of tables (B, k, k), nan
where it is undefined: what the intervals are made with.
"""

from judgekit.stats.agreement import agreement
from judgekit.stats.alpha import krippendorff_alpha, krippendorff_alpha_estimate
from judgekit.stats.alternative_annotator import AlternativeAnnotator, alternative_annotator
from judgekit.stats.bradley_terry import BradleyTerry, bradley_terry, bradley_terry_clustered
from judgekit.stats.calibration_error import calibration_error
from judgekit.stats.chance import (
    bennett_s,
    bennett_s_of,
    gwet_ac1,
    gwet_ac1_of,
    gwet_ac2,
    gwet_ac2_of,
    pabak,
    pabak_of,
    scott_pi,
    scott_pi_of,
)
from judgekit.stats.clusters import design_effect
from judgekit.stats.confusion import balanced_accuracy, f1, f1_of, mcc, mcc_of
from judgekit.stats.correlation import (
    kendall_tau_b,
    kendall_tau_b_of,
    lin_ccc,
    lin_ccc_of,
    pearson,
    pearson_of,
    spearman,
    spearman_of,
)
from judgekit.stats.enumeration import exact_bootstrap
from judgekit.stats.estimate import Estimate, Undefined, UndefinedReason
from judgekit.stats.exact import (
    clopper_pearson,
    jeffreys,
    kappa_fixed_margins,
    newcombe_independent,
    rule_of_three,
    zero_events,
)
from judgekit.stats.group_sequential import equal_shares, group_sequential, halving_shares
from judgekit.stats.homogeneity import homogeneity, kappa_homogeneity
from judgekit.stats.icc import icc, reliability_of_mean, spearman_brown
from judgekit.stats.intervals import table_estimate, unit_estimate
from judgekit.stats.inversion import (
    class_shares,
    condition_number,
    confusion_matrix,
    inverted_mean,
    inverted_shares,
)
from judgekit.stats.jackknife import acceleration, jackknife, jackknife_error
from judgekit.stats.kappa import (
    influence,
    kappa,
    kappa_of,
    null_standard_error,
    raw_agreement,
    standard_error,
)
from judgekit.stats.kappa_difference import kappa_difference
from judgekit.stats.kappa_max import kappa_max
from judgekit.stats.level_errors import absolute_error, mean_absolute_error, mean_absolute_error_of
from judgekit.stats.levels import precision, recall, sensitivity, specificity
from judgekit.stats.multiplicity import benjamini_hochberg, benjamini_yekutieli, holm
from judgekit.stats.one_sided import p_above
from judgekit.stats.paired import bhapkar, bowker, mcnemar, stuart_maxwell
from judgekit.stats.pairwise import (
    agreement_s1,
    agreement_s2,
    both_orders,
    coverage_s2,
    position_consistency,
)
from judgekit.stats.panel import PanelSize, effective_panel_size
from judgekit.stats.paradox import bias_index, kappa_by_byrt, paradox, prevalence_index
from judgekit.stats.partial import length_bias, partial_pearson, partial_spearman
from judgekit.stats.path_score import bounds, path_score
from judgekit.stats.prediction_powered import (
    classical_mean,
    effective_labels,
    ppi_lambda,
    ppi_mean,
    ppi_plus_mean,
    stratified_ppi_mean,
)
from judgekit.stats.prevalence import at_prevalence, kappa_at
from judgekit.stats.probability import Forecasts, brier, log_loss
from judgekit.stats.probability_maps import fit_isotonic, fit_temperature, out_of_fold
from judgekit.stats.proportions import newcombe_paired, wilson
from judgekit.stats.quantiles import critical
from judgekit.stats.rater_means import kappa_gap, mean_kappa
from judgekit.stats.raters import brennan_prediger, conger_kappa, fleiss_kappa, raters_estimate
from judgekit.stats.ratings import Ratings
from judgekit.stats.reliability import ece, reliability
from judgekit.stats.resampling import bca, bootstrap, percentile, units_of_pairs, units_of_table
from judgekit.stats.rogan_gladen import (
    corrected_rate,
    lang_reiczigel,
    lang_reiczigel_point,
    rogan_gladen,
    rogan_gladen_error,
    youden,
)
from judgekit.stats.sample_size import n_for_half_width, n_for_test, sigma
from judgekit.stats.scored import Scored, score_absolute_error, score_correlation
from judgekit.stats.sequential import e_process, pair_scores
from judgekit.stats.shift import mean_signed_error, rate_shift
from judgekit.stats.significance import HypothesisTest
from judgekit.stats.spread import paired_t, pitman_morgan, spread_ratio
from judgekit.stats.table import Pairs, contingency, pass_decision
from judgekit.stats.token_levels import expected_level, sequence_logprob
from judgekit.stats.weights import by_name, identity, linear, quadratic, with_disagreeing

__all__ = [
    "AlternativeAnnotator",
    "BradleyTerry",
    "Estimate",
    "Forecasts",
    "HypothesisTest",
    "Pairs",
    "PanelSize",
    "Ratings",
    "Scored",
    "Undefined",
    "UndefinedReason",
    "absolute_error",
    "acceleration",
    "agreement",
    "agreement_s1",
    "agreement_s2",
    "alternative_annotator",
    "at_prevalence",
    "balanced_accuracy",
    "bca",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bennett_s",
    "bennett_s_of",
    "bhapkar",
    "bias_index",
    "bootstrap",
    "both_orders",
    "bounds",
    "bowker",
    "bradley_terry",
    "bradley_terry_clustered",
    "brennan_prediger",
    "brier",
    "by_name",
    "calibration_error",
    "class_shares",
    "classical_mean",
    "clopper_pearson",
    "condition_number",
    "confusion_matrix",
    "conger_kappa",
    "contingency",
    "corrected_rate",
    "coverage_s2",
    "critical",
    "design_effect",
    "e_process",
    "ece",
    "effective_labels",
    "effective_panel_size",
    "equal_shares",
    "exact_bootstrap",
    "expected_level",
    "f1",
    "f1_of",
    "fit_isotonic",
    "fit_temperature",
    "fleiss_kappa",
    "group_sequential",
    "gwet_ac1",
    "gwet_ac1_of",
    "gwet_ac2",
    "gwet_ac2_of",
    "halving_shares",
    "holm",
    "homogeneity",
    "icc",
    "identity",
    "influence",
    "inverted_mean",
    "inverted_shares",
    "jackknife",
    "jackknife_error",
    "jeffreys",
    "kappa",
    "kappa_at",
    "kappa_by_byrt",
    "kappa_difference",
    "kappa_fixed_margins",
    "kappa_gap",
    "kappa_homogeneity",
    "kappa_max",
    "kappa_of",
    "kendall_tau_b",
    "kendall_tau_b_of",
    "krippendorff_alpha",
    "krippendorff_alpha_estimate",
    "lang_reiczigel",
    "lang_reiczigel_point",
    "length_bias",
    "lin_ccc",
    "lin_ccc_of",
    "linear",
    "log_loss",
    "mcc",
    "mcc_of",
    "mcnemar",
    "mean_absolute_error",
    "mean_absolute_error_of",
    "mean_kappa",
    "mean_signed_error",
    "n_for_half_width",
    "n_for_test",
    "newcombe_independent",
    "newcombe_paired",
    "null_standard_error",
    "out_of_fold",
    "p_above",
    "pabak",
    "pabak_of",
    "pair_scores",
    "paired_t",
    "paradox",
    "partial_pearson",
    "partial_spearman",
    "pass_decision",
    "path_score",
    "pearson",
    "pearson_of",
    "percentile",
    "pitman_morgan",
    "position_consistency",
    "ppi_lambda",
    "ppi_mean",
    "ppi_plus_mean",
    "precision",
    "prevalence_index",
    "quadratic",
    "rate_shift",
    "raters_estimate",
    "raw_agreement",
    "recall",
    "reliability",
    "reliability_of_mean",
    "rogan_gladen",
    "rogan_gladen_error",
    "rule_of_three",
    "score_absolute_error",
    "score_correlation",
    "scott_pi",
    "scott_pi_of",
    "sensitivity",
    "sequence_logprob",
    "sigma",
    "spearman",
    "spearman_brown",
    "spearman_of",
    "specificity",
    "spread_ratio",
    "standard_error",
    "stratified_ppi_mean",
    "stuart_maxwell",
    "table_estimate",
    "unit_estimate",
    "units_of_pairs",
    "units_of_table",
    "wilson",
    "with_disagreeing",
    "youden",
    "zero_events",
]
