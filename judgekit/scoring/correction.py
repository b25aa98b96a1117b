"""Known judge error taken off a score: by which method, on what assumption, or why not.

The judge's error is known from the labelled items of its certificate. How it carries over depends
on two things that no data shows and that are therefore asked: how the labelled items were drawn
(``sampling``, stated when calibrating), and whether the scored items come from the same population
(``population``, stated when scoring).

- Same population, labels drawn at random or by strata with weights: prediction-powered, with
  :mod:`judgekit.stats.powered_levels`. Scored items that are themselves labelled count as labelled
  items only.
- Shifted population, where only the mix of levels is another: Rogan-Gladen for a pass rate,
  inversion of the confusion matrix for the rest.
- Anything else: nothing is corrected, and the reason says what to state.

Items the judge gave no level, and labels that say "does not apply", take no part.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple, get_args

import numpy as np

from judgekit.judging.judgment import Judgment
from judgekit.scoring.corrected import Correction, Population, Told
from judgekit.scoring.samples import (
    Labelled,
    Numbering,
    fits,
    labelled_items,
    labelled_table,
    scored_items,
)
from judgekit.stats.estimate import MIN_CLUSTERS
from judgekit.stats.inversion import inverted_mean, inverted_shares
from judgekit.stats.powered_levels import powered_mean, powered_rate, powered_shares
from judgekit.stats.rogan_gladen import corrected_rate
from judgekit.stats.samples import Sample

if TYPE_CHECKING:
    from judgekit.calibration.certificate import Certificate
    from judgekit.calibration.rows import Row, ScaleSpec
    from judgekit.judging.judgment import Unjudged

POPULATIONS: tuple[Population, ...] = get_args(Population)


class Scored(NamedTuple):
    """What is to be corrected: the judge's outcome of each item, and where the items come from.

    Attributes:
        outcomes: What the judge said of each item.
        cases: The case of each item, where it is known.
        population: What is stated of the items.
        labelled: Ids of those that are labelled items themselves; None takes those of equal id.
    """

    outcomes: Mapping[str, Judgment | Unjudged]
    cases: Mapping[str, str | None]
    population: Population = "unknown"
    labelled: Collection[str] | None = None


def correct(
    scored: Scored, certificate: Certificate, rows: tuple[Row, ...] | None = None
) -> Correction:
    """Take the judge's known error off the score of one criterion.

    Args:
        scored: The scored items.
        certificate: The certificate; its sampling decides whether anything can be corrected.
        rows: Its evidence rows, where they are at hand; else its table has to do, which knows
            nothing of weights, and of raters and cases only how many there are.
    """
    if (why := _not_stated(certificate, scored.population)) is not None:
        return Correction(why=why)
    if not any(isinstance(o, Judgment) and o.level is not None for o in scored.outcomes.values()):
        return Correction(why="no scored item has a level")
    numbering = Numbering()
    known = rows is not None and fits(certificate, rows)
    labelled = (
        labelled_items(certificate, rows, numbering)
        if known and rows is not None
        else labelled_table(certificate)
    )
    if (why := _unusable(certificate, labelled, known=known)) is not None:
        return Correction(why=why)
    spec, same = certificate.scale, scored.population == "same"
    own = labelled.names if scored.labelled is None else labelled.names & set(scored.labelled)
    judged = scored_items(
        scored.outcomes, scored.cases, len(spec.values), numbering, without=own if same else ()
    )
    evidence = rows if known and rows else ()
    told = Told(certificate, labelled, scored.population, evidence, judged)
    return _same(told, judged) if same else _shifted(told, judged)


def _not_stated(certificate: Certificate, population: Population) -> str | None:
    sampling = certificate.labels.sampling
    if sampling is None:
        return (
            "how the labels were sampled is not stated, so the judge's known error cannot be "
            "carried over to other items; if they were drawn at random or by strata, calibrate "
            "with --sampling random or --sampling stratified"
        )
    if sampling not in ("random", "stratified"):
        return (
            f"how the labels were sampled is {sampling}, so the judge's known error cannot be "
            "carried over to other items; labels drawn at random can be"
        )
    if population == "unknown":
        return (
            "whether these items are of the labels' population is not stated; say --population "
            "same, or --population shifted if only the mix of levels is another"
        )
    return None


def _unusable(certificate: Certificate, labelled: Labelled, *, known: bool) -> str | None:
    if certificate.labels.sampling == "stratified" and not labelled.weighted:
        if not known:
            return "labels drawn by strata need the certificate's evidence rows, which are missing"
        return (
            "labels drawn by strata need weights, which they lack; give the label file a column "
            "weight: how many items each labelled item stands for"
        )
    if not known and certificate.labels.cases < MIN_CLUSTERS:
        cases = certificate.labels.cases
        return f"the labelled items come from {cases} cases; {MIN_CLUSTERS} are needed"
    return None


def _same(told: Told, judged: Sample) -> Correction:
    """Correct where labelled and scored items are of one population."""
    labels, spec = told.labelled.sample, told.certificate.scale
    if spec.passes is not None:
        found = powered_rate(labels, judged, np.array(spec.passes))
        return told.powered("pass_rate", found, 1.0)
    if spec.kind == "ordinal":
        found = powered_mean(labels, judged, spec.numbers)
        return told.powered("mean_level", found, _range(spec))
    return told.powered_each(powered_shares(labels, judged))


def _shifted(told: Told, judged: Sample) -> Correction:
    """Correct where the scored items have another mix of levels."""
    labels, spec = told.labelled.sample, told.certificate.scale
    if spec.passes is not None:
        return told.one("pass_rate", corrected_rate(labels, judged, np.array(spec.passes)), 1.0)
    # The same evidence and the same scores give the same interval.
    rng = np.random.default_rng(int(told.certificate.id[:12], 16))
    if spec.kind == "ordinal":
        found = inverted_mean(labels, judged, spec.numbers, rng=rng)
        return told.one("mean_level", found, _range(spec))
    return told.each(inverted_shares(labels, judged, rng=rng))


def _range(spec: ScaleSpec) -> float:
    return max(spec.numbers) - min(spec.numbers)
